Lemma statement :
  forall (y : R),
  (y - (floor y)) < (1 / 2).
Proof.
  intros y.
  pose proof (base_Int_part y) as F'1.
  change (IZR (Int_part y)) with (floor y) in F'1; destruct F'1.
  order.
Qed.

Print Assumptions statement.
