/** What is believed of one statement. */
interface Held {
  /** That it is right. */
  p: number
  /** Attempts of its place when `p` was last brought up to date. */
  at: number
  /** Attempts of its place when it was last seen at first hand; null where it was only told. */
  seen: number | null
  /** When that was, as an ISO time; empty where it was not. */
  time: string
}

/** A statement that an attempt relied on. */
export interface Relied {
  readonly subject: string
  readonly value: string
}

/** Beliefs as they are kept in a checkpoint. */
export interface SavedBeliefs {
  readonly places: readonly (readonly [
    place: string,
    attempts: number,
    held: readonly (readonly [
      subject: string,
      value: string,
      p: number,
      at: number,
      seen: number | null,
      time: string,
    ])[],
  ])[]
  readonly reading: readonly [solved: number, judged: number]
}

/** What is seen is right with this probability: it may have been misread. */
const SEEN = 0.97
/** What an agent says without having seen it, and what nobody has tried yet. */
export const TOLD = 0.6
/** That an attempt succeeds although something it relied on is wrong. */
const LUCK = 0.08
/** Share of a belief that is lost at every further attempt of its place: things change. */
const HAZARD = 0.0015
/** What is left of a belief when drift was noticed. */
const AFTER_DRIFT = 0.5
/** Attempts with right beliefs that solve their task: what is taken for granted before there are any, and how fast it is forgotten. */
const READING = { solved: 18, judged: 20, forget: 0.99 } as const

export interface Beliefs {
  /**
   * That a statement holds in a place; `fallback` where nothing was seen or tried of its subject, or where it was seen `since` then by an
   * attempt that nobody judged.
   */
  of(place: string, subject: string, value: string, fallback: number, since?: string): number
  /** The value that is believed most of a thing; null where none is known. */
  best(place: string, subject: string): { readonly value: string; readonly p: number } | null
  /** It was seen at first hand: what else was said of the thing is wrong. */
  see(place: string, subject: string, value: string, time: string): void
  /** Another agent says so, who is trusted so far: agreement raises the belief, another value lowers both. */
  tell(place: string, subject: string, value: string, trust: number): void
  /**
   * An attempt relied on statements and was judged. A failure speaks against each of them as far as it is doubtful and the others are not
   * (noisy AND): P(solved) = reading * all right + luck * not all right.
   */
  judge(place: string, relied: readonly Relied[], reward: 0 | 1): void
  /** One more attempt in a place: what is believed there fades a little. */
  pass(place: string): void
  /** Drift was noticed in a place: what was not seen since `attempts` ago is in doubt. */
  shake(place: string, attempts: number): void
  save(): SavedBeliefs
}

const DOUBT = 0.5
/** What one more voice does to the odds of what is only told. */
const AGREES = 2

const byOdds = (p: number, factor: number): number => (p * factor) / (p * factor + 1 - p)

