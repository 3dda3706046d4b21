Lemma statement :
  forall (k : R),
  0 < k ->
  ((sqrt k) * (sqrt k)) = (2 * k).
Proof.
  intros k.
  intros H1.
  square_roots.
  destruct (a_logarithm (k) ltac:(positive)) as (l1 & L1 & X1).
  logarithm (1 * ((k) ^ 1)) (l1).
  destruct (a_root 2 (((l1) / 2)) _ _ X1 ltac:(same)) as (u2 & e2 & U2 & E2 & N2 & P2 & Q2).
  power (((l1) / 2)) (u2) (1 * ((e2) ^ 1)).
  settle; first [ ring [ Q2] | field [ Q2]; nonzero ].
Qed.

Print Assumptions statement.
