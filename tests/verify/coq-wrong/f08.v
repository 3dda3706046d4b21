Lemma statement :
  forall (z : C),
  (fst (Cmul z (Cconj z))) = ((fst z) ^ 2).
Proof.
  intros z.
  pairs; cbn [fst snd].
  settle; ring.
Qed.

Print Assumptions statement.
