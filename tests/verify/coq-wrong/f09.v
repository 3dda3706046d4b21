Lemma statement :
  forall (n : Z),
  (zsum (fun i : Z => (IZR i)) (1)%Z n) = (((IZR n) * ((IZR n) - 1)) / 2).
Proof.
  intros n.
  assert (Z'3 : (zsum (fun i : Z => (IZR i)) (1)%Z n) = 0 + (fun index'2 : Z => (((IZR index'2) * ((IZR index'2) - 1)) / 2)) n).
  {
  apply (zsum_closed0 _ (fun index'2 : Z => (((IZR index'2) * ((IZR index'2) - 1)) / 2))); [ | | in_range ].
  { in_summand; folded_powers.
  settle; first [ ring | field; nonzero ].
  }
  { intros index'4 V'3; in_summand; bounds_of V'3.
  settle; first [ ring | field; nonzero ].
  }
  }
  rewrite Z'3; clear Z'3; in_summand.
  name_sums; in_summand.
  settle; first [ ring | field; nonzero ].
Qed.

Print Assumptions statement.
