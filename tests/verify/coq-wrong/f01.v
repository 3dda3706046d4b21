Lemma statement :
  forall (a : R) (b : R),
  (sin (a + b)) = (((sin a) * (cos b)) - ((cos a) * (sin b))).
Proof.
  intros a b.
  destruct (an_angle (((b)))) as (u'1 & s'1 & c'1 & U'1 & S'1 & C'1 & P'1).
  destruct (an_angle (((a)))) as (u'2 & s'2 & c'2 & U'2 & S'2 & C'2 & P'2).
  angle (((b)) + ((a))) (u'1 + u'2) S'3 C'3.
  angle (((a))) (u'2) S'4 C'4.
  angle (((b))) (u'1) S'5 C'5.
  here sin (a + b) S'3; here cos (a + b) C'3.
  here sin a S'4; here cos a C'4.
  here sin b S'5; here cos b C'5.
  here sin a S'4; here cos a C'4.
  here sin b S'5; here cos b C'5.
  elsewhere sin S'3; elsewhere cos C'3.
  elsewhere sin S'4; elsewhere cos C'4.
  elsewhere sin S'5; elsewhere cos C'5.
  settle; ring [ P'1 P'2].
Qed.

Print Assumptions statement.
