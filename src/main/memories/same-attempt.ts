import type { MemoryStore } from '../../core/ground/ports'
import type { MemoryEvent } from '../../core/memory/events'
import { experiences } from '../../core/memory/experiences/kind'
import { rulesOfLogs } from '../../core/memory/experiences/log-rules'
import type { MemorySource } from '../../core/memory/items/kind'
import { MOST_STEPS } from '../../core/memory/experiences/import/log'
import type { Experience, ExperienceStep } from '../../shared/domain/experience'
import { sha256 } from './intake-rows'

type Entry = ReturnType<MemoryStore['experiences']['entries']> extends Iterable<infer E> ? E : never

/** An attempt that takes the place of what a memory holds of it. */
export interface Replacement {
  readonly experience: Experience
  /** What it replaces. */
  readonly id: string
}

/** What a replacement commits: pins and mutes go over to it. */
export function replacing(
  { state }: Pick<MemorySource, 'state'>,
  { experience, id }: Replacement,
  at: string,
): MemoryEvent[] {
  const of = experiences.info.id
  const mark = state.curated.get(of)?.get(id)?.mark ?? null
  return [
    { kind: 'experience-added', experience },
    { kind: 'experience-superseded', experienceId: id, by: experience.id, why: 'duplicate', at },
    ...(mark ? [{ kind: 'item-marked', of, itemId: experience.id, mark, at } as const] : []),
  ]
}

/** A program, and when the person asked: of one request these stay as they are, however long the attempt goes on. */
const keyOf = (framework: string, createdAt: string): string => `${framework} ${createdAt}`

const isSameStep = (a: ExperienceStep | undefined, b: ExperienceStep, isLast: boolean): boolean =>
  a !== undefined &&
  a.verb === b.verb &&
  a.tool === b.tool &&
  a.content === b.content &&
  // What the last one came to may not have been there yet.
  (isLast ? b.observation === null || a.observation === b.observation : a.observation === b.observation)

const stepsOf = ({ steps, omittedSteps }: Experience): number => steps.length + omittedSteps

/** Read while the agent had said something and done nothing: what it did then stands in the place of its words. */
const isAnswerAlone = ({ steps, omittedSteps }: Experience): boolean =>
  omittedSteps === 0 && steps.length === 1 && steps[0]?.verb === 'answer'

/** Whether `later` goes on where `earlier` was, as far as both keep their first steps. */
function goesOn(later: Experience, earlier: Experience): boolean {
  if (isAnswerAlone(earlier)) return later.steps.length > 0
  const first = earlier.omittedSteps > 0 ? MOST_STEPS / 2 : earlier.steps.length
  const common = later.omittedSteps > 0 ? Math.min(first, MOST_STEPS / 2) : first
  return (
    stepsOf(later) >= stepsOf(earlier) &&
    earlier.steps.slice(0, common).every((step, i) => isSameStep(later.steps[i], step, i === first - 1))
  )
}

/** Attempts that a memory holds already and that a log tells more of: a session that went on after it was read. */
export class EarlierAttempts {
  readonly #byRequest = new Map<string, string[]>()
  readonly #entries = new Map<string, Entry>()

  /** What the logs of each program are read by. */
  readonly rules: ReturnType<typeof rulesOfLogs>

  constructor(private readonly memory: Pick<MemoryStore, 'experiences' | 'memorySource'>) {
    this.rules = rulesOfLogs(memory)
    for (const entry of memory.experiences.entries()) {
      this.#entries.set(entry.id, entry)
      if (entry.origin !== 'log') continue
      const key = keyOf(entry.framework, entry.createdAt)
      this.#byRequest.set(key, [...(this.#byRequest.get(key) ?? []), entry.id])
    }
  }

  /** What stands for an attempt now: itself, or what took its place; null where a person took or changed it. */
  #inUse(id: string): string | null {
    const visited = new Set<string>()
    for (let at: string | null = id; at !== null && !visited.has(at);) {
      visited.add(at)
      const end: Entry['gone'] | undefined = this.#entries.get(at)?.gone
      if (end === null) return at
      at = end?.state === 'superseded' && end.why !== 'edit' ? end.by : null
    }
    return null
  }

  /**
   * What takes the place of which experience: an attempt that went on, or of which is known now how it ended. Null: nothing there is told more of;
   * `taken-out`: a person took it out or changed it, or it left for want of room, and so it stays.
   * `experience`: as it was read; `isRuled`: how it ended follows from what the log says, not from a grader.
   */
  async replacementFor(experience: Experience, isRuled: boolean): Promise<Replacement | 'taken-out' | null> {
    const { framework, sourceId, contentHash, outcome } = experience.meta
    if (!isRuled || sourceId === null) return null
    const earlier: Experience[] = []
    for (const id of this.#byRequest.get(keyOf(framework, experience.createdAt)) ?? []) {
      const one = (await this.memory.experiences.get(id))?.experience
      const isSame = one?.meta.sourceId === sourceId && one.question === experience.question
      if (one && isSame && goesOn(experience, one)) earlier.push(one)
    }
    const last = earlier.at(-1)
    if (!last) return null
    const id = this.#inUse(last.id)
    if (id === null) return 'taken-out'
    if (!earlier.some(({ meta }) => meta.contentHash === contentHash)) return { experience, id }
    if (outcome === 'unknown' || outcome === this.#entries.get(id)?.outcome) return null
    // The same steps under another name, since what they came to is part of them now.
    const print = sha256(`${contentHash} ${outcome}`)
    const meta = { ...experience.meta, contentHash: print }
    return { experience: { ...experience, id: `exp-${print.slice(0, 24)}`, meta }, id }
  }
}
