Lemma statement :
  forall (x : R),
  (x ^ 2) > 0.
Proof.
  intros x.
  apply Rlt_gt.
  apply Rnot_le_lt; intro G'.
  assert (F'2 : 0 <= (-1 * x ^ 2)) by lra.
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
