Lemma statement :
  forall (k : R),
  0 < k ->
  (k + (1 / k)) > 2.
Proof.
  intros k.
  intros H'1.
  apply Rlt_gt.
  apply Rnot_le_lt; intro G'.
  assert (F'1 : 0 < (k)) by (pose proof ((ltac:(positive) : 0 < k)); lra).
  assert (F'2 : 0 < (k)) by (replace (k) with (1 * (k)) by ring; products).
  assert (F'4 : 0 < (k)) by (replace (k) with (1 * (k)) by ring; products).
  assert (F'5 : 0 <= (-1 * k ^ 2 + 2 * k + -1)) by (replace (-1 * k ^ 2 + 2 * k + -1) with ((2 - (k + (1 / k))) * (k)) by (field; nonzero); exact (times_le _ _ _ G' F'4)).
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
