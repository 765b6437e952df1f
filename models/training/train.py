"""Trains the demo model on the text that generate.ts wrote, and writes it as GGUF.

Branch packing: one sample is a shared prefix (system prompt and recalled attempts) and several branches (tasks),
each of which sees the prefix and itself. That is exactly what each task sees alone, at a fraction of the cost.
Usage: python3 train.py --work DIR --out FILE [--tokens N] [--threads N] [--resume]
"""
import argparse, glob, json, math, os, random, sys, time
import numpy as np, torch, torch.nn as nn, torch.nn.functional as F
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

ap = argparse.ArgumentParser()
ap.add_argument('--work', default='models/training/work'); ap.add_argument('--out', default='models/loam-demo.gguf')
ap.add_argument('--tokens', type=float, default=8e6); ap.add_argument('--threads', type=int, default=1)
ap.add_argument('--until', type=float, default=0, help='stop here, before the schedule ends'); ap.add_argument('--lr', type=float, default=1.2e-3)
ap.add_argument('--reading', type=float, default=0.3, help='weight of predicting the text that is read, which teaches looking things up in it')
ap.add_argument('--batch', type=int, default=3000, help='tokens per step'); ap.add_argument('--resume', action='store_true')
ap.add_argument('--layers', type=int, default=4); ap.add_argument('--heads', type=int, default=4); ap.add_argument('--width', type=int, default=256); ap.add_argument('--ffn', type=int, default=704)
ap.add_argument('--eval-every', type=int, default=200); ap.add_argument('--shards', default='*-[0-9]*.bin'); ap.add_argument('--float32', action='store_true')
args = ap.parse_args()
torch.set_num_threads(args.threads); torch.manual_seed(7)
dev = 'cuda' if torch.cuda.is_available() else 'cpu'
tok = json.load(open(f'{args.work}/tokenizer.json')); V = len(tok['pieces']); LOW = torch.float32 if args.float32 else torch.bfloat16
D, L, H, FF = args.width, args.layers, args.heads, args.ffn; HD = D // H

def read(path):
    a = np.fromfile(path, dtype=np.uint16).astype(np.int64); i = 0; out = []
    while i < len(a):
        p, nb = int(a[i]), int(a[i + 1]); ls = a[i + 2:i + 2 + nb].tolist(); i += 2 + nb
        pre = a[i:i + p]; i += p; br = []
        for n in ls: br.append((a[i:i + n], a[i + n:i + 2 * n])); i += 2 * n
        out.append((pre, br))
    return out

