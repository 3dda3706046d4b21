/* symbols.c: LaTeX names of characters, for \theta<Tab>.
 *
 * Letters are the ones on a Greek keyboard: \phi is U+03C6 and \epsilon U+03B5, the var- forms are the others, so that a
 * name typed either way is one name. Accents are combining marks and come after their letter: x\hat is x̂.
 */
#include "session/symbols.h"

#include <stddef.h>

const ses_symbol ses_symbols[] = {
    {"Alpha", "Α"}, {"Beta", "Β"}, {"Chi", "Χ"}, {"Delta", "Δ"}, {"Epsilon", "Ε"}, {"Eta", "Η"},
    {"Gamma", "Γ"}, {"Im", "ℑ"}, {"Iota", "Ι"}, {"Kappa", "Κ"}, {"Lambda", "Λ"}, {"Mu", "Μ"}, {"Nu", "Ν"},
    {"Omega", "Ω"}, {"Omicron", "Ο"}, {"Phi", "Φ"}, {"Pi", "Π"}, {"Psi", "Ψ"}, {"Re", "ℜ"}, {"Rho", "Ρ"},
    {"Rightarrow", "⇒"}, {"Sigma", "Σ"}, {"Tau", "Τ"}, {"Theta", "Θ"}, {"Upsilon", "Υ"}, {"Xi", "Ξ"},
    {"Zeta", "Ζ"}, {"^0", "⁰"}, {"^1", "¹"}, {"^2", "²"}, {"^3", "³"}, {"^4", "⁴"}, {"^5", "⁵"},
    {"^6", "⁶"}, {"^7", "⁷"}, {"^8", "⁸"}, {"^9", "⁹"}, {"^T", "ᵀ"}, {"^a", "ᵃ"}, {"^b", "ᵇ"}, {"^c", "ᶜ"},
    {"^d", "ᵈ"}, {"^e", "ᵉ"}, {"^f", "ᶠ"}, {"^g", "ᵍ"}, {"^h", "ʰ"}, {"^i", "ⁱ"}, {"^j", "ʲ"}, {"^k", "ᵏ"},
    {"^l", "ˡ"}, {"^m", "ᵐ"}, {"^n", "ⁿ"}, {"^o", "ᵒ"}, {"^p", "ᵖ"}, {"^r", "ʳ"}, {"^s", "ˢ"}, {"^t", "ᵗ"},
    {"^u", "ᵘ"}, {"^v", "ᵛ"}, {"^w", "ʷ"}, {"^x", "ˣ"}, {"^y", "ʸ"}, {"^z", "ᶻ"}, {"_0", "₀"}, {"_1", "₁"},
    {"_2", "₂"}, {"_3", "₃"}, {"_4", "₄"}, {"_5", "₅"}, {"_6", "₆"}, {"_7", "₇"}, {"_8", "₈"}, {"_9", "₉"},
    {"_a", "ₐ"}, {"_beta", "ᵦ"}, {"_chi", "ᵪ"}, {"_e", "ₑ"}, {"_gamma", "ᵧ"}, {"_h", "ₕ"}, {"_i", "ᵢ"},
    {"_j", "ⱼ"}, {"_k", "ₖ"}, {"_l", "ₗ"}, {"_m", "ₘ"}, {"_n", "ₙ"}, {"_o", "ₒ"}, {"_p", "ₚ"},
    {"_phi", "ᵩ"}, {"_r", "ᵣ"}, {"_rho", "ᵨ"}, {"_s", "ₛ"}, {"_t", "ₜ"}, {"_u", "ᵤ"}, {"_v", "ᵥ"},
    {"_x", "ₓ"}, {"aleph", "ℵ"}, {"alpha", "α"}, {"approx", "≈"}, {"bar", "\xCC\x84"}, {"bbC", "ℂ"},
    {"bbN", "ℕ"}, {"bbQ", "ℚ"}, {"bbR", "ℝ"}, {"bbZ", "ℤ"}, {"beta", "β"}, {"cap", "∩"}, {"cdot", "⋅"},
    {"chi", "χ"}, {"circ", "∘"}, {"cup", "∪"}, {"dagger", "†"}, {"ddot", "\xCC\x88"}, {"degree", "°"},
    {"delta", "δ"}, {"div", "÷"}, {"dot", "\xCC\x87"}, {"dprime", "″"}, {"ell", "ℓ"}, {"epsilon", "ε"},
    {"equiv", "≡"}, {"eta", "η"}, {"exists", "∃"}, {"forall", "∀"}, {"gamma", "γ"}, {"ge", "≥"},
    {"geq", "≥"}, {"hat", "\xCC\x82"}, {"hbar", "ℏ"}, {"iff", "⇔"}, {"in", "∈"}, {"infty", "∞"},
    {"int", "∫"}, {"iota", "ι"}, {"kappa", "κ"}, {"lambda", "λ"}, {"land", "∧"}, {"langle", "⟨"},
    {"ldots", "…"}, {"le", "≤"}, {"leftarrow", "←"}, {"leq", "≤"}, {"lor", "∨"}, {"mapsto", "↦"},
    {"mu", "μ"}, {"nabla", "∇"}, {"ne", "≠"}, {"neg", "¬"}, {"neq", "≠"}, {"notin", "∉"}, {"nu", "ν"},
    {"odot", "⊙"}, {"omega", "ω"}, {"omicron", "ο"}, {"oplus", "⊕"}, {"otimes", "⊗"}, {"parallel", "∥"},
    {"partial", "∂"}, {"perp", "⊥"}, {"phi", "φ"}, {"pi", "π"}, {"pm", "±"}, {"prime", "′"}, {"prod", "∏"},
    {"propto", "∝"}, {"psi", "ψ"}, {"rangle", "⟩"}, {"rho", "ρ"}, {"rightarrow", "→"}, {"sigma", "σ"},
    {"sim", "∼"}, {"sqrt", "√"}, {"star", "⋆"}, {"subset", "⊂"}, {"sum", "∑"}, {"tau", "τ"}, {"theta", "θ"},
    {"tilde", "\xCC\x83"}, {"times", "×"}, {"to", "→"}, {"top", "⊤"}, {"tprime", "‴"}, {"upsilon", "υ"},
    {"varepsilon", "ϵ"}, {"varkappa", "ϰ"}, {"varphi", "ϕ"}, {"varpi", "ϖ"}, {"varrho", "ϱ"},
    {"varsigma", "ς"}, {"vartheta", "ϑ"}, {"vec", "\xE2\x83\x97"}, {"xi", "ξ"}, {"zeta", "ζ"},
    {NULL, NULL},
};
