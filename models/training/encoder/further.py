"""Trains an encoder.bin further, all languages at once: every text is pulled to the teacher's vector, one in another language to that of its English.

  python further.py --work W --from OLD.bin        W/encoder.bin

Reads W/texts.json and W/pairs.json (corpus.py) and the teacher's vectors W/text????.npy and W/pair????.npy (teach.py text, teach.py pair). The axes by
which the old file's numbers stand for the teacher's are found again from both. Words that the old file splits and that are met often get rows, which
begin as the sum of their pieces' rows. After each epoch checkpoint.pt: a stopped run goes on. Needs torch and numpy. One thread.
"""
import argparse, collections, glob, json, os
import numpy as np, torch
import torch.nn.functional as F
from table import coarse, read, write
from units import TONGUES, Units, words

MARKS = [mark for mark, _ in TONGUES]


def vectors(a, name):
    return np.concatenate([np.load(file) for file in sorted(glob.glob(f"{a.work}/{name}????.npy"))]).astype(np.float32)


def mark_of(unit):
    return unit[:3] if unit[2:3] == ":" else ""


def grow(a, of, rows, texts):
    """Rows for words that are met at least --least times and have none, after those of their language."""
    names, counts = list(of.rows), {mark: collections.Counter() for mark in MARKS}
    for mark, text in texts:
        counts[mark].update(set(words(text)))
    more = {mark: [] for mark in MARKS}
    for mark in MARKS:
        for word, count in counts[mark].most_common():
            if count < a.least[bool(mark)] or mark + word in of.rows or word.isdigit() or len(word) < 2:
                continue
            if mark and word in of.rows and counts[mark][word] < 2 * counts[""][word]:
                continue  # a name or an English word
            more[mark].append(word)
    new_names, new_rows = [], []
    for mark in MARKS:
        own = [i for i, name in enumerate(names) if mark_of(name) == mark]
        new_names += [names[i] for i in own] + [mark + word for word in more[mark]]
        new_rows += [rows[own]] + [rows[of.of_word(word, mark)].sum(0)[None] for word in more[mark]]
    print({mark: len(list_) for mark, list_ in more.items()}, "new rows")
    return new_names, np.concatenate(new_rows).astype(np.float32)


def batches(of, texts, a):
    ids = [of(text, 96, mark) for mark, text in texts]
    return np.fromiter((x for r in ids for x in r), np.int64), np.concatenate([[0], np.cumsum([len(r) for r in ids])])


