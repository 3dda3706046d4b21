Lemma statement :
  forall (x : R),
  ((1 / (1 + (exp (- x)))) * (1 - (1 / (1 + (exp (- x)))))) <= (1 / 5).
Proof.
  intros x.
  apply Rnot_lt_le; intro G'.
  assert (F'1 : 0 < ((exp (- x)))) by (pose proof (exp_pos (- x)); lra).
  assert (F'2 : 0 <= ((exp (- x)) + x + -1)) by (pose proof (exp_above (- x)); lra).
  assert (F'3 : 0 <= (-1 * (exp (- x)) * x + -1 * (exp (- x)) + 1)) by (pose proof (exp_below (- x)); lra).
  assert (F'6 : 0 < ((exp (- x)) + 1)).
  { apply Rnot_le_lt; intro D'6.
  assert (F'7 : 0 <= (-1 * (exp (- x)) + -1)) by lra.
  lra.
  }
  assert (F'8 : 0 < (5 * (exp (- x)) ^ 2 + 10 * (exp (- x)) + 5)) by (replace (5 * (exp (- x)) ^ 2 + 10 * (exp (- x)) + 5) with (5 * ((exp (- x)) + 1) * ((exp (- x)) + 1)) by ring; products).
  assert (F'10 : 0 < (5 * (exp (- x)) ^ 2 + 10 * (exp (- x)) + 5)) by (replace (5 * (exp (- x)) ^ 2 + 10 * (exp (- x)) + 5) with (5 * ((exp (- x)) + 1) * ((exp (- x)) + 1)) by ring; products).
  assert (F'11 : 0 < (-1 * (exp (- x)) ^ 2 + 3 * (exp (- x)) + -1)) by (replace (-1 * (exp (- x)) ^ 2 + 3 * (exp (- x)) + -1) with ((((1 / (1 + (exp (- x)))) * (1 - (1 / (1 + (exp (- x)))))) - (1 / 5)) * (5 * (exp (- x)) ^ 2 + 10 * (exp (- x)) + 5)) by (field; nonzero); exact (times_lt _ _ _ G' F'10)).
  first [ lra | timeout 20 nra ].
Qed.

Print Assumptions statement.
