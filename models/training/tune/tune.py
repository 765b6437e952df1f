"""Tunes the upper layers of a Llama-like GGUF on what prompts.ts wrote, and writes it as GGUF with the same metadata.
The loss is on the replies alone. One pass; the learning rate falls with what is done or with the time that is over, whichever is further.
Usage: python3 tune.py --model FILE.gguf --work models/training/work/tune --out FILE.gguf [--layers 16] [--lr 2e-4] [--minutes 15]
"""
import argparse, json, math, os, random, time
import gguf, numpy as np, torch, torch.nn.functional as F
from gguf import quants

ap = argparse.ArgumentParser()
ap.add_argument('--model', required=True); ap.add_argument('--work', default='models/training/work/tune'); ap.add_argument('--out', default='models/training/work/tune/tuned.gguf')
ap.add_argument('--layers', type=int, default=16, help='how many of the upper layers are tuned'); ap.add_argument('--lr', type=float, default=2e-4)
ap.add_argument('--batch', type=int, default=2, help='prompts per step'); ap.add_argument('--share', type=float, default=1, help='of the prompts that are seen')
ap.add_argument('--minutes', type=float, default=15); ap.add_argument('--threads', type=int, default=1); ap.add_argument('--check', action='store_true', help='only say the loss before')
args = ap.parse_args(); torch.set_num_threads(args.threads); torch.manual_seed(7)
PARTS = ('attn_q', 'attn_k', 'attn_v', 'attn_output', 'ffn_gate', 'ffn_up', 'ffn_down', 'attn_norm', 'ffn_norm')
Q8 = gguf.GGMLQuantizationType.Q8_0

reader = gguf.GGUFReader(args.model)
meta = lambda key: reader.fields[f'llama.{key}'].contents()
D, L, H, HKV = meta('embedding_length'), meta('block_count'), meta('attention.head_count'), meta('attention.head_count_kv')
EPS, BASE, HD = meta('attention.layer_norm_rms_epsilon'), meta('rope.freq_base'), D // H; LOW = L - args.layers
W = {}
for t in reader.tensors: W[t.name] = torch.from_numpy(quants.dequantize(t.data, t.tensor_type).astype(np.float32).copy())
tuned = [f'blk.{i}.{p}.weight' for i in range(LOW, L) for p in PARTS]
for name in tuned: W[name].requires_grad_(True)
frozen = {n: w.bfloat16() if w.dim() == 2 else w for n, w in W.items() if n not in tuned}
head = frozen['output.weight' if 'output.weight' in frozen else 'token_embd.weight']

inv = 1 / BASE ** (torch.arange(0, HD, 2).float() / HD); angles = torch.outer(torch.arange(8192).float(), inv); COS, SIN = angles.cos(), angles.sin()
def rope(x):  # [T, heads, HD], adjacent pairs, as llama.cpp's llama architecture rotates
    a, b = x.float().unflatten(-1, (-1, 2)).unbind(-1); c, s = COS[:x.shape[0], None], SIN[:x.shape[0], None]
    return torch.stack((a * c - b * s, a * s + b * c), -1).flatten(-2).bfloat16()
