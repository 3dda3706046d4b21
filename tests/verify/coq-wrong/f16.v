Lemma statement :
  forall (a : R) (x : R) (b : R) (y : R),
  (((a * x) + (b * y)) ^ 2) <= ((((a ^ 2) + (b ^ 2)) * ((x ^ 2) + (y ^ 2))) - (1 / 100)).
Proof.
  intros a x b y.
  apply Rnot_lt_le; intro G'.
  assert (F'10 : 0 < (-100 * y ^ 2 * a ^ 2 + 200 * y * b * x * a + -100 * b ^ 2 * x ^ 2 + 1)) by lra.
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
