import { canonicalJson } from '../../../core/ground/canonical-json'
import { kindOf } from '../../../core/memory'
import type { MemoryState } from '../../../core/memory/entries'
import { standingOf } from '../../../core/memory/experiences/fold'
import { redactAll } from '../../../core/memory/experiences/import/redact'
import type { MemorySource } from '../../../core/memory/items/kind'
import { ATTEMPTS, RUBRICS } from '../../../core/memory/kind-words'
import { softPrompts } from '../../../core/memory/soft-prompts/kind'
import { NO_SOFT_PROMPTS } from '../../../core/recall/candidates'
import { withCurrentNames } from '../../../shared/domain/former-names'
import { caseReader } from '../../memory-store/case-reader'
import { memoryReader } from '../../memory-store/memory-reader'
import { dataFile, sha256Of } from '../../bundle/manifest'
import { badArchive } from '../../bundle/read-zip'
import type { LoamError } from '../../../shared/errors'
import type { EventSpool } from './event-spool'

/** What the kinds read of commits that no memory holds; it cannot be written to. */
function sourceOfCommits(state: MemoryState, { readOne }: Pick<EventSpool, 'readOne'>): MemorySource {
  const cases = caseReader(state, readOne)
  const now = (): Date => new Date()
  const items = memoryReader(state, { readOne, now })
  const caseOf = (id: string) => state.cases.get(id)
  return {
    state,
    now,
    commit: () => Promise.reject(new Error('What a bundle holds is only read here.')),
    memory: (id) => items.byId(id),
    memoryAsWritten: (id) => items.asWritten(id),
    async caseOf(id) {
      const entry = caseOf(id)
      return entry ? cases.read(entry) : null
    },
    async caseVersions(id) {
      const entry = caseOf(id)
      return entry ? cases.versions(entry) : []
    },
    async experience(id) {
      const entry = state.experiences.get(id)
      const event = entry && (await readOne(entry.at))
      return entry && event?.kind === 'experience-added'
        ? { experience: event.experience, standing: standingOf(entry) }
        : null
    },
    searchCases: () => Promise.resolve([]),
    searchExperiences: () => Promise.resolve([]),
    searchTexts: () => Promise.resolve(null),
    softPrompts: NO_SOFT_PROMPTS,
    // What attempts teach is drawn from them where they are, and stands in no history.
    beliefs: () => Promise.resolve(new Map()),
  }
}

/** A line without what is told beside the item. */
const withoutTold = (line: unknown): Record<string, unknown> => {
  const { trust: _told, project: _its, ...own } = line as Record<string, unknown>
  return own
}
const plainOf = (line: unknown): string => canonicalJson(withoutTold(line))
/** What a line is recognised by: its hash without secrets, however they were taken out. */
const printOf = (line: unknown): string => sha256Of(canonicalJson(redactAll(withoutTold(line)).value))

/** The lines of a kind as a history makes them, in the order in which they are written. */
async function* linesOfKind(kind: string, source: MemorySource, spool: EventSpool): AsyncGenerator<unknown> {
  if (kind === ATTEMPTS) {
    for (let at = 0; at < spool.count(); at++)
      for (const event of await spool.commit(at))
        if (event.kind === 'trajectory-added') yield event.trajectory
  } else if (kind === RUBRICS) {
    for (const [environment, rubrics] of source.state.concepts.rubrics)
      yield { environment, rubrics: [...rubrics] }
  } else {
    const module = kindOf(kind)
    // Soft prompts are files and no part of a history.
    if (!module || module === softPrompts) return
    for (const { id } of await module.heads(source)) {
      const line = await module.toLine(source, id)
      if (line !== null) yield line
    }
  }
}

/** Compares the data of a bundle with its history, line by line. */
export interface DerivedLines {
  /** Looks at the next line of a kind. @throws LoamError `BAD_INPUT` once it is known that no line of the history says so */
  line(value: unknown, at: number): Promise<void>
  /** @throws LoamError `BAD_INPUT` when the lines of this kind say anything else than the history */
  end(): Promise<void>
}

/**
 * Refuses a bundle whose data says anything else than its history: what is shown is what comes in. Both are read side by side, and only what
 * stands in another order is held, by its print. `isPart`: the history holds more than the data, since it goes on behind other commits.
 */
export function derivedLines(
  state: MemoryState,
  spool: EventSpool,
  isPart: boolean,
): (kind: string) => DerivedLines | null {
  const source = sourceOfCommits(state, spool)
  return (kind) => {
    if (kindOf(kind) === softPrompts) return null
    const derived = linesOfKind(kind, source, spool)
    const file = dataFile(kind)
    const unshown = new Map<string, number>()
    /** By print: lines without a match yet. */
    const unmatched = new Map<string, number[]>()
    const other = (at: number): LoamError =>
      badArchive(`Line ${at} of ${file} is not what the bundle's history says.`)
    const derive = (line: unknown): void => {
      const print = printOf(line)
      const places = unmatched.get(print)
      if (places === undefined) unshown.set(print, (unshown.get(print) ?? 0) + 1)
      else if (places.length > 1) places.pop()
      else unmatched.delete(print)
    }
    return {
      async line(value, at) {
        // Loam 0.1 had other names for some fields.
        const line = withCurrentNames(value)
        if (typeof line !== 'object' || line === null) throw other(at)
        const next = await derived.next()
        if (next.done !== true && plainOf(next.value) === plainOf(line)) return
        if (next.done !== true) derive(next.value)
        const print = printOf(line)
        const count = unshown.get(print) ?? 0
        if (count > 1) unshown.set(print, count - 1)
        else if (count === 1) unshown.delete(print)
        else if (next.done === true) throw other(at)
        else {
          const places = unmatched.get(print)
          if (places) places.push(at)
          else unmatched.set(print, [at])
        }
      },
      async end() {
        for await (const line of derived) if (!isPart || unmatched.size > 0) derive(line)
        const [first] = [...unmatched.values()].flat().sort((a, b) => a - b)
        if (first !== undefined) throw other(first)
        if (!isPart && unshown.size > 0)
          throw badArchive(`The bundle's history holds more than ${file} shows.`)
      },
    }
  }
}
