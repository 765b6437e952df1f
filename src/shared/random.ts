/** A repeatable random source. The same seed gives the same numbers on every machine. */
export interface Rng {
  /** Uniform in [0, 1). */
  next(): number
  /** Uniform integer in [0, n). */
  int(n: number): number
  pick<T>(items: readonly T[]): T
  /** `count` different items, in random order; all of them when there are fewer. */
  sample<T>(items: readonly T[], count: number): T[]
  /** True with probability p. */
  chance(p: number): boolean
}

/** 32-bit FNV-1a with a final mix; used for seeds and for hashed features, never for security. */
export function hash32(text: string, basis = 0x811c9dc5): number {
  let hash = basis
  for (let i = 0; i < text.length; i++) {
    hash ^= text.charCodeAt(i)
    hash = Math.imul(hash, 0x01000193)
  }
  hash ^= hash >>> 16
  hash = Math.imul(hash, 0x7feb352d)
  hash ^= hash >>> 15
  return hash >>> 0
}

/** A generator (sfc32) seeded by any text; different texts give unrelated sequences. */
export function createRng(seed: string): Rng {
  let a = hash32(seed, 0x9e3779b9)
  let b = hash32(seed, 0x243f6a88)
  let c = hash32(seed, 0xb7e15162)
  let d = 1
  const raw = (): number => {
    const t = (((a + b) | 0) + d) | 0
    d = (d + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = (c << 21) | (c >>> 11)
    c = (c + t) | 0
    return (t >>> 0) / 4294967296
  }
  for (let i = 0; i < 12; i++) raw()
  const int = (n: number): number => Math.floor(raw() * n)
  return {
    next: raw,
    int,
    pick: (items) => {
      const item = items[int(items.length)]
      if (item === undefined) throw new RangeError('pick from an empty list')
      return item
    },
    sample: (items, count) => {
      const pool = [...items]
      for (let i = pool.length - 1; i > 0; i--) {
        const j = int(i + 1)
        const holding = pool[i] as (typeof pool)[number]
        pool[i] = pool[j] as (typeof pool)[number]
        pool[j] = holding
      }
      return pool.slice(0, count)
    },
    chance: (p) => raw() < p,
  }
}
