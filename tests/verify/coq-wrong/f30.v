Lemma statement :
  forall (x : R),
  (tanh x) < (9 / 10).
Proof.
  intros x.
  apply Rnot_le_lt; intro G'.
  assert (F'1 : 0 < (-1 * (tanh x) + 1)) by (pose proof (tanh_bounds x); lra).
  assert (F'2 : 0 < ((tanh x) + 1)) by (pose proof (tanh_bounds x); lra).
  assert (F'4 : 0 <= (10 * (tanh x) + -9)) by lra.
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
