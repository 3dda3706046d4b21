Lemma statement :
  forall (x : R) (y : R),
  ((x ^ 2) + (y ^ 2)) >= ((3 * x) * y).
Proof.
  intros x y.
  order.
Qed.

Print Assumptions statement.
