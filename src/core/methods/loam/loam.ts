import { NO_USAGE } from '../../../shared/domain/trajectory'
import type { Learned, Method } from '../../ground/method'
import { readSettings } from '../../ground/settings'
import { BELIEF_KIND } from '../../memory/beliefs/belief'
import { keepCase } from '../../memory/cases/recalled-case'
import { PASSAGE_KIND } from '../../memory/passages/passage'
import { toldBefore } from '../../recall/before-call'
import { beliefsOf } from '../../recall/belief-fold'
import { quarantineEvents } from '../../recall/quarantine'
import { policyOf } from '../../recall/policy'
import { policyContext, recallByPolicy } from './recall'
import { SETTINGS } from './settings'

/**
 * One policy over every kind of memory: each item is a candidate, a learned value says what it would add to the chance of success beside
 * what is chosen already, and the best per token are shown under one budget. What attempts taught is drawn from them without a model call
 * (`recall/beliefs.ts`): what tools refuse, the lines that an agent went by where it was right, and where it wrote none what it did.
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
    keeps: ['case'],
    everyday: 'compared',
    recalls: [
      { kind: 'soft-prompt', what: 'the one in use in the memory, unless it does harm', place: 'first' },
      { kind: 'document', what: 'documents that are worth their tokens', place: 'system' },
      { kind: PASSAGE_KIND, what: 'passages of own files that are worth their tokens', place: 'system' },
      {
        kind: BELIEF_KIND,
        what: 'at most four of what tools refuse, and of the lines that proved right',
        place: 'task',
      },
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
  async beforeCall({ environment, signal, ...call }, { bank, settings }) {
    const { beliefs, calls } = readSettings(SETTINGS, settings)
    return beliefs && calls ? toldBefore(await beliefsOf(bank, signal), environment, call) : null
  },
  async learn(trajectory, context, signal): Promise<Learned> {
    const { events } = await keepCase(trajectory)
    if (!readSettings(SETTINGS, context.settings).quarantine) return { events, usage: NO_USAGE }
    const policy = await policyOf(policyContext(context), signal)
    const beliefs = await beliefsOf(context.bank, signal)
    const against = await quarantineEvents(trajectory, policy, beliefs, context.bank)
    return { events: [...events, ...against], usage: NO_USAGE }
  },
}
