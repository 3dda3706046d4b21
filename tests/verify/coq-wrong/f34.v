Lemma statement :
  forall (n : Z),
  (powerRZ (-1) ((3)%Z * n)%Z) = 1.
Proof.
  intros n.
  parities.
  replace ((3)%Z * n)%Z with (n + n + n)%Z by ring; parities.
  destruct (a_parity n) as (p'1 & A'1 & Q'1); repeat rewrite A'1.
  settle; first [ ring [ Q'1] | field [ Q'1]; nonzero ].
Qed.

Print Assumptions statement.
