import type { ServedRequest } from '../../shared/domain/sharing'
import type { AgentMemory } from './agent-memory'
import type { FoundItem } from './recall-for-agents'

/** Requests that are remembered. */
const MOST_LOGGED = 1000

/** What programs asked of a memory while it is served; nothing of it is written down. */
export type RequestLog = ReturnType<typeof createRequestLog>

export function createRequestLog() {
  const requests: ServedRequest[] = []

  async function note<T>(
    client: string,
    what: string,
    work: () => Promise<T>,
    getItems: (answer: T) => readonly FoundItem[] = () => [],
  ): Promise<T> {
    const startTime = performance.now()
    let items: readonly FoundItem[] = []
    try {
      const answer = await work()
      items = getItems(answer)
      return answer
    } finally {
      const recalls = items.map(({ kind, title }) => ({ kind, title, score: null, tokens: null }))
      const recallMs = performance.now() - startTime
      requests.unshift({
        at: new Date().toISOString(),
        client,
        what,
        recalled: recalls,
        recallMs,
        tokens: null,
      })
      requests.length = Math.min(requests.length, MOST_LOGGED)
    }
  }

  return {
    /** The newest first. */
    list: (): readonly ServedRequest[] => requests,
    /** The same memory; what `client` asks of it is listed, also when it fails. */
    listening: (memory: AgentMemory, client: () => string): AgentMemory => ({
      ...memory,
      search: (query) =>
        note(
          client(),
          'search',
          () => memory.search(query),
          (items) => items,
        ),
      plan: (task, tokens, signal) =>
        note(
          client(),
          'guidance for a task',
          () => memory.plan(task, tokens, signal),
          ({ items }) => items,
        ),
      feedback: (input, signal) =>
        note(
          client(),
          'guidance after an error',
          () => memory.feedback(input, signal),
          ({ items }) => items,
        ),
      overview: (tokens) =>
        note(
          client(),
          'what is known',
          () => memory.overview(tokens),
          ({ items }) => items,
        ),
      facts: (about) => note(client(), 'a list of facts', () => memory.facts(about)),
      remember: (telling, name) => note(name, 'a fact told', () => memory.remember(telling, name)),
      change: (id, statement, name) => note(name, 'a fact changed', () => memory.change(id, statement, name)),
      forget: (ids, name) => note(name, 'a fact forgotten', () => memory.forget(ids, name)),
      record: (attempt, name) => note(name, 'an attempt handed in', () => memory.record(attempt, name)),
      report: (input, name) => note(name, 'a report on items', () => memory.report(input, name)),
      undo: (proposalId, name) =>
        note(name ?? client(), 'a write undone', () => memory.undo(proposalId, name)),
    }),
  }
}
