Lemma statement :
  forall (x : R),
  (cos x) >= (1 - ((x ^ 2) / 3)).
Proof.
  intros x.
  apply Rle_ge.
  apply Rnot_lt_le; intro G'.
  assert (F'5 : 0 <= (2 * (cos x) + x ^ 2 + -2)) by (pose proof (cos_above x); lra).
  assert (F'6 : 0 <= (-1 * (cos x) + 1)) by (pose proof (COS_bound x); lra).
  assert (F'7 : 0 <= ((cos x) + 1)) by (pose proof (COS_bound x); lra).
  assert (F'9 : 0 < (-3 * (cos x) + -1 * x ^ 2 + 3)) by lra.
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
