Lemma statement :
  forall (y : R),
  (y - (floor y)) < (1 / 2).
Proof.
  intros y.
  apply Rnot_le_lt; intro G'.
  assert (F'1 : 0 <= (-1 * (floor y) + y)) by (pose proof (floor_below y); lra).
  assert (F'2 : 0 < ((floor y) + -1 * y + 1)) by (pose proof (floor_above y); lra).
  assert (F'4 : 0 <= (-2 * (floor y) + 2 * y + -1)) by lra.
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
