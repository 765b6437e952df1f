"""Begins where shipped weights end: reads a GGUF that gguf.py wrote into a checkpoint and a tokenizer that train.py and generate.ts go on with.
The optimizer starts afresh, as it is not part of a GGUF.
Usage: python3 begin.py --gguf FILE --work DIR
"""
import argparse, json, os, struct
import numpy as np, torch

NAMES = {'attn_norm': 'n1.w', 'ffn_norm': 'n2.w', 'attn_q': 'q.weight', 'attn_k': 'k.weight', 'attn_v': 'v.weight', 'attn_output': 'o.weight',
         'ffn_gate': 'g.weight', 'ffn_up': 'u.weight', 'ffn_down': 'd.weight'}
WHOLE = {'token_embd.weight': 'e.weight', 'output_norm.weight': 'n.w', 'output.weight': 'h.weight'}
SCALARS = {4: '<I', 5: '<i', 6: '<f', 7: '<?'}

def read(path):
    data = open(path, 'rb').read(); at = 24; _, _, count, pairs = struct.unpack_from('<IIQQ', data)
    def number(fmt):
        nonlocal at
        value = struct.unpack_from(fmt, data, at)[0]; at += struct.calcsize(fmt); return value
    def text():
        nonlocal at
        n = number('<Q'); value = data[at:at + n].decode(); at += n; return value
    def value(kind):
        if kind in SCALARS: return number(SCALARS[kind])
        if kind == 8: return text()
        inner, n = number('<I'), number('<Q'); return [value(inner) for _ in range(n)]
    meta = {}
    for _ in range(pairs):
        key = text(); meta[key] = value(number('<I'))
    infos = []
    for _ in range(count):
        name = text(); shape = [number('<Q') for _ in range(number('<I'))][::-1]; infos.append((name, shape, number('<I'), number('<Q')))
    start = at + -at % 32; tensors = {}
    for name, shape, kind, offset in infos:
        dtype = np.float16 if kind == 1 else np.float32; n = int(np.prod(shape))
        tensors[name] = torch.from_numpy(np.frombuffer(data, dtype, n, start + offset).astype(np.float32).reshape(shape))
    return meta, tensors

def weights(tensors):
    """The tensors of a GGUF under the names of train.py."""
    named = {}
    for name, w in tensors.items():
        if name in WHOLE: named[WHOLE[name]] = w
        else: _, layer, part, _ = name.split('.'); named[f'b.{layer}.{NAMES[part]}'] = w
    return named

if __name__ == '__main__':
    ap = argparse.ArgumentParser(); ap.add_argument('--gguf', default='models/loam-demo.gguf'); ap.add_argument('--work', default='models/training/work'); a = ap.parse_args()
    meta, tensors = read(a.gguf); m = weights(tensors)
    os.makedirs(a.work, exist_ok=True)
    tokenizer = dict(pieces=meta['tokenizer.ggml.tokens'], scores=meta['tokenizer.ggml.scores'], types=meta['tokenizer.ggml.token_type'])
    json.dump(tokenizer, open(f'{a.work}/tokenizer.json', 'w'))
    shape = (meta['llama.embedding_length'], meta['llama.block_count'], meta['llama.attention.head_count'], meta['llama.feed_forward_length'])
    torch.save(dict(m=m, o=None, seen=0, earlier=meta['loam.training.tokens'], step=0, shard=0, shape=shape), f'{a.work}/checkpoint.pt')
    print('begins at', meta['loam.training.tokens'], 'tokens,', sum(w.numel() for w in m.values()), 'parameters')
