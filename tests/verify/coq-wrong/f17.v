Lemma statement :
  forall (k : R) (β : R),
  0 < k ->
  0 < β ->
  (sqrt (k * β)) <= ((k + β) / 3).
Proof.
  intros k β.
  intros H'1.
  intros H'2.
  apply Rnot_lt_le; intro G'.
  assert (F'1 : 0 < (k)) by (pose proof ((ltac:(positive) : 0 < k)); lra).
  assert (F'2 : 0 < (β)) by (pose proof ((ltac:(positive) : 0 < β)); lra).
  assert (F'3 : 0 <= ((sqrt (k * β)))) by (pose proof (sqrt_pos (k * β)); lra).
  assert (F'4 : 0 < (β * k)).
  { apply Rnot_le_lt; intro D'4.
  assert (P'6 : 0 < (β) * (k)) by products.
  assert (F'5 : 0 <= (-1 * β * k)) by lra.
  lra.
  }
  assert (F'7 : 0 < ((sqrt (k * β)))) by (pose proof (root_positive (k * β) ltac:(lra)); lra).
  assert (F'10 : 0 < (3 * (sqrt (k * β)) + -1 * β + -1 * k)) by lra.
  assert (R'8 : (sqrt (k * β)) ^ 2 = (β * k)) by (pose proof (root_square (k * β) ltac:(lra)); lra).
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
