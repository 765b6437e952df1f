import { NO_USAGE, type Trajectory } from '../../../shared/domain/trajectory'
import type { Learned, Method, MethodContext } from '../../ground/method'
import type { MemoryEvent } from '../../ground/ports'
import { readSettings } from '../../ground/settings'
import { keepCase } from '../../memory/cases/recalled-case'
import { PASSAGE_KIND } from '../../memory/passages/passage'
import { findingEvents } from './findings'
import { quarantineEvents } from '../../recall/quarantine'
import { policyOf } from '../../recall/policy'
import { policyContext, recallByPolicy } from './recall'
import { SETTINGS } from './settings'

/**
 * One policy over every kind of memory: each item is a candidate, a learned value says what it would add to the chance of success beside
 * what is chosen already, and the best per token are shown under one budget. What an attempt found out is kept in a line, without a model call.
 */
export const loam: Method = {
  info: {
    id: 'loam',
    title: 'Everything together',
    description:
      'Chooses among all that is remembered what is worth its tokens, and learns from every outcome what helps.',
    source: 'One additive value of recalled items, after Memento’s online Q (eq. 15 and 16)',
    usesK: true,
    defaultK: 4,
    colour: 9,
    keeps: ['lesson', 'case'],
    recalls: [
      { kind: 'soft-prompt', what: 'the one in use in the memory, unless it does harm', place: 'first' },
      { kind: 'document', what: 'documents that are worth their tokens', place: 'system' },
      { kind: PASSAGE_KIND, what: 'passages of own files that are worth their tokens', place: 'system' },
      { kind: 'lesson', what: 'lessons of any kind that are worth their tokens', place: 'task' },
      { kind: 'case', what: 'past attempts that are worth their tokens, at most K', place: 'task' },
    ],
  },
  settings: SETTINGS,
  softPrompt: {
    serves: (settings) => readSettings(SETTINGS, settings).softPrompt,
    trains: () => false,
  },
  recall: recallByPolicy,
  async learn(trajectory, context, signal): Promise<Learned> {
    const { events } = await keepCase(trajectory)
    return { events: [...events, ...(await whatItTaught(trajectory, context, signal))], usage: NO_USAGE }
  },
  learnUnjudged: async (trajectory, context, signal) => ({
    events: await whatItTaught(trajectory, context, signal),
    usage: NO_USAGE,
  }),
}

/** What an attempt found out, and what it speaks against. */
async function whatItTaught(
  trajectory: Trajectory,
  context: MethodContext,
  signal: AbortSignal | undefined,
): Promise<MemoryEvent[]> {
  const { findings, quarantine } = readSettings(SETTINGS, context.settings)
  const policy = await policyOf(policyContext(context), signal)
  const matches = findings ? await findingEvents(trajectory, policy.beliefs, context.bank) : []
  const knownSet = new Set(
    matches.flatMap((event) => (event.kind === 'item-quarantined' ? [event.itemId] : [])),
  )
  const against = quarantine ? await quarantineEvents(trajectory, policy, context.bank) : []
  return [...matches, ...against.filter((event) => !('itemId' in event) || !knownSet.has(event.itemId))]
}