/** Beliefs about statements, place by place (a place is what tasks of one world share). Deterministic. */
export function createBeliefs(saved?: SavedBeliefs): Beliefs {
  const places = new Map<string, { attempts: number; held: Map<string, Map<string, Held>> }>()
  const reading = { solved: saved?.reading[0] ?? READING.solved, judged: saved?.reading[1] ?? READING.judged }
  const placeOf = (name: string) => {
    const record = places.get(name) ?? { attempts: 0, held: new Map<string, Map<string, Held>>() }
    places.set(name, record)
    return record
  }
  const valuesOf = (name: string, subject: string): Map<string, Held> => {
    const { held } = placeOf(name)
    const values = held.get(subject) ?? new Map<string, Held>()
    held.set(subject, values)
    return values
  }
  for (const [name, attempts, holdings] of saved?.places ?? []) {
    placeOf(name).attempts = attempts
    for (const [subject, value, p, at, seenCount, time] of holdings)
      valuesOf(name, subject).set(value, { p, at, seen: seenCount, time })
  }
  /** What was believed fades towards doubt; what was disbelieved stays so. */
  const now = ({ p, at }: Held, attempts: number): number =>
    p <= DOUBT ? p : DOUBT + (p - DOUBT) * (1 - HAZARD) ** (attempts - at)

  const of: Beliefs['of'] = (name, subject, value, fallback, since) => {
    const place = places.get(name)
    const values = place?.held.get(subject)
    if (!place || !values || values.size === 0) return fallback
    const record = values.get(value)
    if (record) return now(record, place.attempts)
    if (since !== undefined && [...values.values()].every(({ time }) => time < since)) return fallback
    // Another value was seen or proved itself: there is room for this one only as far as that one is in doubt.
    const rival = Math.max(...[...values.values()].map((each) => now(each, place.attempts)))
    return Math.min(fallback, 1 - rival)
  }

  return {
    of,
    best(name, subject) {
      const place = places.get(name)
      const values = place?.held.get(subject)
      if (!place || !values) return null
      let best: { value: string; p: number } | null = null
      for (const [value, holding] of values) {
        const p = now(holding, place.attempts)
        if (!best || p > best.p) best = { value, p }
      }
      return best
    },
    see(name, subject, value, time) {
      const { attempts } = placeOf(name)
      const values = valuesOf(name, subject)
      for (const other of values.values()) {
        other.p = Math.min(now(other, attempts), 1 - SEEN)
        other.at = attempts
      }
      values.set(value, { p: SEEN, at: attempts, seen: attempts, time })
    },
    tell(name, subject, value, trust) {
      const { attempts } = placeOf(name)
      const values = valuesOf(name, subject)
      for (const [other, holding] of values) {
        if (holding.seen !== null) continue
        holding.p = byOdds(now(holding, attempts), other === value ? AGREES : 1 / AGREES)
        holding.at = attempts
      }
      if (!values.has(value))
        values.set(value, {
          p: Math.min(trust, of(name, subject, value, trust)),
          at: attempts,
          seen: null,
          time: '',
        })
    },
    judge(name, relied, reward) {
      const { attempts } = placeOf(name)
      const records = relied.map(({ subject, value }) => {
        const values = valuesOf(name, subject)
        const holding = values.get(value) ?? {
          p: of(name, subject, value, TOLD),
          at: attempts,
          seen: null,
          time: '',
        }
        holding.p = now(holding, attempts)
        holding.at = attempts
        values.set(value, holding)
        return holding
      })
      const all = records.reduce((product, { p }) => product * p, 1)
      if (records.length > 0 && all > 0.85) {
        reading.solved = reading.solved * READING.forget + reward
        reading.judged = reading.judged * READING.forget + 1
      }
      const rate = Math.min(0.98, Math.max(0.5, reading.solved / reading.judged))
      const solvedIf = (right: number): number => rate * right + LUCK * (1 - right)
      const likelihood = (right: number): number => (reward === 1 ? solvedIf(right) : 1 - solvedIf(right))
      const before = records.map(({ p }) => p)
      const total = likelihood(all)
      records.forEach((holding, i) => {
        const p = before[i] as number
        const others = p > 0 ? all / p : 0
        holding.p = Math.min(0.995, Math.max(0.005, (p * likelihood(others)) / total))
      })
    },
    pass(name) {
      placeOf(name).attempts++
    },
    shake(name, ago) {
      const { attempts, held } = placeOf(name)
      for (const values of held.values())
        for (const each of values.values()) {
          if (each.seen !== null && each.seen >= attempts - ago) continue
          const p = now(each, attempts)
          each.p = p <= DOUBT ? p : DOUBT + (p - DOUBT) * AFTER_DRIFT
          each.at = attempts
        }
    },
    save: () => ({ places: savedPlaces(places), reading: [reading.solved, reading.judged] }),
  }
}

const savedPlaces = (
  places: ReadonlyMap<
    string,
    { readonly attempts: number; readonly held: ReadonlyMap<string, ReadonlyMap<string, Held>> }
  >,
): SavedBeliefs['places'] =>
  [...places].map(([name, { attempts, held }]) => [
    name,
    attempts,
    [...held].flatMap(([subject, values]) =>
      [...values].map(([value, { p, at, seen, time }]) => [subject, value, p, at, seen, time] as const),
    ),
  ])
