import { hasActed, NOTHING_LEARNED, NOTHING_RECALLED, type Method } from '../../ground/method'
import type { ChatMessage, SpaceEvent } from '../../ground/ports'
import { retell, retellingOf } from '../../ground/prompt'
import { readSettings } from '../../ground/settings'
import { failedWriting, textForm, write } from '../../ground/writing'
import { learnedFrom } from '../../memory/items/learned-from'
import type { Cheatsheet } from '../../memory/cheatsheets/cheatsheet'
import type { Trajectory } from '../../../shared/domain/trajectory'
import { SETTINGS } from './settings'

/** The curator's template. */
const CURATE = 'dynamic-cheatsheet-curate'
/** Characters of a cheatsheet. */
const LONGEST = 1200

/** `{"cheatsheet": text}`. */
const CHEATSHEET_FORM = textForm(CURATE, 'cheatsheet', LONGEST)

/** The curator's question: the cheatsheet as it is, then the attempt. */
const curateMessages = (template: string, before: string, trajectory: Trajectory): ChatMessage[] => [
  { role: 'system', content: template },
  {
    role: 'user',
    content: `Cheatsheet so far:\n${before === '' ? '(empty)' : before}\n\n${retell(retellingOf(trajectory))}`,
  },
]

/**
 * Dynamic Cheatsheet (Suzgun et al. 2025, arXiv 2504.07952), cumulative form (DC-Cu): the generator solves a task with the cheatsheet in
 * front of it, x~ = Gen(x, M); afterwards the curator writes it anew, M' = Cur(M, x, y~).
 *
 * Simplified: the curator is told the environment's verdict, where the paper has it judge the attempt itself; one cheatsheet per environment;
 * the form with retrieval (DC-RS) is not part of it.
 */
export const dynamicCheatsheet: Method = {
  info: {
    id: 'dynamic-cheatsheet',
    title: 'Cheatsheet',
    description:
      'Keeps one text of what has proved useful, shows it with every task and writes it anew afterwards.',
    source: 'Dynamic Cheatsheet (2025), cumulative form',
    usesK: false,
    defaultK: 0,
    colour: 6,
    keeps: ['cheatsheet'],
    recalls: [{ kind: 'cheatsheet', what: 'the one of the environment', place: 'task' }],
  },
  settings: SETTINGS,
  prompts: () => [CURATE],
  async recall({ task }, { bank }) {
    const sheet = (await bank.memories('cheatsheet', { environment: task.environment })).at(-1)
    if (!sheet) return NOTHING_RECALLED
    const item = {
      kind: 'cheatsheet' as const,
      id: sheet.id,
      trajectoryId: sheet.trajectoryIds[0] ?? null,
      title: `Cheatsheet, version ${sheet.version}`,
      score: null,
      scoreKind: 'recency',
      reward: null,
    }
    return { ...NOTHING_RECALLED, retrieved: [{ text: sheet.content, item }] }
  },
  async learn(trajectory, context, signal) {
    const { every } = readSettings(SETTINGS, context.settings)
    const { environment, index } = trajectory.task
    if (!hasActed(trajectory) || (index + 1) % every !== 0) return NOTHING_LEARNED
    const held = await context.bank.memories('cheatsheet', { environment })
    const before = held.at(-1)
    const messages = curateMessages(context.prompts.text(CURATE), before?.content ?? '', trajectory)
    const order = { role: CURATE, messages, form: CHEATSHEET_FORM, taskIndex: index, maxTokens: 480 }
    const written = await write(order, context, signal)
    const { usage } = written
    if (written.value === null)
      return { events: [failedWriting(trajectory, CURATE, [trajectory.id], written)], usage }
    const memory: Cheatsheet = {
      ...learnedFrom('cheatsheet', trajectory),
      content: written.value,
      version: (before?.version ?? 0) + 1,
    }
    const events: SpaceEvent[] = [
      { kind: 'memory-added', memory },
      ...held
        .filter(({ pinned }) => pinned !== true)
        .map(({ id }): SpaceEvent => ({ kind: 'memory-dropped', memoryId: id, at: memory.createdAt })),
    ]
    return { events, usage }
  },
}
