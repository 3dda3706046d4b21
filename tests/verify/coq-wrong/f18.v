Lemma statement :
  forall (x : R),
  (exp x) >= (1 + (2 * x)).
Proof.
  intros x.
  apply Rle_ge.
  apply Rnot_lt_le; intro G'.
  assert (F'1 : 0 < ((exp x))) by (pose proof (exp_pos x); lra).
  assert (F'2 : 0 <= ((exp x) + -1 * x + -1)) by (pose proof (exp_above x); lra).
  assert (F'3 : 0 <= ((exp x) * x + -1 * (exp x) + 1)) by (pose proof (exp_below x); lra).
  assert (F'7 : 0 < (-1 * (exp x) + 2 * x + 1)) by lra.
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
