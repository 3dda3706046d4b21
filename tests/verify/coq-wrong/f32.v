Lemma statement :
  forall (a : R) (b : R),
  (ln ((exp a) + (exp b))) >= (a + (1 / 10)).
Proof.
  intros a b.
  apply Rle_ge.
  apply Rnot_lt_le; intro G'.
  assert (F'1 : 0 < ((exp a))) by (pose proof (exp_pos a); lra).
  assert (F'2 : 0 <= ((exp a) + -1 * a + -1)) by (pose proof (exp_above a); lra).
  assert (F'3 : 0 <= ((exp a) * a + -1 * (exp a) + 1)) by (pose proof (exp_below a); lra).
  assert (F'6 : 0 < ((exp b))) by (pose proof (exp_pos b); lra).
  assert (F'7 : 0 <= ((exp b) + -1 * b + -1)) by (pose proof (exp_above b); lra).
  assert (F'8 : 0 <= ((exp b) * b + -1 * (exp b) + 1)) by (pose proof (exp_below b); lra).
  assert (F'11 : 0 < ((exp b) + (exp a))).
  { apply Rnot_le_lt; intro D'11.
  assert (F'12 : 0 <= (-1 * (exp b) + -1 * (exp a))) by lra.
  lra.
  }
  assert (F'13 : 0 <= (-1 * (ln ((exp a) + (exp b))) + (exp b) + (exp a) + -1)) by (pose proof (ln_below ((exp a) + (exp b)) ltac:(lra)); lra).
  assert (F'14 : 0 <= ((ln ((exp a) + (exp b))) * (exp b) + (ln ((exp a) + (exp b))) * (exp a) + -1 * (exp b) + -1 * (exp a) + 1)) by (pose proof (ln_above ((exp a) + (exp b)) ltac:(lra)); lra).
  assert (F'15 : 0 <= ((exp b) * b + -1 * (exp b) * a + -1 * (exp b) + (exp a))) by (pose proof (exp_tangent a b); lra).
  assert (F'16 : 0 <= ((exp b) + -1 * b * (exp a) + (exp a) * a + -1 * (exp a))) by (pose proof (exp_tangent b a); lra).
  assert (F'17 : 0 <= (-1 * (ln ((exp a) + (exp b))) * (exp a) + (exp b) + (exp a) * a)) by (pose proof (ln_under_exp a ((exp a) + (exp b)) ltac:(lra)); lra).
  assert (F'18 : 0 <= ((ln ((exp a) + (exp b))) * (exp b) + (ln ((exp a) + (exp b))) * (exp a) + -1 * (exp b) * a + -1 * (exp b) + -1 * (exp a) * a)) by (pose proof (exp_over_ln a ((exp a) + (exp b)) ltac:(lra)); lra).
  assert (F'19 : 0 <= (-1 * (ln ((exp a) + (exp b))) * (exp b) + (exp b) * b + (exp a))) by (pose proof (ln_under_exp b ((exp a) + (exp b)) ltac:(lra)); lra).
  assert (F'20 : 0 <= ((ln ((exp a) + (exp b))) * (exp b) + (ln ((exp a) + (exp b))) * (exp a) + -1 * (exp b) * b + -1 * b * (exp a) + -1 * (exp a))) by (pose proof (exp_over_ln b ((exp a) + (exp b)) ltac:(lra)); lra).
  assert (F'22 : 0 < (-10 * (ln ((exp a) + (exp b))) + 10 * a + 1)) by lra.
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
