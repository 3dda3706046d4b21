Lemma statement :
  forall (k : R),
  0 < k ->
  (1 / (k + 1)) < (1 / (k + 2)).
Proof.
  intros k.
  intros H'1.
  first [ order |
    apply (Rmult_lt_reg_r ((k + 1) * (k + 2))); [ positive | ];
    replace ((1 / (k + 1)) * ((k + 1) * (k + 2))) with (k + 2) by (field; nonzero);
    replace ((1 / (k + 2)) * ((k + 1) * (k + 2))) with (k + 1) by (field; nonzero);
    order ].
Qed.

Print Assumptions statement.
