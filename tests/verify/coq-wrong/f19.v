Lemma statement :
  forall (x : R) (y : R),
  (exp ((x + y) / 2)) >= (((exp x) + (exp y)) / 2).
Proof.
  intros x y.
  apply Rle_ge.
  apply Rnot_lt_le; intro G'.
  assert (F'1 : 0 < ((exp x))) by (pose proof (exp_pos x); lra).
  assert (F'2 : 0 <= ((exp x) + -1 * x + -1)) by (pose proof (exp_above x); lra).
  assert (F'3 : 0 <= ((exp x) * x + -1 * (exp x) + 1)) by (pose proof (exp_below x); lra).
  assert (F'6 : 0 < ((exp y))) by (pose proof (exp_pos y); lra).
  assert (F'7 : 0 <= ((exp y) + -1 * y + -1)) by (pose proof (exp_above y); lra).
  assert (F'8 : 0 <= ((exp y) * y + -1 * (exp y) + 1)) by (pose proof (exp_below y); lra).
  assert (F'11 : 0 < ((exp ((x + y) / 2)))) by (pose proof (exp_pos ((x + y) / 2)); lra).
  assert (F'12 : 0 <= (2 * (exp ((x + y) / 2)) + -1 * y + -1 * x + -2)) by (pose proof (exp_above ((x + y) / 2)); lra).
  assert (F'13 : 0 <= ((exp ((x + y) / 2)) * y + (exp ((x + y) / 2)) * x + -2 * (exp ((x + y) / 2)) + 2)) by (pose proof (exp_below ((x + y) / 2)); lra).
  assert (F'16 : 0 <= ((exp y) * y + -1 * (exp y) * x + -1 * (exp y) + (exp x))) by (pose proof (exp_tangent x y); lra).
  assert (F'17 : 0 <= ((exp ((x + y) / 2)) * y + -1 * (exp ((x + y) / 2)) * x + -2 * (exp ((x + y) / 2)) + 2 * (exp x))) by (pose proof (exp_tangent x ((x + y) / 2)); lra).
  assert (F'18 : 0 <= ((exp y) + -1 * y * (exp x) + (exp x) * x + -1 * (exp x))) by (pose proof (exp_tangent y x); lra).
  assert (F'19 : 0 <= (-1 * (exp ((x + y) / 2)) * y + (exp ((x + y) / 2)) * x + -2 * (exp ((x + y) / 2)) + 2 * (exp y))) by (pose proof (exp_tangent y ((x + y) / 2)); lra).
  assert (F'20 : 0 <= (2 * (exp ((x + y) / 2)) + -1 * y * (exp x) + (exp x) * x + -2 * (exp x))) by (pose proof (exp_tangent ((x + y) / 2) x); lra).
  assert (F'21 : 0 <= (2 * (exp ((x + y) / 2)) + (exp y) * y + -1 * (exp y) * x + -2 * (exp y))) by (pose proof (exp_tangent ((x + y) / 2) y); lra).
  assert (F'23 : 0 < (-2 * (exp ((x + y) / 2)) + (exp y) + (exp x))) by lra.
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
