-- The names of the training laboratory. Their files are read at the first call: a start needs none of them.
local row = require "phasor.lib.rows" "training"

local from = require("phasor.lib.option_words").from
from(function() return require "phasor.train.model" end, "transformer")
from(function() return require "phasor.train.data" end, "corpus", "task")
from(function() return require "phasor.train.adamw" end, "trainer", "train")
row("transformer", function(...) return require("phasor.train.model").new(...) end, "{vocab=, length= [, position=, layers=, ...]} [, seed]",
    "A transformer of the laboratory's layers, its parameters drawn by seed.\n" ..
    "Parameters are f32; seed is 1 when left out. vocab: tokens, whole numbers from 1. length: positions, the length it is trained for." ..
    " position=\"rope\", layers=2, heads=4, d=32, hidden=4d, kv_heads=heads." ..
    " position: any encoding of encodings(), by name, as {name=, option=, ...} with its options, or a list of these, which all act; \"nope\" is" ..
    " none. What is added takes size=; learned arrays take std=; table= is an array that is not trained; " ..
    "{name=\"rope\", learn=true} learns its frequencies, by their logarithms. plan: a list of positions for the" ..
    " layers in turn, such as {\"rope\", \"rope\", \"rope\", \"nope\"}.\nnorm: \"pre\" or \"post\"; rms: true for rms_norm. activation: \"relu\", \"gelu\" or" ..
    " \"swiglu\". head: \"causal\", \"masked\" (sees both sides) or \"classify\" (classes=). tied: tokens are the output too. scale: of the scores." ..
    " size=1: standard deviation of the tokens.\nm.P: the parameters, a table. m:logits(ids [, {offset=}]): (B, T, vocab). m:losses(batch), m:loss(batch): -log p of" ..
    " the targets. m:with{...}: the same parameters under other options. m:count(). m:save(path), transformer(path): a .safetensors.",
    "m = transformer({vocab=10, length=8, position=\"alibi\", d=16}, 1)\nm:logits({{1, 2, 3}}).shape  --> {1, 3, 10}\n" ..
    "transformer{vocab=9, length=8, position=\"ropes\"}  --> error: 'rope'?")
row("corpus", function(...) return require("phasor.train.data").corpus(...) end, "[{file= or text=, unit=\"characters\", most=, hold=0.1, mask=}]",
    "A stream of characters or words to train on, its last part held out.\nWithout a file, English prose that travels with the program. unit: \"characters\" or" ..
    " \"words\". most: so many tokens, all others are one. hold: the share held out, the source .held. mask: a share that is hidden and asked for, for a masked" ..
    " model; else the next token is.\nThe result has name, vocab, tokens, size and batch(g, B, T): {inputs (B, T), targets, rows, count}. rows: which of the B T" ..
    " places have a target; nil for all.",
    "data = corpus{text=(\"abcd \"):rep(50)}\ndata.vocab  --> 5\ndata.batch(rng(1), 2, 8).inputs.shape  --> {2, 8}\ncorpus{file=\"nowhere.txt\"}  --> error: nowhere.txt")
row("task", function(...) return require("phasor.train.data").task(...) end, "{name= [, vocab=16, offset=3]}",
    "A task that is made: batches without end.\nname: \"copy\", \"induction\" (what came behind the same token before), \"offset\" (the token so many back), \"sort\"," ..
    " \"parity\", \"addition\" (digits, lowest first) or \"passkey\". vocab: symbols; marks come on top. The result is a source of data, as corpus makes one.",
    "task(\"offset\").batch(rng(1), 1, 5).count  --> 2\ntask(\"adition\")  --> error: addition")
