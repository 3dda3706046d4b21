Lemma statement :
  forall (k : R),
  0 < k ->
  (1 / (k + 1)) < (1 / (k + 2)).
Proof.
  intros k.
  intros H'1.
  apply Rnot_le_lt; intro G'.
  assert (F'1 : 0 < (k)) by (pose proof ((ltac:(positive) : 0 < k)); lra).
  assert (F'2 : 0 < (k + 2)).
  { apply Rnot_le_lt; intro D'2.
  assert (F'3 : 0 <= (-1 * k + -2)) by lra.
  lra.
  }
  assert (F'4 : 0 < (k + 1)).
  { apply Rnot_le_lt; intro D'4.
  assert (F'5 : 0 <= (-1 * k + -1)) by lra.
  lra.
  }
  assert (F'6 : 0 < (k ^ 2 + 3 * k + 2)) by (replace (k ^ 2 + 3 * k + 2) with (1 * (k + 2) * (k + 1)) by ring; products).
  assert (F'8 : 0 < (k ^ 2 + 3 * k + 2)) by (replace (k ^ 2 + 3 * k + 2) with (1 * (k + 2) * (k + 1)) by ring; products).
  assert (F'9 : 0 <= (1)) by (replace (1) with (((1 / (k + 1)) - (1 / (k + 2))) * (k ^ 2 + 3 * k + 2)) by (field; nonzero); exact (times_le _ _ _ G' F'8)).
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
