Lemma statement :
  forall (k : R),
  0 < k ->
  ((sqrt k) * (sqrt k)) = (2 * k).
Proof.
  intros k.
  intros H'1.
  square_roots.
  destruct (a_logarithm (k) ltac:(positive)) as (l'2 & L'2 & X'2).
  logarithm (1 * ((k) ^ 1)) (l'2) W'1.
  here ln k W'1.
  elsewhere ln W'1.
  destruct (a_root 2 (((l'2) / 2)) _ _ X'2 ltac:(same)) as (u'3 & e'3 & U'3 & E'3 & N'3 & P'3 & Q'3).
  power (((l'2) / 2)) (u'3) (1 * ((e'3) ^ 1)) W'4.
  here exp (/ 2 * (l'2)) W'4.
  elsewhere exp W'4.
  settle; first [ ring [ Q'3] | field [ Q'3]; nonzero ].
Qed.

Print Assumptions statement.
