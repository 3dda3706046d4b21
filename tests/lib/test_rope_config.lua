-- Programs of test_rope_config.c, which it names by what stands behind the @.

-- @layouts_are_those_of_the_library
-- model_type -> layout, and how its file in src/transformers/models says so: its own rotate_half (apply_rotary_pos_emb of first and second half, or
-- of even and odd columns), or whose it takes. Read at commits 002272831fba (llama), 00b676f8f048 (gptj), 00491ceeee1a (codegen), 015bfeb86891
-- (cohere), 0911f54ac75b (helium), 016bc8ef0876 (ernie4_5), 0325dc46d077 (glm, starcoder2), 08c532782ab8 (glm4), 000c33fdfde1 (llama4, deepseek_v2),
-- 0261a467116d (gpt_oss), 00dcc6dda6f6 (falcon, stablelm, gpt_neox), 00a3f9386614 (qwen2_moe), 0096ba4f66d4 (mistral), 008f5c8c29be (mixtral, olmo2),
-- 022c4a9b8834 (qwen2), 02e8340b9678 (qwen3), 00eb11666852 (qwen3_moe), 00a98e7125fd (olmo, phi), 023633dd6387 (granite), 06053b84c14d (phi3),
-- 006e86931247 (gemma2), 003320480b9e (gemma3), 008e57439125 (gemma, cohere2, smollm3).
local read = {
  half = {
    llama = "its own, halves", mistral = "llama's", mixtral = "mistral's attention", qwen2 = "llama's", qwen2_moe = "its own, halves",
    qwen3 = "its own, halves", qwen3_moe = "qwen3's attention", gemma = "llama's attention", gemma2 = "gemma's", gemma3 = "gemma2's",
    gemma3_text = "gemma2's", phi = "llama's", phi3 = "mistral's rotate_half", gpt_neox = "llama's rotate_half", gpt_oss = "its own, chunk(x, 2)",
    stablelm = "its own, halves", olmo = "llama's", olmo2 = "olmo's", starcoder2 = "llama's", falcon = "its own, halves", granite = "llama's attention",
    smollm3 = "llama's",
  },
  interleaved = {
    gptj = "rotate_every_two", codegen = "rotate_every_two", cohere = "its own, even and odd", cohere2 = "cohere's", glm = "its own, even and odd",
    glm4 = "glm's attention", helium = "its own, even and odd", ernie4_5 = "glm's rotate_half", llama4_text = "view_as_complex",
    deepseek_v2 = "view_as_complex",
  },
}
local wrong, count = {}, 0
for layout, models in pairs(read) do
  for name in pairs(models) do
    count = count + 1
    local said = rope_config{model_type = name, head_dim = 64, max_position_embeddings = 2048, rope_theta = 10000}.rope.layout
    if said ~= layout then wrong[#wrong + 1] = ("%s: %s"):format(name, tostring(said)) end
  end
end
return table.concat(wrong, ", "), count
