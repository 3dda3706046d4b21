Require Import Reals ZArith Lra Lia.
Open Scope R_scope.

(* ---- what a statement may use ---- *)
Fixpoint nsum (f : Z -> R) (lo : Z) (n : nat) : R :=
  match n with O => 0 | S k => nsum f lo k + f (lo + Z.of_nat k)%Z end.
Definition zsum (f : Z -> R) (lo hi : Z) : R := nsum f lo (Z.to_nat (hi - lo + 1)).

Definition floor (x : R) : R := IZR (Int_part x).
Definition sgn (x : R) : R := if Rlt_dec 0 x then 1 else if Rlt_dec x 0 then -1 else 0.
Definition C : Type := (R * R)%type.
Definition RtoC (x : R) : C := (x, 0).
Definition Ci_unit : C := (0, 1).
Definition Cadd (z w : C) : C := (fst z + fst w, snd z + snd w).
Definition Csub (z w : C) : C := (fst z - fst w, snd z - snd w).
Definition Cneg (z : C) : C := (- fst z, - snd z).
Definition Cmul (z w : C) : C := (fst z * fst w - snd z * snd w, fst z * snd w + snd z * fst w).
Definition Cinv (z : C) : C := (fst z / (fst z * fst z + snd z * snd z), - snd z / (fst z * fst z + snd z * snd z)).
Definition Cdiv (z w : C) : C := Cmul z (Cinv w).
Definition Cconj (z : C) : C := (fst z, - snd z).
Definition Cexp (z : C) : C := (exp (fst z) * cos (snd z), exp (fst z) * sin (snd z)).
Definition Cabs (z : C) : R := sqrt (fst z * fst z + snd z * snd z).
Fixpoint Cpow (z : C) (n : nat) : C := match n with O => (1, 0) | S k => Cmul z (Cpow z k) end.
Lemma both_parts (z w : C) : fst z = fst w /\ snd z = snd w -> z = w.
Proof. destruct z, w; simpl. intros [-> ->]. reflexivity. Qed.
Ltac pairs := unfold Cdiv, Cinv, Cconj, Cexp, Cabs, Cadd, Csub, Cmul, Cneg, RtoC, Ci_unit in *; cbn [Cpow]; unfold Cmul.

Lemma nsum_cons f lo n : nsum f lo (S n) = f lo + nsum f (lo + 1) n.
Proof.
  induction n; [simpl; replace (lo + 0)%Z with lo by lia; ring|].
  change (nsum f lo (S (S n))) with (nsum f lo (S n) + f (lo + Z.of_nat (S n))%Z). rewrite IHn.
  simpl nsum. rewrite Nat2Z.inj_succ. replace (lo + Z.succ (Z.of_nat n))%Z with (lo + 1 + Z.of_nat n)%Z by lia. ring.
Qed.
Lemma zsum_slide f lo hi lo' hi' : (lo' = lo + 1)%Z -> (hi' = hi + 1)%Z -> (lo - 1 <= hi)%Z ->
  zsum f lo' hi' = zsum f lo hi + f hi' - f lo.
Proof.
  intros -> -> H. unfold zsum. replace (hi + 1 - (lo + 1) + 1)%Z with (hi - lo + 1)%Z by lia.
  pose proof (nsum_cons f lo (Z.to_nat (hi - lo + 1))) as K. simpl nsum in K.
  replace (lo + Z.of_nat (Z.to_nat (hi - lo + 1)))%Z with (hi + 1)%Z in K by lia. lra.
Qed.
Lemma zsum_ext f g lo hi : (forall i, (lo <= i <= hi)%Z -> f i = g i) -> zsum f lo hi = zsum g lo hi.
Proof.
  unfold zsum. intros H.
  assert (K : forall n, (n <= Z.to_nat (hi - lo + 1))%nat -> nsum f lo n = nsum g lo n).
  { induction n; intros L; simpl; [reflexivity|]. rewrite IHn by lia. rewrite H by lia. reflexivity. }
  now apply K.
