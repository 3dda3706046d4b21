
(* ---- what an order rests on: the sizes of functions ---- *)
Lemma times_lt a b q : a < b -> 0 < q -> 0 < (b - a) * q.
Proof. intros A Q. apply Rmult_lt_0_compat; lra. Qed.
Lemma times_le a b q : a <= b -> 0 < q -> 0 <= (b - a) * q.
Proof. intros A Q. apply Rmult_le_pos; lra. Qed.
Lemma times_0 q a b : a = b -> q * (a - b) = 0.
Proof. intros ->. ring. Qed.
Lemma square_positive x : x <> 0 -> 0 < x ^ 2.
Proof. intros H. replace (x ^ 2) with (Rsqr x) by (unfold Rsqr; ring). now apply Rsqr_pos_lt. Qed.
Ltac products := first [ assumption | apply pow2_ge_0 | apply Rlt_le; assumption
  | lra | apply Rmult_lt_0_compat; products | apply Rmult_le_pos; products ].

Lemma exp_tangent a c : exp c * (1 + (a - c)) <= exp a.
Proof.
  replace (exp a) with (exp c * exp (a - c)) by (rewrite <- exp_plus; f_equal; ring).
  apply Rmult_le_compat_l; [left; apply exp_pos | apply exp_ineq1_le].
Qed.
Lemma exp_tangent_lt a c : a - c <> 0 -> exp c * (1 + (a - c)) < exp a.
Proof.
  intros H. replace (exp a) with (exp c * exp (a - c)) by (rewrite <- exp_plus; f_equal; ring).
  apply Rmult_lt_compat_l; [apply exp_pos | now apply exp_ineq1].
Qed.
Lemma exp_above a : 1 + a <= exp a. Proof. apply exp_ineq1_le. Qed.
Lemma exp_above_lt a : a <> 0 -> 1 + a < exp a. Proof. apply exp_ineq1. Qed.
Lemma exp_below c : exp c * (1 - c) <= 1.
Proof. pose proof (exp_tangent 0 c) as H. rewrite exp_0 in H. lra. Qed.
Lemma exp_below_lt c : c <> 0 -> exp c * (1 - c) < 1.
Proof. intros C. pose proof (exp_tangent_lt 0 c ltac:(lra)) as H. rewrite exp_0 in H. lra. Qed.
Lemma exp_sum a b c : a + b = c -> exp a * exp b = exp c.
Proof. intros <-. now rewrite exp_plus. Qed.
Lemma exp_inverse a b : a + b = 0 -> exp a * exp b = 1.
Proof. intros H. now rewrite <- exp_plus, H, exp_0. Qed.
Lemma exp_second x : 0 <= x -> 1 + x + x * x / 2 <= exp x.
Proof.
  intros [H | <-]; [| rewrite exp_0; lra].
  destruct (MVT_cor2 (fun t => exp t - (1 + t + t * t / 2)) (fun t => exp t - (1 + t)) 0 x H) as (c & E & _).
  - intros t _. apply derivable_pt_lim_minus; [apply derivable_pt_lim_exp|].
    replace (1 + t) with (0 + 1 + (1 * t + t * 1) * / 2) by field.
    apply derivable_pt_lim_plus; [apply derivable_pt_lim_plus; [apply derivable_pt_lim_const | apply derivable_pt_lim_id]|].
    replace ((1 * t + t * 1) * / 2) with ((1 * t + t * 1) * / 2 + t * t * 0) by ring.
    apply (derivable_pt_lim_mult (fun t => t * t) (fun _ => / 2)); [|apply derivable_pt_lim_const].
    apply (derivable_pt_lim_mult id id); apply derivable_pt_lim_id.
  - cbv beta in E. rewrite exp_0 in E. pose proof (exp_ineq1_le c).
    assert (0 <= (exp c - (1 + c)) * (x - 0)) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma ln_tangent a b : 0 < a -> 0 < b -> b * (ln a - ln b) <= a - b.
Proof.
  intros A B. pose proof (exp_tangent (ln a) (ln b)) as H. rewrite (exp_ln a A), (exp_ln b B) in H. lra.
Qed.
Lemma ln_below a : 0 < a -> ln a <= a - 1.
Proof. intros A. pose proof (ln_tangent a 1 A Rlt_0_1) as H. rewrite ln_1 in H. lra. Qed.
Lemma ln_above a : 0 < a -> a - 1 <= a * ln a.
Proof. intros A. pose proof (ln_tangent 1 a Rlt_0_1 A) as H. rewrite ln_1 in H. lra. Qed.
Lemma exp_over_ln w u : 0 < u -> u * (1 + (w - ln u)) <= exp w.
Proof. intros U. pose proof (exp_tangent w (ln u)) as H. now rewrite (exp_ln u U) in H. Qed.
Lemma ln_under_exp w u : 0 < u -> exp w * (1 + (ln u - w)) <= u.
Proof. intros U. pose proof (exp_tangent (ln u) w) as H. now rewrite (exp_ln u U) in H. Qed.

