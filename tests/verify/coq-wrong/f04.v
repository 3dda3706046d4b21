Lemma statement :
  forall (k : R) (d : R) (β : R) (n : Z),
  0 < k ->
  0 < β ->
  ((Rpower ((Rpower k (2 / (d - 1))) * β) (- ((d / 2) - 1))) * (IZR n)) = (((IZR n) / k) * (Rpower β (- ((d / 2) - 1)))).
Proof.
  intros k d β n.
  intros H'1.
  intros H'2.
  unfold Rpower.
  destruct (a_logarithm (k) ltac:(positive)) as (l'2 & L'2 & X'2).
  logarithm (1 * ((k) ^ 1)) (l'2) W'1.
  here ln k W'1.
  elsewhere ln W'1.
  destruct (a_logarithm (β) ltac:(positive)) as (l'4 & L'4 & X'4).
  logarithm (1 * ((β) ^ 1)) (l'4) W'3.
  here ln β W'3.
  elsewhere ln W'3.
  destruct (a_power (((l'2) * 2 / (d-1)))) as (u'5 & e'5 & U'5 & E'5 & N'5 & P'5).
  destruct (a_power (((l'4*d) / 2))) as (u'6 & e'6 & U'6 & E'6 & N'6 & P'6).
  power (((l'2) * 2 / (d-1))) (u'5) (1 * ((e'5) ^ 1)) W'8.
  power (((l'4*d) * (-1) / 2) + ((l'4))) ((- (u'6)) + l'4) (1 * / ((e'6) ^ 1) * ((β) ^ 1)) W'9.
  here exp ((2 / (d - 1)) * (l'2)) W'8.
  here exp ((- ((d / 2) - 1)) * (l'4)) W'9.
  elsewhere exp W'8.
  elsewhere exp W'9.
  logarithm (1 * ((β) ^ 1) * ((e'5) ^ 1)) ((l'4*d-l'4+2*l'2) / (d-1)) W'10.
  elsewhere ln W'10.
  destruct (a_power (((l'2*d) / (d-1)))) as (u'11 & e'11 & U'11 & E'11 & N'11 & P'11).
  power (((l'2*d) * (-1) / (d-1)) + ((l'2) * 2 / (d-1)) + ((l'4*d) * (-1) / 2) + ((l'4))) ((- (u'11)) + u'5 + (- (u'6)) + l'4) (1 * / ((e'11) ^ 1) * ((e'5) ^ 1) * / ((e'6) ^ 1) * ((β) ^ 1)) W'12.
  elsewhere exp W'12.
  settle; first [ ring | field; nonzero ].
Qed.

Print Assumptions statement.