Qed.
Lemma zsum_0 lo hi : zsum (fun _ => 0) lo hi = 0.
Proof. unfold zsum. induction (Z.to_nat (hi - lo + 1)); simpl; [reflexivity | rewrite IHn; ring]. Qed.
Lemma zsum_plus f g lo hi : zsum (fun i => f i + g i) lo hi = zsum f lo hi + zsum g lo hi.
Proof. unfold zsum. induction (Z.to_nat (hi - lo + 1)); simpl; [ring|rewrite IHn; ring]. Qed.
Lemma zsum_scale c f lo hi : zsum (fun i => c * f i) lo hi = c * zsum f lo hi.
Proof. unfold zsum. induction (Z.to_nat (hi - lo + 1)); simpl; [ring|rewrite IHn; ring]. Qed.
Lemma zsum_closed0 f F lo hi : F (lo - 1)%Z = 0 -> (forall v, (lo <= v <= hi)%Z -> F (v - 1)%Z + f v = F v) ->
  (lo - 1 <= hi)%Z -> zsum f lo hi = 0 + F hi.
Proof.
  intros B S H.
  assert (K : forall n, (Z.of_nat n <= hi - lo + 1)%Z -> nsum f lo n = F (lo - 1 + Z.of_nat n)%Z).
  { induction n; intros L; simpl nsum.
    - rewrite <- B. f_equal. lia.
    - rewrite IHn by lia. rewrite <- (S (lo - 1 + Z.of_nat (Datatypes.S n))%Z) by lia.
      f_equal; f_equal; lia. }
  unfold zsum. rewrite K by lia. rewrite Rplus_0_l. f_equal. lia.
Qed.
Lemma zsum_closed1 f F a g lo hi : F (lo - 1)%Z = 0 ->
  (forall v, (lo <= v <= hi)%Z -> F (v - 1)%Z + (f v - a * g v) = F v) -> (lo - 1 <= hi)%Z ->
  zsum f lo hi = 0 + a * zsum g lo hi + F hi.
Proof.
  intros B S H. pose proof (zsum_closed0 (fun v => f v + (- a) * g v) F lo hi B) as K. cbv beta in K.
  rewrite zsum_plus, zsum_scale in K. rewrite <- (Rplus_0_l (F hi)), <- K by
    (try assumption; intros v V; rewrite <- (S v V); ring). ring.
Qed.
Lemma zsum_closed2 f F a g b h lo hi : F (lo - 1)%Z = 0 ->
  (forall v, (lo <= v <= hi)%Z -> F (v - 1)%Z + (f v - a * g v - b * h v) = F v) -> (lo - 1 <= hi)%Z ->
  zsum f lo hi = 0 + a * zsum g lo hi + b * zsum h lo hi + F hi.
