(* ---- complex numbers that differ: the denominator that a quotient by their difference has ---- *)
Lemma apart (z w : C) : z <> w -> (fst z - fst w) * (fst z - fst w) + (snd z - snd w) * (snd z - snd w) <> 0.
Proof.
  intros H E. apply H, both_parts. destruct (Rplus_sqr_eq_0 (fst z - fst w) (snd z - snd w) E). split; lra.
Qed.
Ltac apart := repeat match goal with H : ?z <> ?w |- _ => apply (apart z w) in H end; cbn [fst snd] in *.
