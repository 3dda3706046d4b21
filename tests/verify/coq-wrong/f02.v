Lemma statement :
  forall (a : R),
  (sin (3 * a)) = ((3 * (sin a)) - (3 * ((sin a) ^ 3))).
Proof.
  intros a.
  destruct (an_angle (((a)))) as (u'1 & s'1 & c'1 & U'1 & S'1 & C'1 & P'1).
  angle (((a) * 3)) ((2 * (u'1) + u'1)) S'2 C'2.
  angle (((a))) (u'1) S'3 C'3.
  here sin (3 * a) S'2; here cos (3 * a) C'2.
  here sin a S'3; here cos a C'3.
  elsewhere sin S'2; elsewhere cos C'2.
  elsewhere sin S'3; elsewhere cos C'3.
  settle; ring [ P'1].
Qed.

Print Assumptions statement.
