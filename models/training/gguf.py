"""Writes a checkpoint of train.py as a GGUF that stock llama.cpp runs.
With --between, weights between an earlier GGUF's and the checkpoint's: (1 - share) of the first, share of the second; pieces that the first lacks are the checkpoint's.
Usage: python3 gguf.py --work DIR --out FILE [--between FILE --share 0.3]
"""
import argparse, json, os, struct
import numpy as np, torch

CONTEXT = 4096
TEMPLATE = ("{{ bos_token }}{% for message in messages %}<|{{ message.role }}|>{{ message.content }}<|end|>{% endfor %}"
            "{% if add_generation_prompt %}<|assistant|>{% endif %}")

def text(s): b = s.encode(); return struct.pack('<Q', len(b)) + b
def kv(key, kind, value):
    scalar = {'u32': (4, '<I'), 'i32': (5, '<i'), 'f32': (6, '<f'), 'bool': (7, '<?')}
    if kind == 'str': return text(key) + struct.pack('<I', 8) + text(value)
    if kind in scalar: t, f = scalar[kind]; return text(key) + struct.pack('<I', t) + struct.pack(f, value)
    inner = kind[1:-1]; head = text(key) + struct.pack('<I', 9)
    if inner == 'str': return head + struct.pack('<IQ', 8, len(value)) + b''.join(map(text, value))
    t, f = scalar[inner]; return head + struct.pack('<IQ', t, len(value)) + b''.join(struct.pack(f, v) for v in value)

def write(path, checkpoint, work):
    D, L, H, FF = checkpoint['shape']; m = {k: v.float().cpu().numpy() for k, v in checkpoint['m'].items()}
    tok = json.load(open(f'{work}/tokenizer.json')); prompts = json.load(open(f'{work}/prompts.json'))
    seen = int(checkpoint['seen'] + checkpoint.get('earlier', 0)); ids = {p: i for i, p in enumerate(tok['pieces'])}
    kvs = [kv('general.architecture', 'str', 'llama'), kv('general.name', 'str', 'Loam demo'), kv('general.license', 'str', 'apache-2.0'),
        kv('general.description', 'str', 'A demo model for house-rules streams, workplaces and desks. It knows these three families of small worlds and nothing else.'),
        kv('general.file_type', 'u32', 1), kv('general.quantization_version', 'u32', 2), kv('llama.context_length', 'u32', CONTEXT), kv('llama.embedding_length', 'u32', D),
        kv('llama.block_count', 'u32', L), kv('llama.feed_forward_length', 'u32', FF), kv('llama.attention.head_count', 'u32', H), kv('llama.attention.head_count_kv', 'u32', H),
        kv('llama.attention.layer_norm_rms_epsilon', 'f32', 1e-5), kv('llama.rope.dimension_count', 'u32', D // H), kv('llama.rope.freq_base', 'f32', 1e8), kv('llama.vocab_size', 'u32', len(tok['pieces'])),
        kv('tokenizer.ggml.model', 'str', 'llama'), kv('tokenizer.ggml.pre', 'str', 'default'), kv('tokenizer.ggml.tokens', '[str]', tok['pieces']), kv('tokenizer.ggml.scores', '[f32]', tok['scores']),
        kv('tokenizer.ggml.token_type', '[i32]', tok['types']), kv('tokenizer.ggml.bos_token_id', 'u32', ids['<s>']), kv('tokenizer.ggml.eos_token_id', 'u32', ids['<|end|>']),
        kv('tokenizer.ggml.eot_token_id', 'u32', ids['<|end|>']), kv('tokenizer.ggml.unknown_token_id', 'u32', ids['<unk>']), kv('tokenizer.ggml.add_bos_token', 'bool', True),
        kv('tokenizer.ggml.add_eos_token', 'bool', False), kv('tokenizer.ggml.add_space_prefix', 'bool', False), kv('tokenizer.chat_template', 'str', TEMPLATE),
        kv('loam.demo', 'bool', True), kv('loam.reserved_tokens', 'u32', sum(p.startswith('<|reserved_') for p in tok['pieces'])),
        kv('loam.training.tokens', 'u32', seen)] + [kv(f'loam.prompt.{k}', 'str', v) for k, v in sorted(prompts.items())]
    f16, f32 = (1, np.float16), (0, np.float32)
    tensors = [('token_embd.weight', m['e.weight'], f16), ('output_norm.weight', m['n.w'], f32), ('output.weight', m['h.weight'], f16)]
    for i in range(L):
        b = f'b.{i}.'
        for name, key, kind in [('attn_norm', 'n1.w', f32), ('ffn_norm', 'n2.w', f32), ('attn_q', 'q.weight', f16), ('attn_k', 'k.weight', f16), ('attn_v', 'v.weight', f16),
                                ('attn_output', 'o.weight', f16), ('ffn_gate', 'g.weight', f16), ('ffn_up', 'u.weight', f16), ('ffn_down', 'd.weight', f16)]:
            tensors.append((f'blk.{i}.{name}.weight', m[b + key], kind))
    infos = b''; data = b''
    for name, a, (t, dt) in tensors:
        infos += text(name) + struct.pack('<I', a.ndim) + b''.join(struct.pack('<Q', n) for n in reversed(a.shape)) + struct.pack('<IQ', t, len(data))
        raw = np.ascontiguousarray(a, dtype=dt).tobytes(); data += raw + b'\0' * (-len(raw) % 32)
    head = b'GGUF' + struct.pack('<IQQ', 3, len(tensors), len(kvs)) + b''.join(kvs) + infos; head += b'\0' * (-len(head) % 32)
    with open(path + '.new', 'wb') as f: f.write(head + data)
    os.replace(path + '.new', path); print('wrote', path, os.path.getsize(path), 'bytes,', seen, 'tokens seen')

if __name__ == '__main__':
    ap = argparse.ArgumentParser(); ap.add_argument('--work', default='models/training/work'); ap.add_argument('--out', default='models/loam-demo.gguf')
    ap.add_argument('--between', default=''); ap.add_argument('--share', type=float, default=0.3); a = ap.parse_args()
    c = torch.load(f'{a.work}/checkpoint.pt', map_location='cpu')
    if a.between:
        import begin  # beside this file
        meta, tensors = begin.read(a.between); old = begin.weights(tensors); place = {p: i for i, p in enumerate(meta['tokenizer.ggml.tokens'])}
        pieces = json.load(open(f'{a.work}/tokenizer.json'))['pieces']; both = [(i, place[p]) for i, p in enumerate(pieces) if p in place]
        for k, w in c['m'].items():
            w = c['m'][k] = w.float(); now, was = zip(*both)
            if k in ('e.weight', 'h.weight'): w[list(now)] = (1 - a.share) * old[k][list(was)] + a.share * w[list(now)]
            else: w.copy_((1 - a.share) * old[k] + a.share * w)
    write(a.out, c, a.work)
