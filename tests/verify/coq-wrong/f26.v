Lemma statement :
  forall (n : Z),
  ((IZR n) ^ 2) > (IZR n).
Proof.
  intros n.
  apply Rlt_gt.
  apply Rnot_le_lt; intro G'.
  assert (F'1 : 0 <= ((IZR n) ^ 2 + -1 * (IZR n))) by (pose proof (whole_square n); lra).
  assert (F'2 : 0 <= ((IZR n) ^ 2 + (IZR n))) by (pose proof (whole_square n); lra).
  assert (F'3 : 0 <= ((IZR n) ^ 4 + -1 * (IZR n) ^ 2)) by (pose proof (whole_fourth n); lra).
  assert (F'13 : 0 <= (-1 * (IZR n) ^ 2 + (IZR n))) by lra.
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