def collate(samples):
    B = len(samples); NB = len(samples[0][1]); up = lambda n, k: -(-n // k) * k  # matrix kernels like round sizes
    P = up(max(len(s[0]) for s in samples), 64); Lb = up(max(len(b[0]) for s in samples for b in s[1]), 32)
    pre = np.zeros((B, P), np.int64); ok = np.zeros((B, P), bool); br = np.zeros((B, NB, Lb), np.int64); y = np.full((B, NB, Lb), -100, np.int64); z = np.full((B, NB, Lb), -100, np.int64); zp = np.full((B, P), -100, np.int64); start = np.zeros(B, np.int64)
    for i, (p, bs) in enumerate(samples):
        pre[i, :len(p)] = p; zp[i, :len(p) - 1] = p[1:]; ok[i, :len(p)] = True; start[i] = len(p)
        for j, (ids, mask) in enumerate(bs):
            br[i, j, :len(ids)] = ids; y[i, j, :len(ids) - 1] = np.where(mask[1:] == 1, ids[1:], -100); z[i, j, :len(ids) - 1] = np.where(mask[1:] == 1, -100, ids[1:])
    t = lambda x: torch.from_numpy(x).to(dev)
    return t(pre), t(ok), t(br), t(y), t(start), t(zp), t(z)

ROPE_BASE = 1e8  # slow rotations for matching by content far away, a few fast ones for matching by position
inv = 1.0 / (ROPE_BASE ** (torch.arange(0, HD, 2).float() / HD)); MAXPOS = 4096
ang = torch.outer(torch.arange(MAXPOS).float(), inv); CIS = torch.polar(torch.ones_like(ang), ang).to(dev)
def rope(x, pos):  # x [..., T, H, HD], pos [..., T]; adjacent pairs, as llama.cpp's llama architecture rotates
    z = torch.view_as_complex(x.float().view(*x.shape[:-1], HD // 2, 2)) * CIS[pos].unsqueeze(-2)
    return torch.view_as_real(z).flatten(-2).to(x.dtype)

class Norm(nn.Module):
    def __init__(s): super().__init__(); s.w = nn.Parameter(torch.ones(D))
    def forward(s, x): x = x.float(); return (x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-5) * s.w).to(LOW)

class Block(nn.Module):
    def __init__(s):
        super().__init__(); s.n1 = Norm(); s.n2 = Norm()
        s.q, s.k, s.v, s.o = (nn.Linear(D, D, bias=False) for _ in range(4)); s.g = nn.Linear(D, FF, bias=False); s.u = nn.Linear(D, FF, bias=False); s.d = nn.Linear(FF, D, bias=False)
    def attend(s, h, *a):
        k, v = s.k(h), s.v(h); n = a[0] * a[1]; q = s.q(h.split([n, h.shape[0] - n])[1] if a[-1] else h)
        with torch.autocast(dev, enabled=False): y = s.mix(q, k, v, *a)  # autocast would run the softmax in 32 bits
        return s.o(y)
    def mix(s, q, k, v, B, P, NB, Lb, ppos, bpos, padmask, causalP, causalB, last):
        n, nb = B * P, B * NB * Lb; sc = 1 / math.sqrt(HD); out = []
        heads = lambda x, T: x.view(B, T, H, HD); turn = lambda x: x.transpose(1, 2)
        kp, kb = k.split([n, nb]); vp, vb = v.split([n, nb])
        kp, kb, vp, vb = turn(rope(heads(kp, P), ppos)), turn(rope(heads(kb, NB * Lb), bpos)), turn(heads(vp, P)), turn(heads(vb, NB * Lb))
        if last: qb = q
        else:
            qp, qb = q.split([n, nb]); qp = turn(rope(heads(qp, P), ppos)) * sc
            out.append(turn((qp @ kp.transpose(-1, -2)).add_(causalP).softmax(-1) @ vp).reshape(n, D))
        qb = turn(rope(heads(qb, NB * Lb), bpos)) * sc                                    # [B,H,NB*Lb,HD]
        fold = lambda x: x.reshape(B, H, NB, Lb, HD)
        s1 = (qb @ kp.transpose(-1, -2)).add_(padmask)                                    # [B,H,NB*Lb,P]
        s2 = (fold(qb) @ fold(kb).transpose(-1, -2)).add_(causalB)                        # [B,H,NB,Lb,Lb]
        w1, w2 = torch.cat([s1.view(B, H, NB, Lb, P), s2], -1).softmax(-1).split([P, Lb], -1)
        ob = w1.reshape(B, H, NB * Lb, P) @ vp + (w2 @ fold(vb)).reshape(B, H, NB * Lb, HD)
        out.append(turn(ob).reshape(nb, D)); return torch.cat(out) if len(out) > 1 else out[0]
    def forward(s, x, *a):
        y = s.attend(s.n1(x), *a)
        if a[-1]: x = x.split([x.shape[0] - y.shape[0], y.shape[0]])[1]  # the last layer's prefix only serves as keys and values
        x = x + y; h = s.n2(x); return x + s.d(F.silu(s.g(h)) * s.u(h))

class Model(nn.Module):
    def __init__(s):
        super().__init__(); s.e = nn.Embedding(V, D); s.b = nn.ModuleList(Block() for _ in range(L)); s.n = Norm(); s.h = nn.Linear(D, V, bias=False)
        for name, p in s.named_parameters():
            if p.dim() > 1: nn.init.normal_(p, 0, 1 / math.sqrt(p.shape[1]))
        if L > 1 and HD >= 64: s.wire()
    @torch.no_grad()
    def wire(s):
        """Starts the first two layers as an induction circuit, which otherwise takes millions of tokens to appear:
        two heads of layer 0 look one and two tokens back, two heads of layer 1 look for the place after an earlier
        copy of this token (or of this and the one before) and copy what stands there to the output."""
        T, A, B = slice(1, 112), slice(112, 160), slice(160, 192); O = slice(192, 256); CONST = 4.0
        e = s.e.weight; e.zero_(); e[:, 0] = CONST; e[:, T] = torch.randn(V, 111); e[:, 112:] = 0.05 * torch.randn(V, D - 112)
        rms = math.sqrt((CONST ** 2 + 111) / D); c = CONST / rms; fast = 9; kappa = math.sqrt(7 * math.sqrt(HD)) / c
        rows = lambda h, a=0, b=HD: slice(h * HD + a, h * HD + b)
        look = lambda n: torch.linalg.qr(torch.randn(111, n))[0].T  # n x 111, orthonormal rows
        one, copy = look(48), look(64); two = one[:32]
        b = s.b[0]
        for h, back, slot, view in ((0, 1, A, one), (1, 2, B, two)):
            for w in (b.q, b.k): w.weight[rows(h)] *= 0.1
            for i in range(fast):
                b.q.weight[h * HD + 2 * i, 0] += kappa * math.cos(back * inv[i].item()); b.q.weight[h * HD + 2 * i + 1, 0] -= kappa * math.sin(back * inv[i].item()); b.k.weight[h * HD + 2 * i, 0] += kappa
            n = view.shape[0]; b.v.weight[rows(h)] = 0; b.v.weight[rows(h, 0, n), T] = view * rms; b.o.weight[:, rows(h)] *= 0.1; b.o.weight[slot, rows(h, 0, n)] += torch.eye(n)
        b = s.b[1]; S = math.sqrt(3.0)
        for h in (0, 1):
            for w in (b.q, b.k): w.weight[rows(h)] *= 0.1
            a = HD - 40; n = 40 if h == 0 else 24
            b.q.weight[rows(h, a, a + n), T] += S * one[:n]; b.k.weight[rows(h, a, a + n), A] += S * torch.eye(48)[:n]
            if h == 1: b.q.weight[rows(h, a + n, HD), A] += S * torch.eye(48)[:16]; b.k.weight[rows(h, a + n, HD), B] += S * torch.eye(32)[:16]
            b.v.weight[rows(h)] = 0; b.v.weight[rows(h), T] = copy * rms; b.o.weight[:, rows(h)] *= 0.1; b.o.weight[O, rows(h)] += 0.5 * torch.eye(64)
        for layer in s.b: layer.o.weight *= 1 / math.sqrt(2 * L) if layer not in (s.b[0], s.b[1]) else 1; layer.d.weight *= 1 / math.sqrt(2 * L)
        s.h.weight[:, O] += 0.12 * e[:, T] @ copy.T
    def forward(s, pre, ok, br, y, start, zp, z, reading=False):
        B, P = pre.shape; NB, Lb = br.shape[1:]
        ppos = torch.arange(P, device=dev).expand(B, P); bpos = (start[:, None, None] + torch.arange(Lb, device=dev)).expand(B, NB, Lb).reshape(B, NB * Lb)
        dt = LOW
        causalP = torch.full((P, P), -1e4, device=dev, dtype=dt).triu(1); causalB = torch.full((Lb, Lb), -1e4, device=dev, dtype=dt).triu(1)
        padmask = torch.where(ok, 0., -1e4).to(dt)[:, None, None, :]
        x = torch.cat([s.e(pre).view(B * P, D), s.e(br).view(B * NB * Lb, D)]).float()
        for i, b in enumerate(s.b): x = b(x, B, P, NB, Lb, ppos, bpos, padmask, causalP, causalB, i == L - 1 and not reading)
        flat = y.reshape(-1); keep = (flat >= 0).nonzero().squeeze(-1); own = x.split([B * P, x.shape[0] - B * P])[1] if reading else x
        out = s.h(s.n(own[keep])), flat[keep], keep
        if not reading: return out
        rest = torch.cat([zp.reshape(-1), z.reshape(-1)]); at = (rest >= 0).nonzero().squeeze(-1)
        return out + (s.h(s.n(x[at])), rest[at])

EVALS = [name for name in ('eval', 'eval-workplaces', 'eval-desks') if os.path.exists(f'{args.work}/{name}.bin')]
def report(m):
    m.eval(); [print('EVAL', name, evaluate(m, name), flush=True) for name in EVALS]; m.train()

def auto(): return torch.autocast(dev, dtype=torch.bfloat16, enabled=not args.float32)

@torch.no_grad()
def evaluate(m, name):
    data = read(f'{args.work}/{name}.bin'); groups = json.load(open(f'{args.work}/{name}.groups.json')); tally = {}
    for (s, g) in zip(data, groups):
        batch = collate([s])
        with auto(): lo, tgt, keep = m(*batch)
        good = (lo.argmax(-1) == tgt).cpu().numpy(); br = (keep // batch[2].shape[2]).cpu().numpy()
        if not g: a = tally.setdefault('drill tokens', [0, 0]); a[0] += int(good.sum()); a[1] += len(good)
        for j, (k, unknown, needed) in enumerate(g):
            right = bool(good[br == j].all())
            for key in ('all', f'cases {"0" if k == 0 else "1-4" if k <= 4 else "5+"} unknown {unknown if unknown < 2 else "2+"}'):
                a = tally.setdefault(key, [0, 0]); a[0] += right; a[1] += 1
    return {k: f'{a / n:.2f}/{n}' for k, (a, n) in sorted(tally.items())}

m = Model().to(dev); print('parameters', sum(p.numel() for p in m.parameters()), 'vocabulary', V, dev, flush=True)
decayed = [p for p in m.parameters() if p.dim() == 2]; plain = [p for p in m.parameters() if p.dim() < 2]
opt = torch.optim.AdamW([dict(params=decayed, weight_decay=0.05), dict(params=plain, weight_decay=0)], lr=args.lr, betas=(0.9, 0.95))
def grow(c):
    """Lets a checkpoint with fewer pieces go on: a new piece starts as a copy of one that is the same word in other letters, else as a fresh one."""
    old = c['m']['e.weight'].shape[0]
    if old == V: return
    for name in ('e.weight', 'h.weight'):
        like = {p.replace('\u2581', '').lower(): i for i, p in enumerate(tok['pieces'][:old])}
        w = dict(m.named_parameters())[name].detach().clone(); w[:old] = c['m'][name]
        for i in range(old, V):
            twin = like.get(tok['pieces'][i].replace('\u2581', '').lower())
            if twin is not None: w[i] = w[twin] + 0.02 * torch.randn(D)
            else: like[tok['pieces'][i].replace('\u2581', '').lower()] = i
        c['m'][name] = w
    c['o'] = opt.state_dict(); c['earlier'] = c.get('earlier', 0) + c['seen']; c['seen'] = 0; c['step'] = 0; c['shard'] = 0
ckpt = f'{args.work}/checkpoint.pt'; seen = step = shard_start = earlier = 0
if args.resume and os.path.exists(ckpt):
    c = torch.load(ckpt, map_location=dev); grow(c); m.load_state_dict(c['m']); c['o'] and opt.load_state_dict(c['o']); seen, step, shard_start, earlier = c['seen'], c['step'], c['shard'], c.get('earlier', 0)
def save(shard): torch.save(dict(m=m.state_dict(), o=opt.state_dict(), seen=seen, earlier=earlier, step=step, shard=shard, shape=(D, L, H, FF)), ckpt + '.new'); os.replace(ckpt + '.new', ckpt)
if not seen: report(m)
t0 = time.time(); seen0 = seen; shard = shard_start; log = []; done = False
while not done:
    files = sorted(glob.glob(f'{args.work}/{args.shards}'), key=lambda f: (int(''.join(filter(str.isdigit, os.path.basename(f)))), f))
    data = read(files[shard % len(files)]); random.Random(shard).shuffle(data)
    batches = []
    for c in range(0, len(data), 768):
        chunk = sorted(data[c:c + 768], key=lambda s: (-(-max(len(b[0]) for b in s[1]) // 64), len(s[0]))); cur = []; size = 0
        for s in chunk:
            n = len(s[0]) + sum(len(b[0]) for b in s[1])
            if cur and (size + n > args.batch or len(s[0]) > len(cur[0][0]) * 1.5 + 64): batches.append(cur); cur = []; size = 0
            cur.append(s); size += n
        if cur: batches.append(cur)
    random.Random(shard).shuffle(batches)
    for b in batches:
        f = min(1, seen / args.tokens); scale = min(1, (step + 1) / 100) * (1 if f < 0.4 else 0.02 + 0.98 * 0.5 * (1 + math.cos(math.pi * (f - 0.4) / 0.6)))
        for g in opt.param_groups: g['lr'] = args.lr * scale
        with auto(): lo, tgt, _, lo2, tgt2 = m(*collate(b), reading=True)
        own = F.cross_entropy(lo.float(), tgt); loss = own + args.reading * F.cross_entropy(lo2.float(), tgt2)
        opt.zero_grad(set_to_none=True)
        loss.backward(); nn.utils.clip_grad_norm_(m.parameters(), 1.0)
        opt.step()
        step += 1; seen += sum(len(s[0]) + sum(len(x[0]) for x in s[1]) for s in b); log.append(own.item())
        if step % 25 == 0: print(step, f'loss {np.mean(log[-25:]):.4f} tokens {seen / 1e6:.2f}M {(seen - seen0) / (time.time() - t0):.0f}/s lr {scale:.2f}', flush=True)
        if step % args.eval_every == 0: report(m)
        if step % 50 == 0: save(shard)
        if seen >= (args.until or args.tokens): done = True; break
    shard += 1
save(shard)
if not args.until:
    for name in (*EVALS, 'eval-phrasing', 'eval-kinds'): print('FINAL', name, evaluate(m, name), flush=True)