row("trainer", function(...) return require("phasor.train.trainer").new(...) end, "{model=, data= [, steps=1000, batch=16, rate=3e-3, ...]}",
    "A run of training, a step at a time: for step, loss in run do ... end.\nmodel: a transformer, which is changed, or the options of one. data: from corpus or task." ..
    " steps, batch, length (the model's). seed=1: of the batches. AdamW: rate, beta1=0.9, beta2=0.99, eps=1e-8, shrink=0.01 (its pull of matrices to nought), clip=1 (of the" ..
    " gradient's norm). warmup=0: steps to the full rate; schedule: \"cosine\", \"linear\" or \"constant\", down to last=0.1 of it. offsets=1: sequences begin at a" ..
    " place from 0 to offsets-1.\nA loop may end early and go on later. run.step, run.loss, run.norm (of the gradient), run.rate, run.losses, run.model." ..
    " run:test(): the mean loss on held-out data. run:save(path): all that resume needs.",
    "run = trainer{model={length=8, d=16}, data=task(\"offset\"), steps=3}\nfor step, loss in run do if step == 2 then break end end\nrun.step, run.losses.shape  --> 2\t{2}")
row("resume", function(...) return require("phasor.train.trainer").resume(...) end, "path, data [, model]",
    "A run as it was when it was saved, to the last bit.\npath: a file that run:save wrote. data: the same source as then. model: refuses the file if it is of another" ..
    " model.",
    "run = trainer{model={length=8, d=16}, data=task(\"offset\"), steps=4}\nfor step in run do if step == 2 then break end end\nrun:save(\"run.safetensors\")\n" ..
    "other = resume(\"run.safetensors\", task(\"offset\"))\nfor _ in run do end\nfor _ in other do end\nrun.loss == other.loss  --> true\nos.remove(\"run.safetensors\")")
row("train", function(...) return require("phasor.train.train").train(...) end, "{model=, data= [, steps=, checkpoint=, csv=, resume=, ...]}",
    "Trains to the end, shows how far it is, and keeps the best.\nOptions of trainer, and test_every=100: steps between tests on held-out data (without any, the mean of" ..
    " the last losses counts); checkpoint: a .safetensors, written every save_every=200 steps; csv: step and loss; resume: a checkpoint to go on from, with data.\n" ..
    "The result: model (the best), loss and step (its), losses, tests (step, loss), steps, reason, run. Ctrl-C ends it, and the best so far is returned.",
    "r = train{model={length=8, d=16}, data=task(\"offset\"), steps=3}\nr.steps, r.reason  --> 3\tdone\ntrain{model={length=8}, data=3}  --> error: data is 3")
row("probe", function(...) return require("phasor.train.probe").new(...) end, "model [, {heads=, base=10000, eps=}]",
    "A trained model, opened to be looked into.\nmodel: a transformer, or a .safetensors: of this laboratory, or with the names of GPT-2, BERT or Llama, as the" ..
    " transformers library gives them. heads, base (of the rotation), eps (of the norms): what such a file does not say; GPT-2 and BERT have d/64 heads" ..
    " when left out. Layers are read as they are needed.\nids: the tokens of one text, T whole numbers from 1: a tokenizer's number plus 1. layer: 1 when left out." ..
    "\np:attention(ids, layer), p:scores(ids, layer): (H, T, T), weights, and scores before any is hidden. p:by_distance(ids, layer [, \"weights\"]): (H, T), the" ..
    " mean over queries of what the key at distance 0, 1, ... gets. p:energy(ids, layer): (H, dk/2), the root mean square length of each pair of columns of the queries" ..
    " times that of the keys, for rotations. p:frequencies(): theta (dk/2) as training began, and as it is. p:table(): a learned table of positions. p:spectrum():" ..
    " frequencies (L//2) and the share that waves of each have in that table. p:output(ids): (T, d), the last layer's. p.family, p.layers, p.heads, p.kv_heads, p.d.",
    "m = transformer({vocab=10, length=8, d=16, position=\"rope\"}, 1)\np = probe(m)\np:attention({1, 2, 3}, 2).shape  --> {4, 3, 3}\np:energy({1, 2, 3}).shape  --> {4, 2}\n" ..
    "p:spectrum()  --> error: no learned table\nprobe(3)  --> error: the model is 3")
