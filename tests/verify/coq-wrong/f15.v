Lemma statement :
  forall (x : R) (y : R) (s : R),
  (((exp x) + (exp y)) / (((exp x) + (exp y)) + (exp s))) < (1 / 2).
Proof.
  intros x y s.
  pose proof (exp_pos x) as F'1.
  pose proof (exp_pos y) as F'2.
  pose proof (exp_pos s) as F'3.
  first [ order |
    apply (Rmult_lt_reg_r (((exp x) + (exp y)) + (exp s))); [ positive | ];
    replace ((((exp x) + (exp y)) / (((exp x) + (exp y)) + (exp s))) * (((exp x) + (exp y)) + (exp s))) with ((exp x) + (exp y)) by (field; nonzero);
    replace ((1 / 2) * (((exp x) + (exp y)) + (exp s))) with ((1 / 2) * (((exp x) + (exp y)) + (exp s))) by (field; nonzero);
    order ].
Qed.

Print Assumptions statement.