Lemma pi_bounds : 3 < PI <= 4.
Proof. split; [pose proof PI2_3_2; lra | apply PI_4]. Qed.
Lemma sin_upto u : 0 <= u -> sin u <= u.
Proof. intros [H | <-]; [left; now apply sin_lt_x | rewrite sin_0; lra]. Qed.
Lemma sin_from u : u <= 0 -> u <= sin u.
Proof. intros H. pose proof (sin_upto (- u)) as K. rewrite sin_neg in K. lra. Qed.
Lemma sin_above u : u < 0 -> u < sin u.
Proof. intros H. pose proof (sin_lt_x (- u)) as K. rewrite sin_neg in K. lra. Qed.
Lemma sin_above_minus u : 0 <= u -> - u <= sin u.
Proof.
  intros H. destruct (Rle_or_lt u 1) as [L | L].
  - pose proof (sin_ge_0 u H) as K. pose proof pi_bounds. lra.
  - pose proof (SIN_bound u). lra.
Qed.
Lemma sin_square u : sin u ^ 2 <= u ^ 2.
Proof.
  destruct (Rle_or_lt 0 u) as [H | H].
  - pose proof (sin_upto u H). pose proof (sin_above_minus u H).
    assert (0 <= (u - sin u) * (u + sin u)) by (apply Rmult_le_pos; lra). lra.
  - pose proof (sin_from u ltac:(lra)). pose proof (sin_above_minus (- u) ltac:(lra)) as K. rewrite sin_neg in K.
    assert (0 <= (sin u - u) * (- u - sin u)) by (apply Rmult_le_pos; lra). lra.
Qed.
Lemma sin_square_lt u : u <> 0 -> sin u ^ 2 < u ^ 2.
Proof.
  intros N. destruct (Rle_or_lt 0 u) as [H | H].
  - pose proof (sin_lt_x u ltac:(lra)). pose proof (sin_above_minus u H).
    assert (0 < u + sin u). { destruct (Rle_or_lt u 1); [pose proof (sin_ge_0 u H); pose proof pi_bounds; lra | pose proof (SIN_bound u); lra]. }
    assert (0 < (u - sin u) * (u + sin u)) by (apply Rmult_lt_0_compat; lra). lra.
  - pose proof (sin_above u H). pose proof (sin_above_minus (- u) ltac:(lra)) as K. rewrite sin_neg in K.
    assert (0 < - u - sin u). { pose proof (sin_ge_0 (- u)) as L. rewrite sin_neg in L.
      destruct (Rle_or_lt (- u) 1); [pose proof pi_bounds; lra | pose proof (SIN_bound u); lra]. }
    assert (0 < (sin u - u) * (- u - sin u)) by (apply Rmult_lt_0_compat; lra). lra.
Qed.
Lemma sin_positive u : 0 < u -> 0 < PI - u -> 0 < sin u.
Proof. intros A B. apply sin_gt_0; lra. Qed.
Lemma sin_not_negative u : 0 <= u -> 0 <= PI - u -> 0 <= sin u.
Proof. intros A B. apply sin_ge_0; lra. Qed.
Lemma cos_not_negative u : 0 <= u + PI / 2 -> 0 <= PI / 2 - u -> 0 <= cos u.
Proof. intros A B. apply cos_ge_0; lra. Qed.
Lemma cos_positive u : 0 < u + PI / 2 -> 0 < PI / 2 - u -> 0 < cos u.
Proof. intros A B. apply cos_gt_0; lra. Qed.
Lemma cos_half u : cos u = 1 - 2 * sin (u / 2) ^ 2.
Proof. replace u with (2 * (u / 2)) at 1 by field. rewrite cos_2a_sin. ring. Qed.
Lemma cos_above u : 1 - u ^ 2 / 2 <= cos u.
Proof. rewrite cos_half. pose proof (sin_square (u / 2)). lra. Qed.
Lemma cos_above_lt u : u <> 0 -> 1 - u ^ 2 / 2 < cos u.
Proof. intros H. rewrite cos_half. pose proof (sin_square_lt (u / 2) ltac:(lra)). lra. Qed.
Lemma squares_are_one u : sin u ^ 2 + cos u ^ 2 = 1.
Proof. pose proof (sin2_cos2 u) as H. unfold Rsqr in H. lra. Qed.
Lemma sin_multiple_nat (n : nat) x : Rabs (sin (INR n * x)) <= INR n * Rabs (sin x).
Proof.
  induction n; [simpl; rewrite Rmult_0_l, sin_0, Rabs_R0; lra|].
  rewrite S_INR. replace ((INR n + 1) * x) with (INR n * x + x) by ring. rewrite sin_plus.
  eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_mult.
  assert (A : Rabs (cos x) <= 1) by (apply Rabs_le; apply COS_bound).
  assert (B : Rabs (cos (INR n * x)) <= 1) by (apply Rabs_le; apply COS_bound).
  pose proof (Rabs_pos (sin x)). pose proof (Rabs_pos (sin (INR n * x))).
  assert (Rabs (sin (INR n * x)) * Rabs (cos x) <= Rabs (sin (INR n * x)) * 1) by (apply Rmult_le_compat_l; lra).
  assert (Rabs (cos (INR n * x)) * Rabs (sin x) <= 1 * Rabs (sin x)) by (apply Rmult_le_compat_r; lra). lra.
