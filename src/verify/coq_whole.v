(* ---- whole numbers: denominators that no whole number makes 0, powers with a constant exponent, parities, parts of a turn ---- *)
Ltac into_whole E := repeat first [ rewrite <- plus_IZR in E | rewrite <- minus_IZR in E | rewrite <- mult_IZR in E | rewrite <- opp_IZR in E ].
Ltac whole_nonzero := lazymatch goal with
  | |- _ /\ _ => split; whole_nonzero
  | |- _ => first [ nonzero | let E := fresh in intro E; into_whole E; apply eq_IZR in E; lia ]
  end.

Lemma power_up b n : 0 < b -> Rpower b (IZR (Z.of_nat n)) = b ^ n.
Proof. intros H. rewrite <- INR_IZR_INZ. now apply Rpower_pow. Qed.
Lemma power_down b n : 0 < b -> Rpower b (- IZR (Z.of_nat n)) = / b ^ n.
Proof. intros H. now rewrite Rpower_Ropp, power_up. Qed.
Ltac whole_of x := lazymatch x with
  | IZR ?z => z
  | ?a + ?b => let p := whole_of a in let q := whole_of b in constr:((p + q)%Z)
  | ?a - ?b => let p := whole_of a in let q := whole_of b in constr:((p - q)%Z)
  | ?a * ?b => let p := whole_of a in let q := whole_of b in constr:((p * q)%Z)
  | - ?a => let p := whole_of a in constr:((- p)%Z)
  end.
Ltac constant_powers := repeat match goal with
  | |- context [powerRZ ?b ?x] => let z := eval cbv in x in lazymatch z with
    | Zneg ?p => let n := eval cbv in (Pos.to_nat p) in change (powerRZ b x) with (/ b ^ n)
    | Zpos ?p => let n := eval cbv in (Pos.to_nat p) in change (powerRZ b x) with (b ^ n)
    | Z0 => change (powerRZ b x) with 1
    end
  | |- context [Rpower ?b ?x] =>
  let z := whole_of x in let z := eval cbv in z in let E := fresh in
  lazymatch z with
  | Zneg ?p => let n := eval cbv in (Pos.to_nat p) in assert (E : x = - IZR (Z.of_nat n)) by (cbn [Z.of_nat Pos.of_succ_nat Pos.succ]; lra);
      rewrite E, (power_down b n) by positive; clear E
  | Zpos ?p => let n := eval cbv in (Pos.to_nat p) in assert (E : x = IZR (Z.of_nat n)) by (cbn [Z.of_nat Pos.of_succ_nat Pos.succ]; lra);
      rewrite E, (power_up b n) by positive; clear E
  | Z0 => assert (E : x = 0) by lra; rewrite E, (Rpower_O b) by positive; clear E
  end end.

Lemma parity_same a b : Z.even a = Z.even b -> powerRZ (-1) a = powerRZ (-1) b.
Proof.
  assert (D : forall x, powerRZ (-1) (2 * x) = 1).
  { intros x. destruct (a_parity x) as (p & A & Q). now rewrite <- Z.add_diag, parity_add, A. }
  intros H. rewrite (Z.div2_odd a), (Z.div2_odd b), !parity_add, !D, <- !Z.negb_even, H. reflexivity.
Qed.
Ltac evens := rewrite ?Z.even_mul; cbn [Z.even]; repeat match goal with |- context [Z.even ?x] => destruct (Z.even x) end; reflexivity.
(* Of C : c = (-1)^m and D : d = (-1)^n, where m and n are even together. *)
Ltac twins C D := rewrite C, D; repeat match goal with A : powerRZ (-1) _ = ?p |- context [?p] => rewrite <- A end; apply parity_same; evens.

(* 2 cos(nx) and 2 sin(nx), each by the two before it. *)
Fixpoint along (y a b : R) (n : nat) : R := match n with O => a | S k => along y b (y * b - a) k end.
Lemma along_cos x n : forall k, along (2 * cos x) (2 * cos (k * x)) (2 * cos ((k + 1) * x)) n = 2 * cos ((k + INR n) * x).
Proof.
  induction n; intros k; [simpl; now rewrite Rplus_0_r|]. rewrite S_INR. cbn [along].
  replace (2 * cos x * (2 * cos ((k + 1) * x)) - 2 * cos (k * x)) with (2 * cos ((k + 1 + 1) * x)).
  - rewrite (IHn (k + 1)). do 2 f_equal. ring.
  - replace ((k + 1 + 1) * x) with ((k + 1) * x + x) by ring. replace (k * x) with ((k + 1) * x - x) by ring.
    rewrite cos_plus, cos_minus. ring.
Qed.
Lemma along_sin x n : forall k, along (2 * cos x) (2 * sin (k * x)) (2 * sin ((k + 1) * x)) n = 2 * sin ((k + INR n) * x).
Proof.
  induction n; intros k; [simpl; now rewrite Rplus_0_r|]. rewrite S_INR. cbn [along].
  replace (2 * cos x * (2 * sin ((k + 1) * x)) - 2 * sin (k * x)) with (2 * sin ((k + 1 + 1) * x)).
  - rewrite (IHn (k + 1)). do 2 f_equal. ring.
  - replace ((k + 1 + 1) * x) with ((k + 1) * x + x) by ring. replace (k * x) with ((k + 1) * x - x) by ring.
    rewrite sin_plus, sin_minus. ring.
Qed.
Lemma a_part_of_turn q x z : IZR q * x = 2 * PI * IZR z -> exists u t y, unit u x /\ sin u = t / 2 /\ cos u = y / 2 /\ t * t = 4 - y * y /\
  forall m n : nat, Z.of_nat (m + n) = q -> along y 2 y m = along y 2 y n /\ along y 0 t m = - along y 0 t n.
Proof.
  intros H. exists x, (2 * sin x), (2 * cos x). repeat split; try field; [pose proof (sin2_cos2 x) as S; unfold Rsqr in S; lra | |];
  assert (E : INR m * x = 2 * PI * IZR z - INR n * x) by (rewrite <- H, <- H0, <- INR_IZR_INZ, plus_INR; ring);
  destruct (a_turn _ z eq_refl) as (u & s & c & U & S & C & S' & C'); unfold unit in U.
  - pose proof (along_cos x m 0) as M. pose proof (along_cos x n 0) as N.
    rewrite ?Rplus_0_l, ?Rmult_0_l, ?Rmult_1_l, ?cos_0, ?Rmult_1_r in M, N. rewrite M, N, E, <- U, cos_minus, S, C, S', C'. ring.
  - pose proof (along_sin x m 0) as M. pose proof (along_sin x n 0) as N.
    rewrite ?Rplus_0_l, ?Rmult_0_l, ?Rmult_1_l, ?sin_0, ?Rmult_0_r in M, N. rewrite M, N, E, <- U, sin_minus, S, C, S', C'. ring.
Qed.
