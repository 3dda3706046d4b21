Lemma statement :
  forall (x : R) (y : R),
  (Rmax x y) <= ((x + y) / 2).
Proof.
  intros x y.
  apply Rnot_lt_le; intro G'.
  assert (F'1 : 0 <= ((Rmax x y) + -1 * x)) by (pose proof (Rmax_l x y); lra).
  assert (F'2 : 0 <= ((Rmax x y) + -1 * y)) by (pose proof (Rmax_r x y); lra).
  assert (F'4 : 0 < (2 * (Rmax x y) + -1 * y + -1 * x)) by lra.
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
