Lemma statement :
  forall (k : R) (β : R),
  0 < k ->
  0 < β ->
  (ln (k * β)) = ((ln k) - (ln β)).
Proof.
  intros k β.
  intros H'1.
  intros H'2.
  destruct (a_logarithm (k) ltac:(positive)) as (l'2 & L'2 & X'2).
  destruct (a_logarithm (β) ltac:(positive)) as (l'3 & L'3 & X'3).
  logarithm (1 * ((k) ^ 1) * ((β) ^ 1)) (l'3+l'2) W'1.
  here ln (k * β) W'1.
  elsewhere ln W'1.
  logarithm (1 * ((k) ^ 1)) (l'2) W'4.
  here ln k W'4.
  elsewhere ln W'4.
  logarithm (1 * ((β) ^ 1)) (l'3) W'5.
  here ln β W'5.
  elsewhere ln W'5.
  settle; first [ ring | field; nonzero ].
Qed.

Print Assumptions statement.
