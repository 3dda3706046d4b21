Lemma statement :
  forall (x : R) (y : R),
  ((x ^ 2) + (y ^ 2)) >= ((3 * x) * y).
Proof.
  intros x y.
  apply Rle_ge.
  apply Rnot_lt_le; intro G'.
  assert (F'2 : 0 < (-1 * y ^ 2 + 3 * y * x + -1 * x ^ 2)) by lra.
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