Qed.
Lemma sin_multiple z k x u : k = IZR z -> u = k * x -> sin u ^ 2 <= k ^ 2 * sin x ^ 2.
Proof.
  intros -> ->. assert (N : forall n : nat, sin (INR n * x) ^ 2 <= INR n ^ 2 * sin x ^ 2).
  { intros n. rewrite <- (pow2_abs (sin (INR n * x))), <- (pow2_abs (sin x)).
    pose proof (sin_multiple_nat n x) as H. pose proof (Rabs_pos (sin (INR n * x))). pose proof (pos_INR n). pose proof (Rabs_pos (sin x)).
    rewrite <- Rpow_mult_distr. apply pow_incr. lra. }
  destruct (Z_le_gt_dec 0 z) as [H | H].
  - pose proof (N (Z.to_nat z)) as K. now rewrite INR_IZR_INZ, Z2Nat.id in K by exact H.
  - pose proof (N (Z.to_nat (- z))) as K. rewrite INR_IZR_INZ, Z2Nat.id, opp_IZR in K by lia.
    replace (- IZR z * x) with (- (IZR z * x)) in K by ring. rewrite sin_neg in K.
    replace ((- sin (IZR z * x)) ^ 2) with (sin (IZR z * x) ^ 2) in K by ring.
    replace ((- IZR z) ^ 2) with (IZR z ^ 2) in K by ring. exact K.
Qed.

Lemma bernoulli_nat b (n : nat) : 0 <= b -> 1 + (b - 1) * INR n <= b ^ n.
Proof.
  intros B. induction n; [simpl; lra|]. rewrite S_INR. simpl pow.
  assert (b * (1 + (b - 1) * INR n) <= b * b ^ n) by (apply Rmult_le_compat_l; lra).
  assert (0 <= (b - 1) ^ 2 * INR n) by (apply Rmult_le_pos; [apply pow2_ge_0 | apply pos_INR]). lra.
Qed.
Lemma whole_power b z : (0 <= z)%Z -> powerRZ b z = b ^ Z.to_nat z.
Proof. intros H. destruct z as [|p|p]; [reflexivity | reflexivity | lia]. Qed.
Lemma bernoulli b z : 0 <= b -> (1 <= z)%Z -> 1 + (b - 1) * IZR z <= powerRZ b z.
Proof.
  intros B Z. rewrite whole_power by lia. pose proof (bernoulli_nat b (Z.to_nat z) B) as H.
  rewrite INR_IZR_INZ, Z2Nat.id in H by lia. exact H.
Qed.
Lemma bernoulli_next b z : 0 <= b -> (1 <= z)%Z -> b * (1 + (b - 1) * (IZR z - 1)) <= powerRZ b z.
Proof.
  intros B Z. rewrite whole_power by lia. destruct (Z.to_nat z) as [|n] eqn:E; [lia|].
  assert (K : IZR z - 1 = INR n). { rewrite INR_IZR_INZ, <- minus_IZR. f_equal. lia. }
  rewrite K. simpl pow. apply Rmult_le_compat_l; [lra|]. now apply bernoulli_nat.
Qed.
Lemma power_is_whole b z : 0 < b -> Rpower b (IZR z) = powerRZ b z.
Proof. intros B. now rewrite powerRZ_Rpower. Qed.
Lemma power_above b z : 0 < b -> (1 <= z)%Z -> 1 + (b - 1) * IZR z <= Rpower b (IZR z).
Proof. intros B Z. rewrite power_is_whole by exact B. apply bernoulli; [lra | exact Z]. Qed.
Lemma power_above_next b z : 0 < b -> (1 <= z)%Z -> b * (1 + (b - 1) * (IZR z - 1)) <= Rpower b (IZR z).
Proof. intros B Z. rewrite power_is_whole by exact B. apply bernoulli_next; [lra | exact Z]. Qed.
Lemma whole_power_not_negative b z : 0 <= b -> (1 <= z)%Z -> 0 <= powerRZ b z.
Proof. intros B Z. rewrite whole_power by lia. now apply pow_le. Qed.
Lemma power_positive b v : 0 < Rpower b v. Proof. apply exp_pos. Qed.
Lemma power_in_base a b v : 0 < v -> 0 < a -> 0 < b - a -> Rpower a v < Rpower b v.
Proof. intros V A B. apply Rlt_Rpower_l; lra. Qed.

