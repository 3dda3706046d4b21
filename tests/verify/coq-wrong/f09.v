Lemma statement :
  forall (n : Z),
  (zsum (fun i : Z => (IZR i)) (1)%Z n) = (((IZR n) * ((IZR n) - 1)) / 2).
Proof.
  intros n.
  assert (Z3 : (zsum (fun i : Z => (IZR i)) (1)%Z n) = 0 + (fun index2 : Z => (((IZR index2) * ((IZR index2) - 1)) / 2)) n).
  {
  apply (zsum_closed0 _ (fun index2 : Z => (((IZR index2) * ((IZR index2) - 1)) / 2))); [ | | in_range ].
  { in_summand; folded_powers.
  settle; first [ ring | field; nonzero ].
  }
  { intros index4 V3; in_summand; bounds_of V3.
  settle; first [ ring | field; nonzero ].
  }
  }
  rewrite Z3; clear Z3; in_summand.
  name_sums; in_summand.
  settle; first [ ring | field; nonzero ].
Qed.

Print Assumptions statement.
