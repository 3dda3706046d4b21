Lemma statement :
  forall (x : R),
  (cos x) <= (1 / 2).
Proof.
  intros x.
  order.
Qed.

Print Assumptions statement.
