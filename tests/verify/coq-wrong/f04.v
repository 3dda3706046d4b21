Lemma statement :
  forall (k : R) (d : R) (β : R) (n : Z),
  0 < k ->
  0 < β ->
  ((Rpower ((Rpower k (2 / (d - 1))) * β) (- ((d / 2) - 1))) * (IZR n)) = (((IZR n) / k) * (Rpower β (- ((d / 2) - 1)))).
Proof.
  intros k d β n.
  intros H1.
  intros H2.
  unfold Rpower.
  destruct (a_logarithm (k) ltac:(positive)) as (l1 & L1 & X1).
  logarithm (1 * ((k) ^ 1)) (l1).
  destruct (a_logarithm (β) ltac:(positive)) as (l2 & L2 & X2).
  logarithm (1 * ((β) ^ 1)) (l2).
  destruct (a_power (((l1) * 2 / (d-1)))) as (u3 & e3 & U3 & E3 & N3 & P3).
  destruct (a_power (((l2*d) / 2))) as (u4 & e4 & U4 & E4 & N4 & P4).
  power (((l1) * 2 / (d-1))) (u3) (1 * ((e3) ^ 1)).
  power (((l2*d) * (-1) / 2) + ((l2))) ((- (u4)) + l2) (1 * / ((e4) ^ 1) * ((β) ^ 1)).
  logarithm (1 * ((β) ^ 1) * ((e3) ^ 1)) ((l2*d-l2+2*l1) / (d-1)).
  destruct (a_power (((l1*d) / (d-1)))) as (u6 & e6 & U6 & E6 & N6 & P6).
  power (((l1*d) * (-1) / (d-1)) + ((l1) * 2 / (d-1)) + ((l2*d) * (-1) / 2) + ((l2))) ((- (u6)) + u3 + (- (u4)) + l2) (1 * / ((e6) ^ 1) * ((e3) ^ 1) * / ((e4) ^ 1) * ((β) ^ 1)).
  settle; first [ ring | field; nonzero ].
Qed.

Print Assumptions statement.
