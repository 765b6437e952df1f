"""Fits the constants of the recall floor (src/core/retrieval/floor.ts) from rows that test/bench/floor.bench.ts writes (numpy, scipy).

  python fit_floor.py FEATURES.json

Weights are at least 0, so that more evidence never counts less; related and unrelated candidates weigh alike. The floor is a line over ln N up to
150 items through the 98th percentiles of the best unrelated evidence at each size, those of the set (fresh or everyday) that has more of it, and a
flatter one beyond. What ships: these weights as they were fitted with fewer asks, and the lines by the percentiles of the choosing halves under them
(-1 + 1.45 ln N, .15 beyond), the second of which was doubled by hand, since the notes of large memories are made from 20 patterns.
"""
import json, sys
import numpy as np
from scipy.optimize import minimize

rows = json.load(open(sys.argv[1]))
names = ["words", "meaning", "cover"]
use = [r for r in rows if not r["related"] or r["y"] == 1]  # other items of a related memory are neither
A, y = np.array([[r[n] for n in names] for r in use]), np.array([r["y"] for r in use])
w = np.where(y == 1, 1 / (y == 1).sum(), 1 / (y == 0).sum())
sd, mu = A.std(0) + 1e-9, A.mean(0)
Z = (A - mu) / sd


def loss(b):
    z = b[0] + Z @ b[1:]
    p = 1 / (1 + np.exp(-z))
    return (w * (np.logaddexp(0, z) - y * z)).sum() + 1e-3 * (b[1:] ** 2).sum(), np.r_[(w * (p - y)).sum(), Z.T @ (w * (p - y)) + 2e-3 * b[1:]]


b = minimize(loss, np.zeros(4), jac=True, bounds=[(None, None)] + [(0, None)] * 3, method="L-BFGS-B").x
weights = b[1:] / sd
base, best = b[0] - (weights * mu).sum(), {}
for r in rows:
    if not r["related"]:
        e = base + sum(c * r[n] for c, n in zip(weights, names))
        at = best.setdefault((r["size"], r["set"].split(",")[0]), {})
        at[r["episode"]] = max(at.get(r["episode"], -99), e)
MANY = 150
sizes = sorted({size for size, _ in best})
quantiles = np.array([max(np.quantile(list(v.values()), 0.98) for (n, _), v in best.items() if n == size) for size in sizes])
L = np.log(sizes)
few = L <= np.log(MANY * 1.2)
slope, floor = np.polyfit(L[few], quantiles[few], 1)
more = L - np.log(MANY)
beyond = (more[~few] @ (quantiles[~few] - floor - slope * np.log(MANY))) / (more[~few] @ more[~few])
print(json.dumps(dict(base=round(base, 3), **dict(zip(names, np.round(weights, 3).tolist())), floor=round(floor, 3), perLogItems=round(slope, 3), perLogMore=round(beyond, 3))),
      "quantiles", np.round(quantiles, 2).tolist())
