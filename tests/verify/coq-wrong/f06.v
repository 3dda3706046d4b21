Lemma statement :
  forall (k : R) (β : R),
  0 < k ->
  0 < β ->
  (ln (k * β)) = ((ln k) - (ln β)).
Proof.
  intros k β.
  intros H1.
  intros H2.
  destruct (a_logarithm (k) ltac:(positive)) as (l1 & L1 & X1).
  destruct (a_logarithm (β) ltac:(positive)) as (l2 & L2 & X2).
  logarithm (1 * ((k) ^ 1) * ((β) ^ 1)) (l2+l1).
  logarithm (1 * ((k) ^ 1)) (l1).
  logarithm (1 * ((β) ^ 1)) (l2).
  settle; first [ ring | field; nonzero ].
Qed.

Print Assumptions statement.
