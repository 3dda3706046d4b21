Lemma statement :
  forall (x : R) (k : R),
  0 < k ->
  ((floor (x / k)) * k) > (x - (k / 2)).
Proof.
  intros x k.
  intros H'1.
  apply Rlt_gt.
  apply Rnot_le_lt; intro G'.
  assert (F'1 : 0 < (k)) by (pose proof ((ltac:(positive) : 0 < k)); lra).
  assert (F'2 : 0 < (k)) by (replace (k) with (1 * (k)) by ring; products).
  assert (F'3 : 0 <= (-1 * (floor (x / k)) * k + x)) by (replace (-1 * (floor (x / k)) * k + x) with (((x / k) - floor (x / k)) * (k)) by (field; nonzero); apply times_le; [pose proof (floor_below (x / k)); lra | assumption]).
  assert (F'4 : 0 < ((floor (x / k)) * k + k + -1 * x)) by (replace ((floor (x / k)) * k + k + -1 * x) with ((floor (x / k) - ((x / k) - 1)) * (k)) by (field; nonzero); apply times_lt; [pose proof (floor_above (x / k)); lra | assumption]).
  assert (F'6 : 0 <= (-2 * (floor (x / k)) * k + -1 * k + 2 * x)) by lra.
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
