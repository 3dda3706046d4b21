Lemma statement :
  forall (a : R),
  (sin (3 * a)) = ((3 * (sin a)) - (3 * ((sin a) ^ 3))).
Proof.
  intros a.
  destruct (an_angle (((a)))) as (u1 & s1 & c1 & U1 & S1 & C1 & P1).
  angle (((a) * 3)) ((2 * (u1) + u1)).
  angle (((a))) (u1).
  settle; ring [ P1].
Qed.

Print Assumptions statement.