Proof.
  intros B S H. pose proof (zsum_closed1 (fun v => f v + (- a) * g v) F b h lo hi B) as K. cbv beta in K.
  rewrite zsum_plus, zsum_scale in K. assert (K' := K ltac:(intros v V; rewrite <- (S v V); ring) H). lra.
Qed.
Lemma zsum_same0 f lo hi : (forall v, (lo <= v <= hi)%Z -> f v = 0) -> zsum f lo hi = 0.
Proof. intros S. rewrite <- (zsum_0 lo hi). now apply zsum_ext. Qed.
Lemma zsum_same1 f a g lo hi : (forall v, (lo <= v <= hi)%Z -> f v = a * g v) -> zsum f lo hi = 0 + a * zsum g lo hi.
Proof. intros S. rewrite <- zsum_scale, Rplus_0_l. now apply zsum_ext. Qed.
Lemma zsum_same2 f a g b h lo hi : (forall v, (lo <= v <= hi)%Z -> f v = a * g v + b * h v) ->
  zsum f lo hi = 0 + a * zsum g lo hi + b * zsum h lo hi.
Proof. intros S. rewrite <- !zsum_scale, Rplus_0_l, <- zsum_plus. now apply zsum_ext. Qed.
Lemma zsum_same3 f a g b h c k lo hi : (forall v, (lo <= v <= hi)%Z -> f v = a * g v + b * h v + c * k v) ->
  zsum f lo hi = 0 + a * zsum g lo hi + b * zsum h lo hi + c * zsum k lo hi.
Proof. intros S. rewrite <- !zsum_scale, Rplus_0_l, <- !zsum_plus. now apply zsum_ext. Qed.

(* ---- signs ---- *)
Lemma positive_times_negative a b : 0 < a -> b < 0 -> a * b < 0.
Proof. intros A B. rewrite <- (Rmult_0_r a). now apply Rmult_lt_compat_l. Qed.
Lemma negative_times_positive a b : a < 0 -> 0 < b -> a * b < 0.
Proof. intros A B. rewrite Rmult_comm. now apply positive_times_negative. Qed.
Lemma negative_times_negative a b : a < 0 -> b < 0 -> 0 < a * b.
Proof. intros A B. replace (a * b) with (- a * - b) by ring. apply Rmult_lt_0_compat; lra. Qed.
Lemma natural_positive n : (1 <= n)%Z -> 1 <= IZR n.
Proof. intros H. now apply (IZR_le 1 n). Qed.
Ltac naturals := match goal with H : (1 <= ?n)%Z |- _ =>
  lazymatch goal with _ : 1 <= IZR n |- _ => fail | _ => pose proof (natural_positive n H) end end.
Ltac positive :=
  lazymatch goal with
  | |- 0 < exp _ => apply exp_pos
  | |- 0 < Rpower _ _ => apply exp_pos
  | |- 0 < PI => apply PI_RGT_0
  | |- 0 < _ + _ => first [ assumption | lra | apply Rplus_lt_0_compat; positive
       | apply Rplus_le_lt_0_compat; [not_negative | positive] | apply Rplus_lt_le_0_compat; [positive | not_negative] ]
  | |- 0 < _ * _ => first [ assumption | apply Rmult_lt_0_compat; positive | apply negative_times_negative; negative | lra ]
  | |- 0 < _ / _ => first [ assumption | unfold Rdiv; positive ]
  | |- 0 < / _ => apply Rinv_0_lt_compat; positive
  | |- 0 < _ ^ _ => apply pow_lt; positive
  | |- 0 < sqrt _ => apply sqrt_lt_R0; positive
  | |- 0 < - _ => apply Ropp_0_gt_lt_contravar; negative
  | |- _ => first [ assumption | lra | match goal with H : forall i : Z, 0 < ?a i |- 0 < ?a _ => apply H end ]
  end
with negative :=
  lazymatch goal with
  | |- _ * _ < 0 => first [ assumption | apply positive_times_negative; [positive | negative]
       | apply negative_times_positive; [negative | positive] | lra ]
  | |- _ / _ < 0 => unfold Rdiv; negative
  | |- - _ < 0 => apply Ropp_lt_gt_0_contravar; positive
  | |- _ => first [ assumption | lra ]
  end
with not_negative :=
  first [ assumption | lra | apply Rlt_le; positive | apply Rle_0_sqr | apply pow2_ge_0 | apply sqrt_pos | apply Rabs_pos
        | apply Rplus_le_le_0_compat; not_negative | apply Rmult_le_pos; not_negative | nra ].
Ltac bounds := repeat match goal with
  | |- context [cos ?x] => lazymatch goal with _ : -1 <= cos x <= 1 |- _ => fail | _ => pose proof (COS_bound x) end
  | |- context [sin ?x] => lazymatch goal with _ : -1 <= sin x <= 1 |- _ => fail | _ => pose proof (SIN_bound x) end
  end.
Ltac order := intros; try apply Rle_ge; unfold Rgt; first
  [ lra | positive | negative | not_negative
  | apply Rminus_gt_0_lt; positive
  | bounds; first [ lra | nra ] | nra ].

(* ---- what field leaves: denominators that are not 0 ---- *)
Ltac nonzero :=
  intros;
  lazymatch goal with
  | |- _ /\ _ => split; nonzero
  | |- _ <> 0 =>
    first [ assumption | lra | apply Rgt_not_eq; unfold Rgt; positive
          | apply Rmult_integral_contrapositive_currified; nonzero
          | apply pow_nonzero; nonzero
          | match goal with H : ?e <> 0 |- ?g <> 0 => let E := fresh in intro E; apply H; rewrite <- E; ring end
          | match goal with H : ?e <> 0 |- ?g <> 0 => let E := fresh in intro E; apply H; lra end
          | match goal with H : ?e <> 0 |- ?g <> 0 => let E := fresh in intro E; apply H; nra end ]
  | |- True => exact I
  | |- _ => idtac
  end.
Ltac same := cbn [Z.of_nat Pos.of_succ_nat Pos.succ]; first [ reflexivity | ring | field; nonzero ].

(* ---- units: what angles and exponents are sums of ---- *)
Definition unit (u x : R) := u = x.
Lemma an_angle x : exists u s c, unit u x /\ sin u = s /\ cos u = c /\ s * s = 1 - c * c.
Proof.
  exists x, (sin x), (cos x). repeat split. pose proof (sin2_cos2 x) as H. unfold Rsqr in H. lra.
Qed.
Lemma a_power x : exists u e, unit u x /\ exp u = e /\ ln e = u /\ 0 < e.
Proof. exists x, (exp x). repeat split. apply ln_exp. apply exp_pos. Qed.
Lemma a_logarithm p : 0 < p -> exists l, ln p = l /\ exp l = p.
Proof. intros H. exists (ln p). split; [reflexivity | now apply exp_ln]. Qed.
Lemma exp_double x : exp (2 * x) = exp x * exp x.
Proof. rewrite <- exp_plus. f_equal. ring. Qed.
Lemma ln_power p n : 0 < p -> ln (p ^ n) = IZR (Z.of_nat n) * ln p.
Proof. intros H. rewrite ln_pow by exact H. now rewrite INR_IZR_INZ. Qed.
Lemma sqrt_is_exp x : 0 < x -> sqrt x = exp (/ 2 * ln x).
Proof. intros H. now rewrite <- Rpower_sqrt. Qed.
Lemma a_root (n : nat) u l p : exp l = p -> u * IZR (Z.of_nat n) = l ->
  exists v e, unit v u /\ exp v = e /\ ln e = v /\ 0 < e /\ e ^ n = p.
Proof.
  intros H U. exists u, (exp u). repeat split; [apply ln_exp | apply exp_pos |].
  rewrite <- H, <- U. clear. induction n; simpl pow.
  - simpl. rewrite Rmult_0_r. now rewrite exp_0.
  - rewrite IHn, <- exp_plus. f_equal. rewrite Nat2Z.inj_succ, succ_IZR. ring.
Qed.
Lemma root_is x (e : R) (n : nat) : 0 < e -> e ^ (n * 2) = x -> sqrt x = e ^ n.
Proof. intros P <-. rewrite pow_mult. apply sqrt_pow2, pow_le. lra. Qed.
Lemma a_square_root x : 0 <= x -> exists r, sqrt x = r /\ r * r = x /\ 0 <= r.
Proof. intros H. exists (sqrt x). repeat split. now apply sqrt_sqrt. apply sqrt_pos. Qed.
Lemma an_abs x : exists a, Rabs x = a /\ a * a = x * x /\ 0 <= a.
Proof.
  exists (Rabs x). repeat split; [| apply Rabs_pos]. rewrite <- Rabs_mult. apply Rabs_right. apply Rle_ge, Rle_0_sqr.
Qed.
Lemma a_value (x : R) : exists a, x = a. Proof. now exists x. Qed.
Lemma sin_whole z : sin (IZR z * PI) = 0.
Proof. apply sin_eq_0_1. now exists z. Qed.
Lemma a_turn x z : x = 2 * PI * IZR z -> exists u s c, unit u x /\ sin u = s /\ cos u = c /\ s = 0 /\ c = 1.
Proof.
  intros ->. exists (2 * PI * IZR z), 0, 1. repeat split.
  - replace (2 * PI * IZR z) with (2 * (IZR z * PI)) by ring. rewrite sin_2a, sin_whole. ring.
  - replace (2 * PI * IZR z) with (2 * (IZR z * PI)) by ring. rewrite cos_2a_sin, sin_whole. ring.
Qed.
Lemma pi_1 x : x = PI -> exists u s c, unit u x /\ sin u = s /\ cos u = c /\ s = 0 /\ c = -1.
Proof. intros ->. exists PI, 0, (-1). repeat split. apply sin_PI. apply cos_PI. Qed.
Lemma pi_2 x : x = PI / 2 -> exists u s c, unit u x /\ sin u = s /\ cos u = c /\ s = 1 /\ c = 0.
Proof. intros ->. exists (PI / 2), 1, 0. repeat split. apply sin_PI2. apply cos_PI2. Qed.
Lemma pi_3 x : x = PI / 3 -> exists u s c, unit u x /\ sin u = s /\ cos u = c /\ s = sqrt 3 / 2 /\ c = 1 / 2.
Proof. intros ->. do 3 eexists. repeat split. apply sin_PI3. apply cos_PI3. Qed.
Lemma pi_6 x : x = PI / 6 -> exists u s c, unit u x /\ sin u = s /\ cos u = c /\ s = 1 / 2 /\ c = sqrt 3 / 2.
Proof. intros ->. do 3 eexists. repeat split. apply sin_PI6. apply cos_PI6. Qed.
Lemma root_2 : sqrt 2 * sqrt 2 = 2. Proof. apply sqrt_sqrt. lra. Qed.
Lemma root_3 : sqrt 3 * sqrt 3 = 3. Proof. apply sqrt_sqrt. lra. Qed.
Lemma pi_4 x : x = PI / 4 -> exists u s c, unit u x /\ sin u = s /\ cos u = c /\ s = sqrt 2 / 2 /\ c = sqrt 2 / 2.
Proof.
  intros ->. do 3 eexists. repeat split; [rewrite sin_PI4 | rewrite cos_PI4]; pose proof root_2; pose proof sqrt2_neq_0;
  field_simplify_eq; try assumption; nra.
Qed.
Ltac known P Q := repeat match type of P with ?s = _ => subst s end; try match type of Q with ?c = _ => subst c end.
Lemma parity_add a b : powerRZ (-1) (a + b) = powerRZ (-1) a * powerRZ (-1) b.
Proof. apply powerRZ_add. lra. Qed.
Lemma parity_opp a : powerRZ (-1) (- a) = powerRZ (-1) a.
Proof. destruct a as [|p|p]; simpl; try reflexivity; rewrite <- (Rmult_1_l (/ _));
  [|rewrite <- (Rmult_1_l (_ ^ _))]; assert (H : (-1) ^ Pos.to_nat p * (-1) ^ Pos.to_nat p = 1)
  by (rewrite <- Rpow_mult_distr; replace (-1 * -1) with 1 by ring; apply pow1);
  assert (K : (-1) ^ Pos.to_nat p <> 0) by (apply pow_nonzero; lra);
  apply (Rmult_eq_reg_l ((-1) ^ Pos.to_nat p)); try assumption; field_simplify; try assumption; lra. Qed.
Lemma parity_sub a b : powerRZ (-1) (a - b) = powerRZ (-1) a * powerRZ (-1) b.
Proof. unfold Z.sub. now rewrite parity_add, parity_opp. Qed.
Lemma parity_1 : powerRZ (-1) 1 = -1. Proof. simpl. ring. Qed.
Lemma a_parity z : exists p, powerRZ (-1) z = p /\ p * p = 1.
Proof.
  exists (powerRZ (-1) z). split; [reflexivity|]. rewrite <- (parity_opp z) at 2. rewrite <- parity_add.
  now rewrite Z.add_opp_diag_r.
Qed.
Lemma cos_whole z : cos (IZR z * PI) = powerRZ (-1) z.
Proof.
  assert (N : forall n : nat, cos (INR n * PI) = (-1) ^ n).
  { induction n; [simpl; rewrite Rmult_0_l; apply cos_0|]. rewrite S_INR.
    replace ((INR n + 1) * PI) with (INR n * PI + PI) by ring. rewrite neg_cos, IHn. simpl. ring. }
  destruct z as [|p|p].
  - simpl. rewrite Rmult_0_l. apply cos_0.
  - rewrite <- (positive_nat_Z p), <- INR_IZR_INZ, N, positive_nat_Z. reflexivity.
  - change (Z.neg p) with (- Z.pos p)%Z. rewrite parity_opp, opp_IZR, <- cos_neg.
    replace (- (- IZR (Z.pos p) * PI)) with (IZR (Z.pos p) * PI) by ring.
    rewrite <- (positive_nat_Z p), <- INR_IZR_INZ, N, positive_nat_Z. reflexivity.
Qed.
Lemma a_half_turn x z : x = PI * IZR z ->
  exists u s c, unit u x /\ sin u = s /\ cos u = c /\ s = 0 /\ c * c = 1 /\ c = powerRZ (-1) z.
Proof.
  intros ->. exists (PI * IZR z), 0, (cos (PI * IZR z)). rewrite Rmult_comm. repeat split.
  - apply sin_whole.
  - pose proof (sin2_cos2 (IZR z * PI)) as H. rewrite sin_whole in H. unfold Rsqr in H. lra.
  - apply cos_whole.
Qed.
Create HintDb parity.
#[global] Hint Rewrite parity_add parity_sub parity_opp parity_1 : parity.
Ltac parities := autorewrite with parity.
Ltac parity_in D := rewrite ?Z.mul_1_l in D; autorewrite with parity in D;
  repeat match goal with A : powerRZ (-1) _ = _ |- _ => rewrite A in D end.

Create HintDb angle. Create HintDb power. Create HintDb logarithm.
#[global] Hint Rewrite sin_plus cos_plus sin_neg cos_neg sin_2a cos_2a sin_0 cos_0 : angle.
#[global] Hint Rewrite exp_plus exp_Ropp exp_double exp_0 : power.

Ltac units := repeat match goal with E : unit ?u ?x |- context [?u] => rewrite E end.
Ltac facts := repeat match goal with
  | H : sin ?u = _ |- context [sin ?u] => rewrite H
  | H : cos ?u = _ |- context [cos ?u] => rewrite H
  | H : exp ?u = _ |- context [exp ?u] => rewrite H
  | H : ln ?u = _ |- context [ln ?u] => rewrite H
  end.
(* Of W : f whole = value. f x, as it stands in the goal, is f whole, since their arguments are equal; then wherever else there is such an x. *)
Ltac here f x W := lazymatch type of W with _ ?whole = _ => match goal with
  | |- context [f x] => let E := fresh in assert (E : x = whole) by same; apply (f_equal f) in E; rewrite E, W; clear E
  | _ => idtac
  end end.
Ltac elsewhere f W := lazymatch type of W with _ ?whole = _ => repeat first [ rewrite W | match goal with
  | |- context [f ?x] => let E := fresh in assert (E : x = whole) by same; rewrite E; clear E; rewrite W
  end ] end; clear W.
Ltac angle whole parts S C :=
  let E := fresh in assert (E : whole = parts) by (units; same);
  let s := fresh in evar (s : R); assert (S : sin whole = s); [ try rewrite E; autorewrite with angle; facts; subst s; reflexivity | subst s ];
  let c := fresh in evar (c : R); assert (C : cos whole = c); [ try rewrite E; autorewrite with angle; facts; subst c; reflexivity | subst c ];
  clear E.
Ltac power whole parts value W :=
  assert (W : exp whole = value) by
  (let E := fresh in assert (E : whole = parts) by (units; same); try rewrite E; autorewrite with power; facts; same).
Ltac logs := repeat match goal with
  | |- context [ln (?a * ?b)] => rewrite (ln_mult a b) by positive
  | |- context [ln (/ ?a)] => rewrite (ln_Rinv a) by positive
  | |- context [ln (?a ^ ?n)] => rewrite (ln_power a n) by positive; cbn [Z.of_nat Pos.of_succ_nat Pos.succ]
  | |- context [ln 1] => rewrite ln_1
  end; facts.
Ltac logarithm whole value W := assert (W : ln whole = value) by (logs; units; same).

(* f of what is equal to whole becomes f whole. *)
Ltac part f whole := repeat match goal with
  | |- context [f ?x] => lazymatch x with whole => fail | _ =>
      first [ let E := fresh in assert (E : x = whole) by same; rewrite E; clear E ] end
  end.
Ltac square_roots := repeat match goal with |- context [sqrt ?x] => rewrite (sqrt_is_exp x) by positive end.
Ltac settle := intros.
(* Whole numbers: IZR of a sum is a sum, and members with equal indices are one. *)
Ltac same_index := repeat match goal with
  | |- context [?a ?x] => lazymatch type of a with Z -> R => idtac end; lazymatch a with IZR => fail | _ => idtac end;
      match goal with |- context [a ?y] => lazymatch y with x => fail | _ => replace (a y) with (a x) by (f_equal; lia) end end
  end.
Ltac in_summand := cbv beta; rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR; same_index.
(* The powers that a bound put in for the index turns into 1 or the base. *)
Ltac folded_powers := repeat match goal with
  | |- context [Rpower ?b ?x] => first
    [ let E := fresh in assert (E : x = 0) by same; rewrite E, (Rpower_O b) by positive; clear E
    | let E := fresh in assert (E : x = 1) by same; rewrite E, (Rpower_1 b) by positive; clear E ]
  end.
Ltac in_range := first [ lia | apply le_IZR; rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR; lra ].
Ltac bounds_of V := let A := fresh in let B := fresh in destruct V as [A B]; apply IZR_le in A; apply IZR_le in B;
  rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR in A; rewrite ?plus_IZR, ?minus_IZR, ?mult_IZR, ?opp_IZR in B.
Ltac name_sums := repeat match goal with |- context [zsum ?f ?a ?b] => generalize (zsum f a b); intro end.
Ltac entries := repeat match goal with |- _ /\ _ => refine (conj _ _) end.