def further(a):
    torch.set_num_threads(1)
    torch.manual_seed(a.seed)
    np.random.seed(a.seed)
    old, rows, W1, b1, W2 = read(a.start)
    english = [text for _, text in json.load(open(a.work + "/texts.json"))]
    target = vectors(a, "text")
    texts = [("", text) for text in english[: len(target)]]
    sides = json.load(open(a.work + "/sides.json"))
    there, side = vectors(a, "pair"), {text: i for i, text in enumerate(sides)}
    texts += [("", text) for text in sides[: len(there)]]
    pairs = [(tongue + ":", x, side[y]) for tongue, list_ in json.load(open(a.work + "/pairs.json")).items() for x, y in list_ if side.get(y, len(there)) < len(there)]
    target = np.concatenate([target, there, there[[i for _, _, i in pairs]]])
    texts += [(mark, x) for mark, x, _ in pairs]
    names, rows = grow(a, old, rows, texts)
    of = Units(names)
    flat, off = batches(of, texts, a)
    use = np.array([i for i in range(len(texts)) if off[i + 1] > off[i]])
    first = len(english)

    E = torch.from_numpy(rows)
    W1, b1, W2 = (torch.nn.Parameter(torch.from_numpy(np.array(p, np.float32))) for p in (W1, b1, W2))

    def encode(table, index, starts, weights):
        z = F.normalize(F.embedding_bag(index, table, starts, mode="sum", per_sample_weights=weights), dim=1)
        return F.normalize(z + F.relu(z @ W1.T + b1) @ W2.T, dim=1)

    def bag(batch, drop):
        f = torch.from_numpy(np.concatenate([flat[off[i] : off[i + 1]] for i in batch]))
        return f, torch.from_numpy(np.concatenate([[0], np.cumsum(off[batch + 1] - off[batch])[:-1]])), (torch.rand(len(f)) >= drop).float() + 1e-4

    def embed(batch, drop=0.0, fine=False):
        f, starts, weights = bag(batch, drop)
        unique, index = torch.unique(f, return_inverse=True)
        return encode(E[unique] if fine else coarse(E[unique]), index, starts, weights)

    # Axes: the rotation that brings the teacher's vectors nearest to the old file's.
    sample = np.random.choice(use[use < first], 40000, replace=False)
    with torch.no_grad():
        own = torch.cat([embed(part, fine=True) for part in np.array_split(sample, 40)]).numpy()
    u, _, v = np.linalg.svd(target[sample].T @ own, full_matrices=False)
    axes = u @ v
    T = F.normalize(torch.from_numpy(target @ axes), dim=1)

    english_ids, others = use[use < first], use[use >= first + len(there)]
    held = np.concatenate([english_ids[:2048]])
    held_pairs = np.random.RandomState(3).choice(others, 1500, replace=False)
    out = set(held) | set(held_pairs)
    learn = np.array([i for i in use if i not in out])

    def check():
        with torch.no_grad():
            s = embed(held)
            S, Q = s @ s.T, torch.from_numpy(target[held] @ target[held].T)
            S.fill_diagonal_(-9)
            Q.fill_diagonal_(-9)
            near = (S.topk(10, 1).indices[:, :, None] == Q.topk(10, 1).indices[:, None, :]).any(2).float().mean()
            p = embed(held_pairs)
            first_own = ((p @ T[held_pairs].T).argmax(1) == torch.arange(len(held_pairs))).float().mean()
            return f"held out: cosine {(s * T[held]).sum(1).mean():.4f}, nearest ten in common {near:.4f}; pairs: cosine {(p * T[held_pairs]).sum(1).mean():.4f}, own first {first_own:.3f}"

    print(len(learn), "texts", len(flat), "units", len(names), "rows;", check(), flush=True)
    adam = torch.optim.Adam([W1, b1, W2], lr=1e-3)
    m, v, step, begin = torch.zeros_like(E), torch.zeros_like(E), 0, 0
    steps = a.epochs * (len(learn) // a.batch)
    checkpoint = a.work + "/checkpoint.pt"
    if os.path.exists(checkpoint):
        saved = torch.load(checkpoint)
        E, m, v, step, begin = saved["E"], saved["m"], saved["v"], saved["step"], saved["epoch"]
        for parameter, value in zip((W1, b1, W2), saved["layer"]):
            parameter.data = value
        adam.load_state_dict(saved["adam"])
    for epoch in range(begin, a.epochs):
        order, total = np.random.permutation(learn), 0.0
        for at in range(0, len(order) - a.batch + 1, a.batch):
            batch = order[at : at + a.batch]
            f, starts, weights = bag(batch, a.drop)
            unique, index = torch.unique(f, return_inverse=True)
            table = E[unique]
            table = (coarse(table) if epoch >= a.epochs - a.coarse else table).requires_grad_()
            s = encode(table, index, starts, weights)
            loss = (1 - (s * T[batch]).sum(1)).mean()
            total += loss.item()
            if a.likeness:
                with torch.no_grad():
                    q = F.softmax((T[batch] @ T[batch].T).fill_diagonal_(-9) / a.heat, dim=1)
                loss = loss + a.likeness * F.kl_div(F.log_softmax((s @ s.T).fill_diagonal_(-9) / a.heat, dim=1), q, reduction="batchmean")
            adam.zero_grad()
            loss.backward()
            step += 1
            slope = min(1, step / 50) * (1 - step / (steps + 1))
            adam.param_groups[0]["lr"] = a.layer_lr * slope
            adam.step()
            with torch.no_grad():  # Adam over the rows of this batch alone
                mm, vv = m[unique] * 0.9 + 0.1 * table.grad, v[unique] * 0.99 + 0.01 * table.grad**2
                m[unique], v[unique] = mm, vv
                E[unique] -= a.lr * slope / 3 * mm / (vv.sqrt() + 1e-8)
        torch.save(dict(E=E, m=m, v=v, step=step, epoch=epoch + 1, layer=[W1.data, b1.data, W2.data], adam=adam.state_dict()), checkpoint)
        print(f"epoch {epoch + 1} loss {total / max(1, len(order) // a.batch):.4f}", check(), flush=True)
        write(a.work + "/encoder.bin", names, E.numpy(), W1.detach().numpy(), b1.detach().numpy(), W2.detach().numpy())
    os.remove(checkpoint)


if __name__ == "__main__":
    p = argparse.ArgumentParser()
    p.add_argument("--work", required=True)
    p.add_argument("--from", dest="start", required=True)
    p.add_argument("--least", type=int, nargs=2, default=[4, 2], help="how often a word is met to get a row: English, others")
    for name, value in dict(epochs=8, coarse=3, batch=1024, lr=1e-2, layer_lr=7e-4, drop=0.1, likeness=0.0, heat=0.05, seed=1).items():
        p.add_argument("--" + name, type=type(value), default=value)
    further(p.parse_args())
