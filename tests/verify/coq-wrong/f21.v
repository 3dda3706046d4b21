Lemma statement :
  forall (k : R),
  0 < k ->
  (ln k) < (k - 1).
Proof.
  intros k.
  intros H'1.
  apply Rnot_le_lt; intro G'.
  assert (F'1 : 0 < (k)) by (pose proof ((ltac:(positive) : 0 < k)); lra).
  assert (F'2 : 0 <= (-1 * (ln k) + k + -1)) by (pose proof (ln_below k ltac:(lra)); lra).
  assert (F'3 : 0 <= ((ln k) * k + -1 * k + 1)) by (pose proof (ln_above k ltac:(lra)); lra).
  assert (F'5 : 0 <= ((ln k) + -1 * k + 1)) by lra.
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
