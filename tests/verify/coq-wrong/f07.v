Lemma statement :
  forall (x : R),
  (x / x) = 2.
Proof.
  intros x.
  settle; first [ ring | field; nonzero ].
Qed.

Print Assumptions statement.
