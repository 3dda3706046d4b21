-- called.lua: what those who work with them call the rows of the atlas, in English and in Chinese (one text: the same in both).

return {
  alibi = {"ALiBi"}, cope = {"CoPE"}, ["cope code"] = {"CoPE, released code", "CoPE（发布的代码）"},
  deberta = {"DeBERTa"}, ["deberta code"] = {"DeBERTa, released code", "DeBERTa（发布的代码）"}, ["deberta v2"] = {"DeBERTa-v2"},
  fire = {"FIRE"}, kerple = {"KERPLE, logarithmic", "KERPLE（对数）"}, ["kerple power"] = {"KERPLE, power", "KERPLE（幂）"},
  learned = {"learned vectors", "可学习的向量"}, logn = {"log-n scaling", "log n 缩放"}, nope = {"NoPE"},
  rerope = {"ReRoPE"}, ["rerope leaky"] = {"Leaky ReRoPE"},
  rope = {"RoPE, interleaved", "RoPE（相邻成对）"}, ["rope half"] = {"RoPE, halves", "RoPE（前后两半）"}, ["rope yarn"] = {"RoPE with YaRN", "RoPE 加 YaRN"},
  rope_axes = {"RoPE, several axes", "RoPE（多轴）"},
  shaw = {"Shaw et al."}, ["shaw bert"] = {"Shaw in BERT, keys", "BERT 中的 Shaw（键）"},
  ["shaw bert_query"] = {"Shaw in BERT, both", "BERT 中的 Shaw（键与查询）"},
  sinusoidal = {"sinusoids", "正弦编码"}, sinusoidal_t2t = {"sinusoids, tensor2tensor", "正弦编码（tensor2tensor）"},
  ["sinusoidal_t2t odd"] = {"the same, d odd", "同上，d 为奇数"},
  t5 = {"T5, both directions", "T5（双向）"}, ["t5 causal"] = {"T5, causal", "T5（因果）"},
  tener = {"TENER"}, ["tener code"] = {"TENER, released code", "TENER（发布的代码）"}, transformer_xl = {"Transformer-XL"}, xlnet = {"XLNet"}, xpos = {"xPos"},
}