norm = lambda x, w: (x.float() * torch.rsqrt(x.float().pow(2).mean(-1, keepdim=True) + EPS) * w).bfloat16()
def block(x, w):
    T = x.shape[0]; h = norm(x, w['attn_norm'])
    turn = lambda y: y.transpose(0, 1)[None]
    q, k, v = turn(rope((h @ w['attn_q'].T).view(T, H, HD))), turn(rope((h @ w['attn_k'].T).view(T, HKV, HD))), turn((h @ w['attn_v'].T).view(T, HKV, HD))
    k, v = k.repeat_interleave(H // HKV, 1), v.repeat_interleave(H // HKV, 1)
    y = F.scaled_dot_product_attention(q, k, v, is_causal=True)[0].transpose(0, 1).reshape(T, D)
    x = x + (y @ w['attn_output'].T).float(); h = norm(x, w['ffn_norm'])
    return x + ((F.silu(h @ w['ffn_gate'].T) * (h @ w['ffn_up'].T)) @ w['ffn_down'].T).float()
def weights(i):
    low = lambda w: w.bfloat16() if w.dim() == 2 else w
    return {p: frozen[n] if (n := f'blk.{i}.{p}.weight') in frozen else low(W[n]) for p in PARTS}
def loss_of(sample, upper):
    ids = torch.tensor(sample['ids']); at = torch.tensor(sample['learn'])[1:].nonzero().squeeze(-1)
    with torch.no_grad():
        x = frozen['token_embd.weight'][ids].float()
        for i in range(LOW): x = block(x, weights(i))
    for w in upper: x = block(x, w)
    return F.cross_entropy((norm(x[at], frozen['output_norm.weight']) @ head.T).float(), ids[at + 1])

def write(path):
    """All of the model's metadata and tensors, the tuned ones as Q8_0."""
    writer = gguf.GGUFWriter(path + '.new', 'llama')
    for key, field in reader.fields.items():
        if key.startswith('GGUF.') or key == 'general.architecture': continue
        kind = field.types[0]; value = field.contents()
        if key == 'general.name': value = 'SmolLM2 135M tuned on database tasks'
        if key == 'general.file_type': value = 7
        if kind == gguf.GGUFValueType.ARRAY: writer.add_key_value(key, value, kind, field.types[-1])
        else: writer.add_key_value(key, value, kind)
    for t in reader.tensors:
        if t.name not in tuned: writer.add_tensor(t.name, t.data, raw_dtype=t.tensor_type); continue
        w = W[t.name].detach().numpy()
        if w.ndim == 2: writer.add_tensor(t.name, quants.quantize(w, Q8), raw_dtype=Q8)
        else: writer.add_tensor(t.name, w)
    writer.write_header_to_file(); writer.write_kv_data_to_file(); writer.write_tensors_to_file(); writer.close(); os.replace(path + '.new', path)
    print('wrote', path, os.path.getsize(path), 'bytes', flush=True)

data = [json.loads(line) for line in open(f'{args.work}/prompts.jsonl')]; random.Random(7).shuffle(data); data = data[:round(len(data) * args.share)]
print(len(data), 'prompts', sum(len(s['ids']) for s in data), 'tokens', sum(sum(s['learn']) for s in data), 'learned', flush=True)
if args.check:
    with torch.no_grad():
        upper = [weights(i) for i in range(LOW, L)]
        for s in data[:6]: t = time.time(); print(s['kind'], len(s['ids']), f'{loss_of(s, upper).item():.3f} {time.time() - t:.1f} s', flush=True)
    raise SystemExit
opt = torch.optim.AdamW([W[n] for n in tuned], lr=args.lr, betas=(0.9, 0.95), weight_decay=0.01)
began = time.time(); log = []; batches = [data[i:i + args.batch] for i in range(0, len(data), args.batch)]
for step, batch in enumerate(batches):
    over = (time.time() - began) / 60 / args.minutes; f = min(1, max(step / len(batches), over))
    if over >= 1: print('the time is over', flush=True); break
    for g in opt.param_groups: g['lr'] = args.lr * min(1, (step + 1) / 8) * (0.05 + 0.95 * 0.5 * (1 + math.cos(math.pi * f)))
    upper = [weights(i) for i in range(LOW, L)]
    loss = sum(loss_of(s, upper) for s in batch) / len(batch)
    opt.zero_grad(set_to_none=True); loss.backward(); torch.nn.utils.clip_grad_norm_([W[n] for n in tuned], 1.0); opt.step(); log.append(loss.item())
    if (step + 1) % 5 == 0: print(step + 1, f'of {len(batches)} loss {np.mean(log[-10:]):.3f} {(time.time() - began) / 60:.1f} min', flush=True)
    if (step + 1) % 25 == 0: write(args.out)
write(args.out)
