Lemma statement :
  forall (a : R) (b : R),
  (cos (a + b)) = (((cos a) * (cos b)) + ((sin a) * (sin b))).
Proof.
  intros a b.
  destruct (an_angle (((b)))) as (u1 & s1 & c1 & U1 & S1 & C1 & P1).
  destruct (an_angle (((a)))) as (u2 & s2 & c2 & U2 & S2 & C2 & P2).
  angle (((b)) + ((a))) (u1 + u2).
  angle (((a))) (u2).
  angle (((b))) (u1).
  settle; ring [ P1 P2].
Qed.

Print Assumptions statement.
