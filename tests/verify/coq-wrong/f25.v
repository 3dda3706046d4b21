Lemma statement :
  forall (x : R),
  (Rabs (sin (3 * x))) <= (2 * (Rabs (sin x))).
Proof.
  intros x.
  apply Rnot_lt_le; intro G'.
  assert (F'15 : 0 <= (-1 * (sin (3 * x)) ^ 2 + 9 * x ^ 2)) by (pose proof (sin_square (3 * x)); lra).
  assert (F'16 : 0 <= (-1 * (sin (3 * x)) + 1)) by (pose proof (SIN_bound (3 * x)); lra).
  assert (F'17 : 0 <= ((sin (3 * x)) + 1)) by (pose proof (SIN_bound (3 * x)); lra).
  assert (F'18 : 0 <= ((Rabs (sin (3 * x))))) by (pose proof (Rabs_pos (sin (3 * x))); lra).
  assert (F'19 : 0 <= ((Rabs (sin (3 * x))) + -1 * (sin (3 * x)))) by (pose proof (abs_bounds (sin (3 * x))); lra).
  assert (F'20 : 0 <= ((Rabs (sin (3 * x))) + (sin (3 * x)))) by (pose proof (abs_bounds (sin (3 * x))); lra).
  assert (F'36 : 0 <= (-1 * (sin x) ^ 2 + x ^ 2)) by (pose proof (sin_square x); lra).
  assert (F'37 : 0 <= (-1 * (sin x) + 1)) by (pose proof (SIN_bound x); lra).
  assert (F'38 : 0 <= ((sin x) + 1)) by (pose proof (SIN_bound x); lra).
  assert (F'39 : 0 <= ((Rabs (sin x)))) by (pose proof (Rabs_pos (sin x)); lra).
  assert (F'40 : 0 <= ((Rabs (sin x)) + -1 * (sin x))) by (pose proof (abs_bounds (sin x)); lra).
  assert (F'41 : 0 <= ((Rabs (sin x)) + (sin x))) by (pose proof (abs_bounds (sin x)); lra).
  assert (F'43 : 0 <= (9 * (sin x) ^ 2 + -1 * (sin (3 * x)) ^ 2)) by (pose proof (sin_multiple (0 + (3))%Z (3) x (3 * x) ltac:(rewrite ?plus_IZR, ?mult_IZR; ring) ltac:(field; nonzero)); lra).
  assert (F'45 : 0 < (-2 * (Rabs (sin x)) + (Rabs (sin (3 * x))))) by lra.
  assert (R'21 : (Rabs (sin (3 * x))) ^ 2 = ((sin (3 * x)) ^ 2)) by (pose proof (abs_square (sin (3 * x))); lra).
  assert (R'42 : (Rabs (sin x)) ^ 2 = ((sin x) ^ 2)) by (pose proof (abs_square (sin x)); lra).
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
