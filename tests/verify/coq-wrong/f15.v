Lemma statement :
  forall (x : R) (y : R) (s : R),
  (((exp x) + (exp y)) / (((exp x) + (exp y)) + (exp s))) < (1 / 2).
Proof.
  intros x y s.
  apply Rnot_le_lt; intro G'.
  assert (F'1 : 0 < ((exp x))) by (pose proof (exp_pos x); lra).
  assert (F'2 : 0 <= ((exp x) + -1 * x + -1)) by (pose proof (exp_above x); lra).
  assert (F'3 : 0 <= ((exp x) * x + -1 * (exp x) + 1)) by (pose proof (exp_below x); lra).
  assert (F'6 : 0 < ((exp y))) by (pose proof (exp_pos y); lra).
  assert (F'7 : 0 <= ((exp y) + -1 * y + -1)) by (pose proof (exp_above y); lra).
  assert (F'8 : 0 <= ((exp y) * y + -1 * (exp y) + 1)) by (pose proof (exp_below y); lra).
  assert (F'11 : 0 < ((exp s))) by (pose proof (exp_pos s); lra).
  assert (F'12 : 0 <= ((exp s) + -1 * s + -1)) by (pose proof (exp_above s); lra).
  assert (F'13 : 0 <= ((exp s) * s + -1 * (exp s) + 1)) by (pose proof (exp_below s); lra).
  assert (F'16 : 0 <= ((exp y) * y + -1 * (exp y) * x + -1 * (exp y) + (exp x))) by (pose proof (exp_tangent x y); lra).
  assert (F'17 : 0 <= ((exp s) * s + -1 * (exp s) * x + -1 * (exp s) + (exp x))) by (pose proof (exp_tangent x s); lra).
  assert (F'18 : 0 <= ((exp y) + -1 * y * (exp x) + (exp x) * x + -1 * (exp x))) by (pose proof (exp_tangent y x); lra).
  assert (F'19 : 0 <= ((exp s) * s + -1 * (exp s) * y + -1 * (exp s) + (exp y))) by (pose proof (exp_tangent y s); lra).
  assert (F'20 : 0 <= ((exp s) + -1 * s * (exp x) + (exp x) * x + -1 * (exp x))) by (pose proof (exp_tangent s x); lra).
  assert (F'21 : 0 <= ((exp s) + -1 * s * (exp y) + (exp y) * y + -1 * (exp y))) by (pose proof (exp_tangent s y); lra).
  assert (F'22 : 0 < ((exp s) + (exp y) + (exp x))).
  { apply Rnot_le_lt; intro D'22.
  assert (F'23 : 0 <= (-1 * (exp s) + -1 * (exp y) + -1 * (exp x))) by lra.
  lra.
  }
  assert (F'24 : 0 < (2 * (exp s) + 2 * (exp y) + 2 * (exp x))) by (replace (2 * (exp s) + 2 * (exp y) + 2 * (exp x)) with (2 * ((exp s) + (exp y) + (exp x))) by ring; products).
  assert (F'26 : 0 < (2 * (exp s) + 2 * (exp y) + 2 * (exp x))) by (replace (2 * (exp s) + 2 * (exp y) + 2 * (exp x)) with (2 * ((exp s) + (exp y) + (exp x))) by ring; products).
  assert (F'27 : 0 <= (-1 * (exp s) + (exp y) + (exp x))) by (replace (-1 * (exp s) + (exp y) + (exp x)) with (((((exp x) + (exp y)) / (((exp x) + (exp y)) + (exp s))) - (1 / 2)) * (2 * (exp s) + 2 * (exp y) + 2 * (exp x))) by (field; nonzero); exact (times_le _ _ _ G' F'26)).
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
