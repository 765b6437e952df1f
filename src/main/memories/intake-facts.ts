import type { MemoryStore } from '../../core/ground/ports'
import type { MemoryEvent } from '../../core/memory/events'
import type { AgentLog } from '../../core/memory/experiences/import/log'
import { redactAll } from '../../core/memory/experiences/import/redact'
import { personWords } from '../../core/memory/experiences/import/sessions'
import { correctedIn } from '../../core/memory/facts/corrected'
import { FACT_KIND, type Fact } from '../../core/memory/facts/fact'
import { facts } from '../../core/memory/facts/kind'
import { chatFact, keepFact } from '../../core/memory/facts/new-fact'
import { saysOfPerson } from '../../core/memory/facts/of-person'
import { statedIn } from '../../core/memory/facts/stated'
import { rememberedIn } from '../../core/memory/facts/statement'
import type { Tells } from '../../core/memory/facts/telling'
import type { MemorySource } from '../../core/memory/items/kind'
import { intoProject } from '../../core/memory/items/projects'
import { scopedBank } from '../../core/memory/items/scoped-bank'
import { isWaiting } from '../../core/memory/items/trust'
import { isComplaint } from '../../core/verdict/person-signs'
import { QUESTION_ENVIRONMENT } from '../../core/tasks'
import type { SeenItems } from './intake-options'
import { sha256 } from './intake-rows'

/** Facts of one conversation. */
const MOST_FACTS = 3

/** Reads what a person said of themselves in the sessions of a log. It waits in quarantine: they said it to another program. */
export class FactReader {
  /** What the person said in the session so far, how many facts it gave, and the message that it goes on with. */
  #session: { earlier: string[]; count: number; next: string | null } = { earlier: [], count: 0, next: null }

  constructor(
    readonly memory: { readonly bank: MemoryStore; readonly source: MemorySource },
    readonly tells: Tells,
    readonly seen: SeenItems,
    readonly project: string | null,
  ) {}

  /** The events of what is new in an attempt of a session and in the message behind it, one fact each; none for what a harness asked. */
  async read({ question, next, createdAt }: AgentLog, now: string): Promise<MemoryEvent[][]> {
    if (next === undefined) return []
    const isSame = this.#session.next === question
    if (!isSame) this.#session = { earlier: [], count: 0, next: null }
    this.#session.next = next
    const changes: MemoryEvent[][] = []
    for (const message of [...(isSame ? [] : [question]), ...(next === null ? [] : [next])]) {
      const { value: words, redactions } = redactAll(personWords(message))
      // What holds a secret is no fact.
      const statements = Object.keys(redactions).length > 0 ? [] : this.#statementsIn(words)
      this.#session.earlier.push(words)
      for (const statement of statements.slice(0, MOST_FACTS - this.#session.count)) {
        this.#session.count++
        const events = await this.#eventsOf(statement, words, createdAt ?? now, now)
        if (events.length > 0) changes.push(events)
      }
    }
    return changes
  }

  #statementsIn(words: string): string[] {
    const correction = correctedIn(this.#session.earlier, words, isComplaint)
    if (correction !== null) return [correction]
    return (
      rememberedIn(words) ?? statedIn(words, this.tells).filter((statement) => saysOfPerson(statement, words))
    )
  }

  async #eventsOf(statement: string, words: string, at: string, now: string): Promise<MemoryEvent[]> {
    const id = `fact-${sha256(`${this.project ?? ''}\n${statement}`).slice(0, 24)}`
    if ((await this.memory.source.memory(id)) !== null) return []
    const origin = { id, runId: 'told', trajectoryId: 'told', environment: QUESTION_ENVIRONMENT, at }
    const others = (this.seen.facts ??= await this.#standing())
    const { replaced, events } = keepFact(chatFact(statement, words, origin), others)
    const [first] = events
    // What was said later stays.
    if (first?.kind !== 'memory-added' || replaced.some(({ createdAt }) => createdAt > at)) return []
    others.push(first.memory as Fact)
    const ref = { kind: FACT_KIND, id }
    return [
      first,
      ...(this.project === null ? [] : intoProject([ref], this.project, now)),
      { kind: 'item-quarantined', of: FACT_KIND, itemId: id, at: now, why: 'chat' },
    ]
  }

  /** The facts in use, and those that wait. */
  async #standing(): Promise<Fact[]> {
    const { bank, source } = this.memory
    const heads = [...(await facts.heads(source))].filter(({ gone }) => isWaiting(gone))
    const read = await Promise.all(heads.map(({ id }) => source.memory(id)))
    return [
      ...(await scopedBank(bank, this.project).items(FACT_KIND)),
      ...read.flatMap((fact) => (fact === null ? [] : [fact as Fact])),
    ]
  }
}