Lemma floor_below u : floor u <= u. Proof. unfold floor. pose proof (base_Int_part u). lra. Qed.
Lemma floor_above u : u - 1 < floor u. Proof. unfold floor. pose proof (base_Int_part u). lra. Qed.
Lemma whole_remainder m n : 0 < IZR n -> IZR m - IZR n * floor (IZR m / IZR n) <= IZR n - 1.
Proof.
  intros N. pose proof (floor_above (IZR m / IZR n)) as H. unfold floor in *. set (k := Int_part (IZR m / IZR n)) in *.
  assert (K : IZR m - IZR n < IZR n * IZR k).
  { replace (IZR m - IZR n) with (IZR n * (IZR m / IZR n - 1)) by (field; lra). now apply Rmult_lt_compat_l. }
  rewrite <- mult_IZR, <- !minus_IZR in *. apply lt_IZR in K. apply IZR_le. lia.
Qed.
Lemma whole_square z : IZR z <= IZR z ^ 2 /\ - IZR z <= IZR z ^ 2.
Proof.
  replace (IZR z ^ 2) with (IZR (z * z)) by (rewrite mult_IZR; ring). rewrite <- opp_IZR. split; apply IZR_le; nia.
Qed.
Lemma whole_fourth z : IZR z ^ 2 <= IZR z ^ 4.
Proof. replace (IZR z ^ 4) with (IZR (z * z) ^ 2) by (rewrite mult_IZR; ring). pose proof (whole_square (z * z)) as H. rewrite mult_IZR in H at 1. lra. Qed.

Lemma abs_cases u : (0 <= u /\ Rabs u = u) \/ (0 <= - u /\ Rabs u = - u).
Proof. destruct (Rle_or_lt 0 u); [left | right]; split; try lra; [apply Rabs_pos_eq | apply Rabs_left]; lra. Qed.
Lemma abs_bounds u : u <= Rabs u /\ - u <= Rabs u.
Proof. split; [apply Rle_abs | rewrite <- Rabs_Ropp; apply Rle_abs]. Qed.
Lemma abs_square u : Rabs u ^ 2 = u ^ 2. Proof. apply pow2_abs. Qed.
Lemma root_square u : 0 <= u -> sqrt u ^ 2 = u. Proof. apply pow2_sqrt. Qed.
Lemma root_positive u : 0 < u -> 0 < sqrt u. Proof. apply sqrt_lt_R0. Qed.
Lemma max_cases a b : (0 <= a - b /\ Rmax a b = a) \/ (0 <= b - a /\ Rmax a b = b).
Proof. destruct (Rle_or_lt a b); [right | left]; split; try lra; [apply Rmax_right | apply Rmax_left]; lra. Qed.
Lemma min_cases a b : (0 <= b - a /\ Rmin a b = a) \/ (0 <= a - b /\ Rmin a b = b).
Proof. destruct (Rle_or_lt a b); [left | right]; split; try lra; [apply Rmin_left | apply Rmin_right]; lra. Qed.
Lemma tanh_bounds x : -1 < tanh x < 1.
Proof.
  unfold tanh, sinh, cosh. pose proof (exp_pos x). pose proof (exp_pos (- x)).
  split; apply Rminus_gt_0_lt; [replace (_ - _) with (2 * exp x / (exp x + exp (- x))) by (field; lra)
  | replace (_ - _) with (2 * exp (- x) / (exp x + exp (- x))) by (field; lra)];
  apply Rdiv_lt_0_compat; lra.
Qed.
Lemma cosh_above x : 1 <= cosh x.
Proof. unfold cosh. pose proof (exp_ineq1_le x). pose proof (exp_ineq1_le (- x)). lra. Qed.
Lemma atan_between x : - PI / 2 < atan x < PI / 2. Proof. apply atan_bound. Qed.
Lemma sign_bounds x : -1 <= sgn x <= 1.
Proof. unfold sgn. destruct (Rlt_dec 0 x); [lra|]. destruct (Rlt_dec x 0); lra. Qed.
Lemma sign_times x : x * sgn x = Rabs x.
Proof.
  unfold sgn. destruct (Rlt_dec 0 x) as [P|P]; [rewrite Rabs_pos_eq; lra|].
  destruct (Rlt_dec x 0) as [N|N]; [rewrite Rabs_left; lra | replace x with 0 by lra; rewrite Rabs_R0; lra].
Qed.
Lemma sign_not_negative x : 0 <= x * sgn x.
Proof. rewrite sign_times. apply Rabs_pos. Qed.

