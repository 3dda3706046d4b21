Lemma statement :
  forall (x : R),
  (sgn x) <= (1 / 2).
Proof.
  intros x.
  apply Rnot_lt_le; intro G'.
  assert (F'1 : 0 <= (-1 * (sgn x) + 1)) by (pose proof (sign_bounds x); lra).
  assert (F'2 : 0 <= ((sgn x) + 1)) by (pose proof (sign_bounds x); lra).
  assert (F'3 : 0 <= ((sgn x) * x)) by (pose proof (sign_not_negative x); lra).
  assert (F'5 : 0 < (2 * (sgn x) + -1)) by lra.
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
