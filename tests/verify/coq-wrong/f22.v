Lemma statement :
  forall (x : R),
  (Rabs (sin x)) <= ((Rabs x) / 2).
Proof.
  intros x.
  apply Rnot_lt_le; intro G'.
  assert (F'15 : 0 <= (-1 * (sin x) ^ 2 + x ^ 2)) by (pose proof (sin_square x); lra).
  assert (F'16 : 0 <= (-1 * (sin x) + 1)) by (pose proof (SIN_bound x); lra).
  assert (F'17 : 0 <= ((sin x) + 1)) by (pose proof (SIN_bound x); lra).
  assert (F'18 : 0 <= ((Rabs (sin x)))) by (pose proof (Rabs_pos (sin x)); lra).
  assert (F'19 : 0 <= ((Rabs (sin x)) + -1 * (sin x))) by (pose proof (abs_bounds (sin x)); lra).
  assert (F'20 : 0 <= ((Rabs (sin x)) + (sin x))) by (pose proof (abs_bounds (sin x)); lra).
  assert (F'22 : 0 <= ((Rabs x))) by (pose proof (Rabs_pos x); lra).
  assert (F'23 : 0 <= ((Rabs x) + -1 * x)) by (pose proof (abs_bounds x); lra).
  assert (F'24 : 0 <= ((Rabs x) + x)) by (pose proof (abs_bounds x); lra).
  assert (F'27 : 0 < (-1 * (Rabs x) + 2 * (Rabs (sin x)))) by lra.
  assert (R'21 : (Rabs (sin x)) ^ 2 = ((sin x) ^ 2)) by (pose proof (abs_square (sin x)); lra).
  assert (R'25 : (Rabs x) ^ 2 = (x ^ 2)) by (pose proof (abs_square x); lra).
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
