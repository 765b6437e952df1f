"""Trains the table and writes encoder.bin.  Steps, in this order (teach.py between the first two), each into --work:

  python table.py units     units.json    English words and pieces, and how often each is
  python table.py train     table.npz     rows and one hidden layer, pulled to the teacher's vectors; the last epochs over rows of 4 bits
  python table.py tongues   LANG.npz      rows of the other languages, pulled to where the English rows put the translation
  python table.py golds     (printed)     rows and vectors of a few texts, for the reader's test
  python table.py pack      encoder.bin   4 bits a number of a row, 8 bits of the hidden layer

Needs torch and numpy. Deterministic for a seed and a version of torch. One thread.
"""
import argparse, collections, glob, json, os, struct
import numpy as np
from units import TONGUES, Units, tongue_of, words

LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
WEIGHT = {"example": 2, "other-word": 0.5, "gloss": 1, "synonyms": 0.3, "emoji": 0.3, "home": 0.7, "docs": 0.5, "packages": 0.1, "made": 0.3}
TONGUE = 0.2  # of a vector's last numbers, one a language, the one that tells the text's
MOST = 7  # a number of a row is one of -7..7 times the row's scale


def load(a, name):
    return json.load(open(f"{a.work}/{name}.json"))


def pieces_of(counts, whole, count):
    """Beginnings and inner parts of the words that have no row of their own, by the letters they would cover."""
    begin, inner = collections.Counter(), collections.Counter()
    for word, n in counts.items():
        if word in whole or word.isdigit():
            continue
        for size in range(2, 10):
            if size < len(word):
                begin[word[:size]] += min(n, 5) * size
            for at in range(1, len(word) - size + 1):
                inner["##" + word[at : at + size]] += min(n, 5) * size * (1.5 if at + size == len(word) else 1)
    single = [c for c in LETTERS if c not in whole] + ["##" + c for c in LETTERS]
    return single + [w for w, _ in begin.most_common(count) if w not in whole][: count // 4] + [w for w, _ in inner.most_common(count * 3 // 4)]


def units(a):
    score, raw = collections.Counter(), collections.Counter()
    for source, texts in load(a, "all-texts").items():
        counted = collections.Counter(word for text in texts for word in words(text))
        raw.update(counted)
        for word, n in counted.items():
            score[word] += WEIGHT[source] * n / sum(counted.values())
    known = [w for w, _ in score.most_common() if raw[w] >= 2 and not (w.isdigit() and len(w) > 4)][: a.words]
    pairs_of_digits = ["##" + x + y for x in "0123456789" for y in "0123456789"]
    names = list(dict.fromkeys(known + pairs_of_digits + pieces_of(raw, set(known), a.pieces)))
    total = sum(score.values())
    json.dump({"units": names, "share": [score[u] / total for u in names]}, open(a.work + "/units.json", "w"))
    print(len(names), "units; whole words cover", sum(score[w] for w in known) / total)


def scales(rows):
    """Scale of each row by which -7..7 stand for it: of a few, the one that is off by least."""
    best = np.abs(rows).max(1, keepdims=True) / MOST + 1e-12
    least = ((np.clip(np.round(rows / best), -MOST, MOST) * best - rows) ** 2).sum(1, keepdims=True)
    for part in (0.9, 0.8, 0.7, 0.6):
        scale = np.abs(rows).max(1, keepdims=True) * part / MOST + 1e-12
        off = ((np.clip(np.round(rows / scale), -MOST, MOST) * scale - rows) ** 2).sum(1, keepdims=True)
        best, least = np.where(off < least, scale, best), np.minimum(off, least)
    return best


def coarse(rows):
    import torch

    scale = torch.from_numpy(scales(rows.numpy()).astype(np.float32))
    return torch.clamp(torch.round(rows / scale), -MOST, MOST) * scale


def train(a):
    import torch
    import torch.nn.functional as F

    torch.set_num_threads(1)
    torch.manual_seed(a.seed)
    np.random.seed(a.seed)
    spec = load(a, "units")
    of = Units(spec["units"])
    vectors = lambda name: np.concatenate([np.load(f) for f in sorted(glob.glob(f"{a.work}/{name}????.npy"))]).astype(np.float32)
    target, initial = vectors("text"), vectors("unit")
    texts = [t for _, t in load(a, "texts")][: len(target)]
    ids = [of(t, 96, "") for t in texts]
    # Principal axes of the teacher's space, not centred, so that cosines stay what they are.
    _, axes = np.linalg.eigh(target[:60000].T @ target[:60000])
    axes = axes[:, ::-1][:, : a.dim].copy()
    T = F.normalize(torch.from_numpy(target @ axes), dim=1)
    first = initial @ axes
    first -= first.mean(0) * 0.5
    share = np.array(spec["share"])
    first *= (1e-3 / (1e-3 + share))[:, None] / np.linalg.norm(first, axis=1, keepdims=True)
    E = torch.from_numpy(first.astype(np.float32))
    W1, b1, W2 = (torch.nn.Parameter(p) for p in (torch.randn(a.hidden, a.dim) * a.dim**-0.5, torch.zeros(a.hidden), torch.zeros(a.dim, a.hidden)))
    adam = torch.optim.Adam([W1, b1, W2], lr=1e-3)
    flat, off = np.fromiter((x for r in ids for x in r), np.int64), np.concatenate([[0], np.cumsum([len(r) for r in ids])])
    use = np.array([i for i in range(len(ids)) if ids[i]])
    cut = min(2048, len(ids) // 10)
    held, learn = use[use < cut], use[use >= cut]

    def encode(rows, index, starts, weights):
        z = F.normalize(F.embedding_bag(index, rows, starts, mode="sum", per_sample_weights=weights), dim=1)
        return F.normalize(z + F.relu(z @ W1.T + b1) @ W2.T, dim=1)

    def bag(batch, drop):
        f = torch.from_numpy(np.concatenate([flat[off[i] : off[i + 1]] for i in batch]))
        starts = torch.from_numpy(np.concatenate([[0], np.cumsum(off[batch + 1] - off[batch])[:-1]]))
        return f, starts, (torch.rand(len(f)) >= drop).float() + 1e-4

    def check():
        with torch.no_grad():
            f, starts, weights = bag(held, 0.0)
            unique, index = torch.unique(f, return_inverse=True)
            s = encode(coarse(E[unique]), index, starts, weights)
            S, Q = s @ s.T, torch.from_numpy(target[held]) @ torch.from_numpy(target[held]).T
            S.fill_diagonal_(-9)
            Q.fill_diagonal_(-9)
            near = (S.topk(10, 1).indices[:, :, None] == Q.topk(10, 1).indices[:, None, :]).any(2).float().mean()
            return f"held out, 4 bits: cosine to the teacher {(s * T[held]).sum(1).mean():.4f}, nearest ten in common {near:.4f}"

    print(len(learn), "texts", len(flat), "units;", check(), flush=True)
    m, v, step, begin = torch.zeros_like(E), torch.zeros_like(E), 0, 0
    steps = a.epochs * (len(learn) // a.batch)
    if os.path.exists(a.work + "/checkpoint.pt"):  # goes on after the last whole epoch
        saved = torch.load(a.work + "/checkpoint.pt")
        E, m, v, step, begin = saved["E"], saved["m"], saved["v"], saved["step"], saved["epoch"]
        for parameter, value in zip((W1, b1, W2), saved["layer"]):
            parameter.data = value
        adam.load_state_dict(saved["adam"])
    for epoch in range(begin, a.epochs):
        order = np.random.permutation(learn)
        for at in range(0, len(order) - a.batch + 1, a.batch):
            batch = order[at : at + a.batch]
            f, starts, weights = bag(batch, a.drop)
            unique, index = torch.unique(f, return_inverse=True)
            rows = E[unique]
            rows = (coarse(rows) if epoch >= a.epochs - a.coarse else rows).requires_grad_()  # the slope of the coarse row moves the fine one
            loss = (1 - (encode(rows, index, starts, weights) * T[batch]).sum(1)).mean()
            adam.zero_grad()
            loss.backward()
            step += 1
            slope = min(1, step / 50) * (1 - step / (steps + 1))
            adam.param_groups[0]["lr"] = 1e-3 * slope
            adam.step()
            with torch.no_grad():  # Adam over the rows of this batch alone
                mm, vv = m[unique] * 0.9 + 0.1 * rows.grad, v[unique] * 0.99 + 0.01 * rows.grad**2
                m[unique], v[unique] = mm, vv
                E[unique] -= a.lr * slope / 3 * mm / (vv.sqrt() + 1e-8)
        torch.save(dict(E=E, m=m, v=v, step=step, epoch=epoch + 1, layer=[W1.data, b1.data, W2.data], adam=adam.state_dict()), a.work + "/checkpoint.pt")
        print(f"epoch {epoch + 1} loss {loss.item():.4f}", check(), flush=True)
    np.savez(a.work + "/table.npz", E=E.numpy(), W1=W1.detach().numpy(), b1=b1.detach().numpy(), W2=W2.detach().numpy())
    os.remove(a.work + "/checkpoint.pt")


def tongues(a):
    import torch
    import torch.nn.functional as F

    torch.set_num_threads(1)
    E, english = np.load(a.work + "/table.npz")["E"], Units(load(a, "units")["units"])
    for tongue, all_pairs in load(a, "pairs").items():
        torch.manual_seed(a.seed)
        np.random.seed(a.seed)
        pairs = [(x, y) for x, y in all_pairs if words(x) and words(y)]
        count = collections.Counter(w for x, _ in pairs for w in set(words(x)))
        whole = [w for w, n in count.most_common(a.words) if n >= 2]  # words met once are cut, so that pieces learn too
        names = list(dict.fromkeys(whole + pieces_of(count, set(whole), a.pieces)))
        own, X, T = Units([f"{tongue}:{name}" for name in names]), [], []
        for x, y in pairs:
            rows, there = own(x, 64, tongue + ":"), english(y, 96, "")
            if rows and there and np.linalg.norm(E[there].sum(0)) > 0:
                X.append(rows)
                T.append(E[there].sum(0) / np.linalg.norm(E[there].sum(0)))
        T = np.stack(T).astype(np.float32)
        R, seen = np.zeros((len(names), E.shape[1]), np.float32), np.zeros(len(names))
        for rows, t in zip(X, T):
            for i in rows:
                R[i] += t / len(rows)
                seen[i] += 1 / len(rows)
        share = np.array([count.get(n.replace("##", ""), 1) for n in names], float)
        share /= share.sum()
        R *= ((1e-3 / (1e-3 + share)) / np.maximum(np.linalg.norm(R, axis=1), 1e-6))[:, None]
        R, T = torch.from_numpy(R.astype(np.float32)), torch.from_numpy(T)
        m, v, order = torch.zeros_like(R), torch.zeros_like(R), np.random.permutation(len(X))
        held, learn = order[: min(1000, len(X) // 20)], order[min(1000, len(X) // 20) :]

        def bag(batch):
            sizes = [len(X[i]) for i in batch]
            return torch.tensor([r for i in batch for r in X[i]]), torch.tensor([0] + list(np.cumsum(sizes)[:-1]))

        def check():
            f, starts = bag(held)
            s = F.normalize(F.embedding_bag(f, R, starts, mode="sum"), dim=1)
            return ((s @ T[held].T).argmax(1) == torch.arange(len(held))).float().mean().item()

        best, kept = check(), R.clone()
        print(tongue, len(X), "pairs", len(names), f"rows; own translation first of {len(held)}: {best:.3f}")
        for epoch in range(a.epochs):
            for batch in np.array_split(np.random.permutation(learn), max(1, len(learn) // 512)):
                f, starts = bag(batch)
                unique, index = torch.unique(f, return_inverse=True)
                rows = R[unique].clone().requires_grad_()
                s = F.normalize(F.embedding_bag(index, rows, starts, mode="sum", per_sample_weights=(torch.rand(len(f)) > 0.1).float() + 1e-4), dim=1)
                (1 - (s * T[batch]).sum(1)).mean().backward()
                mm, vv = m[unique] * 0.9 + 0.1 * rows.grad, v[unique] * 0.99 + 0.01 * rows.grad**2
                m[unique], v[unique] = mm, vv
                R[unique] -= 5e-3 * (1 - epoch / a.epochs) * mm / (vv.sqrt() + 1e-8)
            now = check()
            if now > best:  # few pairs are soon learnt by heart
                best, kept = now, R.clone()
            print(tongue, "epoch", epoch + 1, f"{now:.3f}", flush=True)
        np.savez(f"{a.work}/{tongue}.npz", E=kept.numpy())
        json.dump([f"{tongue}:{name}" for name in names], open(f"{a.work}/{tongue}.units.json", "w"))


def pack(a):
    z, names = np.load(a.work + "/table.npz"), load(a, "units")["units"]
    rows = [z["E"]]
    for file in sorted(glob.glob(a.work + "/??.units.json")):
        names = names + json.load(open(file))
        rows.append(np.load(file.replace(".units.json", ".npz"))["E"])
    write(a.work + "/encoder.bin", names, np.concatenate(rows), z["W1"], z["b1"], z["W2"])


def write(file, names, rows, W1, b1, W2):
    layer = np.concatenate([W1, W2.T])
    fine = scales(rows)
    nibbles = (np.clip(np.round(rows / fine), -MOST, MOST) + 8).astype(np.uint8)
    layer_scale = np.maximum(np.abs(layer).max(1), 1e-9) / 127
    header = json.dumps({"dimension": rows.shape[1], "units": len(names), "hidden": len(b1)}).encode()
    strings = "\n".join(names).encode()
    out = b"LOAMENC2" + struct.pack("<I", len(header)) + header + struct.pack("<I", len(strings)) + strings
    out += b"\0" * (-len(out) % 4)
    out += np.concatenate([fine[:, 0], layer_scale, b1]).astype("<f4").tobytes()
    out += (nibbles[:, 0::2] | (nibbles[:, 1::2] << 4)).tobytes()
    out += np.clip(np.round(layer / layer_scale[:, None]), -127, 127).astype(np.int8).tobytes()
    open(file, "wb").write(out)
    print(len(names), "rows", len(out), "bytes")


def read(file):
    """(Units, rows, W1, b1, W2) of a file that pack wrote."""
    data = open(file, "rb").read()
    end = 12 + struct.unpack("<I", data[8:12])[0]
    header = json.loads(data[12:end])
    strings_end = end + 4 + struct.unpack("<I", data[end : end + 4])[0]
    names = data[end + 4 : strings_end].decode().split("\n")
    n, hidden, dim = header["units"], header["hidden"], header["dimension"]
    at = (strings_end + 3) & ~3
    numbers = np.frombuffer(data, "<f4", n + 3 * hidden, at)
    at += 4 * (n + 3 * hidden)
    packed = np.frombuffer(data, np.uint8, n * dim // 2, at).reshape(n, dim // 2)
    rows = np.empty((n, dim), np.float32)
    rows[:, 0::2], rows[:, 1::2] = packed & 15, packed >> 4
    layer = np.frombuffer(data, np.int8, 2 * hidden * dim, at + n * dim // 2).reshape(2 * hidden, dim) * numbers[n : n + 2 * hidden, None]
    return Units(names), (rows - 8) * numbers[:n, None], layer[:hidden], numbers[n + 2 * hidden :], layer[hidden:].T


def encoder(file):
    """Vectors of texts as the app makes them."""
    of, rows, W1, b1, W2 = read(file)

    def embed(text):
        z = rows[of(text)].sum(0) if of(text) else np.zeros(rows.shape[1], np.float32)
        if not (z**2).sum() > 0:
            return z
        z = z / np.linalg.norm(z)
        z = z + W2 @ np.maximum(W1 @ z + b1, 0)
        z[-len(TONGUES) :] = 0
        z = z / np.linalg.norm(z)
        z[[mark for mark, _ in TONGUES].index(tongue_of(words(text))) - len(TONGUES)] = TONGUE
        return z / np.linalg.norm(z)

    return embed


GOLDS = ["The harbour opens at six.", "Who don't pay?", "Grandma's ring, 1962", "Where is the supercalifragilistic widget?", "", "!?", "Straße",
         "Wo ist der Schlüssel für die Garage?", "Où est la clé de la cave ?", "¿Dónde está la llave?", "x9 " * 600]


def golds(a):
    """What a reader must give: the rows of a text, and the first numbers of its vector."""
    of, embed = read(a.work + "/encoder.bin")[0], encoder(a.work + "/encoder.bin")
    print(json.dumps([{"text": text, "rows": of(text)[:40], "vector": [round(float(x), 5) for x in embed(text)[:12]]} for text in GOLDS], ensure_ascii=False))


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("step", choices=["units", "train", "tongues", "pack", "golds"])
    p.add_argument("--work", required=True)
    for name, value in dict(words=50000, pieces=5600, dim=256, hidden=768, epochs=10, coarse=3, batch=1024, lr=1.5e-2, drop=0.1, seed=1).items():
        p.add_argument("--" + name, type=type(value), default=value)
    a = p.parse_args()
    globals()[a.step](a)
