Lemma statement :
  forall (x : R) (y : R),
  (Rabs (x - y)) <= ((Rabs x) - (Rabs y)).
Proof.
  intros x y.
  apply Rnot_lt_le; intro G'.
  assert (F'1 : 0 <= ((Rabs (x - y)))) by (pose proof (Rabs_pos (x - y)); lra).
  assert (F'2 : 0 <= ((Rabs (x - y)) + y + -1 * x)) by (pose proof (abs_bounds (x - y)); lra).
  assert (F'3 : 0 <= ((Rabs (x - y)) + -1 * y + x)) by (pose proof (abs_bounds (x - y)); lra).
  assert (F'5 : 0 <= ((Rabs x))) by (pose proof (Rabs_pos x); lra).
  assert (F'6 : 0 <= ((Rabs x) + -1 * x)) by (pose proof (abs_bounds x); lra).
  assert (F'7 : 0 <= ((Rabs x) + x)) by (pose proof (abs_bounds x); lra).
  assert (F'9 : 0 <= ((Rabs y))) by (pose proof (Rabs_pos y); lra).
  assert (F'10 : 0 <= ((Rabs y) + -1 * y)) by (pose proof (abs_bounds y); lra).
  assert (F'11 : 0 <= ((Rabs y) + y)) by (pose proof (abs_bounds y); lra).
  assert (F'14 : 0 < ((Rabs y) + -1 * (Rabs x) + (Rabs (x - y)))) by lra.
  assert (R'4 : (Rabs (x - y)) ^ 2 = (y ^ 2 + -2 * y * x + x ^ 2)) by (pose proof (abs_square (x - y)); lra).
  assert (R'8 : (Rabs x) ^ 2 = (x ^ 2)) by (pose proof (abs_square x); lra).
  assert (R'12 : (Rabs y) ^ 2 = (y ^ 2)) by (pose proof (abs_square y); lra).
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
