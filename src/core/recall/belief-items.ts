import type { Experience } from '../../shared/domain/experience'
import { BELIEF_KIND, statementOf, type Belief } from '../memory/beliefs/belief'
import type { BeliefsAtWork } from './beliefs'
import { stemsOf, type Proven } from './proven'
import { credence, isAgreed, rests, type Refusal, type Witness } from './refusals'

/** How far a line is believed at most that another memory tells of. */
const OF_OTHERS = 0.75
/** Attempts that are named of those that met a complaint. */
const NAMED = 5
/** Attempts that are counted one by one of what another memory tells. */
const MOST_COUNTED = 1_000

const quotesOf = ({ quotes }: Witness): Belief['quotes'] =>
  quotes.map(({ act, of, text }) => ({ round: act, of, text }))

/** A complaint as an item of memory. `log`: the experience that told of it, where no attempt of the memory met it. */
function itemOfRefusal(one: Refusal, log: Experience['id'] | null): Belief {
  return {
    ...{ kind: BELIEF_KIND, id: one.id, runId: '', environment: one.environment, createdAt: one.at },
    ...{ trajectoryIds: log === null ? one.metBy.slice(0, NAMED) : [], log, about: 'refusal', place: '' },
    ...{
      text: one.masked,
      tool: one.tool,
      from: one.from,
      cause: [...(one.cause?.words ?? [])],
      names: [...one.names],
    },
    ...{ without: [...(one.remedy?.removed ?? [])], with: [...(one.remedy?.added ?? [])] },
    quotes: quotesOf(one.witness),
    ...{ tasks: one.tasks.size, attempts: one.attempts, since: one.since },
    ...{ confirmed: one.met, contradicted: one.ran, believed: credence(one) },
    ...{ reminder: one.isTold, rests: rests(one), lastAt: one.lastAt, holds: 1, note: '' },
  }
}

/** A line that proved right as an item of memory: as far as the clause is believed that is most in doubt. */
function itemOfLine(environment: string, place: string, one: Proven): Belief {
  const most = (count: 'solved' | 'failed') => Math.max(0, ...one.sayings.map((saying) => saying[count]))
  const [confirmed, contradicted] = [most('solved'), most('failed')]
  return {
    ...{ kind: BELIEF_KIND, id: one.id, runId: '', environment, createdAt: one.since },
    ...{ trajectoryIds: [one.witness.attempt], log: null, about: 'line', place },
    ...{ text: one.text, tool: '', from: 'text', cause: [], names: [], without: [], with: [] },
    quotes: quotesOf(one.witness),
    ...{ tasks: 0, attempts: confirmed + contradicted, since: 0, confirmed, contradicted },
    believed: Math.min(1, ...one.sayings.map(({ p }) => p)),
    ...{ reminder: false, rests: false, lastAt: one.at, holds: 1, note: '' },
  }
}

/** A belief as an item, with all attempts, or logs, that it was drawn from. */
export interface DrawnBelief {
  readonly belief: Belief
  readonly from: readonly string[]
}

/** All that two folds believe as items, by id: what two tasks agree on, and lines that proved right. What own attempts met comes first. */
export function itemsOf(own: BeliefsAtWork, others: BeliefsAtWork): ReadonlyMap<string, DrawnBelief> {
  const all = [
    ...own
      .allRefusals()
      .filter(isAgreed)
      .map((one) => ({ belief: itemOfRefusal(one, null), from: one.metBy })),
    ...own.lines().map(({ environment, place, line }) => ({
      belief: itemOfLine(environment, place, line),
      from: line.writtenBy,
    })),
    ...others
      .allRefusals()
      .filter(isAgreed)
      .map((one) => ({ belief: itemOfRefusal(one, one.witness.attempt), from: one.metBy })),
  ]
  const items = new Map<string, DrawnBelief>()
  for (const one of all) if (!items.has(one.belief.id)) items.set(one.belief.id, one)
  return items
}

/** A complaint as it is told. */
export const refusalText = (one: Refusal): string => statementOf(itemOfRefusal(one, null))

/** A complaint that another memory tells of, as recall knows complaints. `foreign`: where its words are from; null where the person's own memory met it. */
export function refusalOfItem(belief: Belief, foreign: string | null): Refusal {
  const {
    id,
    environment,
    tool,
    text,
    from,
    cause,
    names,
    without,
    with: additions,
    confirmed,
    contradicted,
  } = belief
  return {
    ...{ id, environment, tool, masked: text, from, names },
    tasks: new Set(
      Array.from({ length: Math.min(belief.tasks, MOST_COUNTED) }, (_, i) => `${id}|elsewhere|${i}`),
    ),
    ...{ ownTasks: 0, attempts: belief.attempts, since: Math.max(1, belief.since) },
    cause: cause.length === 0 ? null : { words: cause, met: confirmed, ran: contradicted },
    ...{ met: confirmed, ran: contradicted, isTold: belief.reminder },
    remedy: without.length + additions.length === 0 ? null : { removed: without, added: additions },
    ...(foreign !== null && { foreign }),
    ...{ metBy: belief.trajectoryIds, at: belief.createdAt, lastAt: belief.lastAt },
    witness: witnessOf(belief),
  }
}

/** A line that another memory tells of, as recall knows lines. */
export function lineOfItem(belief: Belief, foreign: string | null): Proven {
  const { id, text, createdAt: since, lastAt: at, confirmed, contradicted } = belief
  const p = foreign === null ? belief.believed : Math.min(OF_OTHERS, belief.believed)
  return {
    ...{ id, text, since, at, isOwn: foreign === null, witness: witnessOf(belief), writtenBy: [] },
    sayings: [{ words: stemsOf(text), p, at, solved: confirmed, failed: contradicted }],
  }
}

const witnessOf = ({ trajectoryIds, id, quotes }: Belief): Witness => ({
  attempt: trajectoryIds[0] ?? id,
  quotes: quotes.map(({ round, of, text }) => ({ act: round, of, text })),
})
