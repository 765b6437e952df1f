import { z } from 'zod'
import { ATTEMPT_FORM_WORDS, type AttemptForm } from '../../shared/domain/model-profile'
import type { SettingChanges } from '../../shared/domain/setting'
import { choice, defineSettings, onOff, readSettings } from './settings'

/** How what is recalled is shown to a model, and how its actions are asked for. */
export interface Presentation {
  /** Attempts: retold before the task, solved and failed ones; or solved ones alone, as earlier turns of the dialog; or of these only those at the same task. */
  readonly attempts: AttemptForm
  /** Replies: as the model writes them; or held to the form of one action, from the first character to the last. */
  readonly replies: 'free' | 'held'
  /** Share of a run's tasks that are attempted without memory, so that harm is noticed. */
  readonly unaided: number
  /** Whether what tools refuse is told beside what the method recalls. */
  readonly beliefs: boolean
  /** Where what all tasks of a world share (a policy, its tools) stands: with the task, or in front, where prompts of all tasks begin alike. */
  readonly world: 'task' | 'front'
}

/** As the papers show memory, and as the demo model was trained to read it. */
export const AS_PAPERS: Presentation = {
  attempts: 'text',
  replies: 'free',
  unaided: 0,
  beliefs: false,
  world: 'task',
}

/** Weights below which a model's replies are held to the form of an action, since it rambles on behind it. */
const SMALL = 1e9
/** Kinds of items that are attempts as they went. */
export const ATTEMPT_KINDS: ReadonlySet<string> = new Set(['case', 'trajectory'])
/** Attempts that a prompt shows as turns at the most, unless a person says more: each further one costs more than it helps. */
const FEW = 2

/**
 * How memory is shown to a model that was not trained to read it retold, where nobody says otherwise.
 *
 * @param weights about how many it has; null where that is not known, and then its replies are free
 * @param remembers whether the method has a memory that a share of the tasks could do without
 * @param attempts how it reads attempts best, as was measured or chosen; null where neither is known
 */
export const presentationFor = (
  weights: number | null,
  remembers: boolean,
  attempts: AttemptForm | null,
): Presentation => ({
  attempts: attempts ?? 'turns',
  replies: weights !== null && weights < SMALL ? 'held' : 'free',
  unaided: remembers ? 0.25 : 0,
  beliefs: false,
  world: 'front',
})

/** How much a method recalls where nobody says otherwise: as it says itself, but few attempts where these stand as turns. */
export const usualK = (
  {
    defaultK,
    recalls,
  }: { readonly defaultK: number; readonly recalls: readonly { readonly kind: string }[] },
  { attempts }: Pick<Presentation, 'attempts'>,
): number =>
  attempts !== 'text' && recalls.some(({ kind }) => ATTEMPT_KINDS.has(kind))
    ? Math.min(defaultK, FEW)
    : defaultK

const AUTO = 'as suits the model'

export const PRESENTATION = defineSettings('presentation', 'How memory is shown', {
  attempts: choice({ auto: AUTO, ...ATTEMPT_FORM_WORDS }, 'auto', {
    title: 'Past attempts',
    help: 'How attempts that are recalled stand in the prompt. Small models follow turns and repeat what they are told. Retold, failed ones are shown too. Else only solved ones are, two at the most unless K says otherwise.',
  }),
  replies: choice(
    { auto: AUTO, free: 'as the model writes them', held: 'held to the form of one action' },
    'auto',
    {
      title: 'Form of replies',
      help: 'Held, a reply begins with an action and ends with it. Where what runs the model knows no grammars, replies are free.',
    },
  ),
  unaided: z
    .union([z.literal(''), z.number().min(0).max(0.5)])
    .default('')
    .meta({
      title: 'Tasks without memory',
      help: 'Share of tasks that are attempted without memory. Where they go better, memory rests. A small model’s own texts, and attempts at other tasks for an agent that does well alone, are shown seldom until they help. 0: memory is always shown.',
      empty: AUTO,
    }),
  beliefs: onOff(false, {
    title: 'What tools refuse',
    help: 'Tells any method’s agent what tools of its world refuse, as two tasks met it: with the task, and before a call that holds the cause. “Everything together” does so by itself.',
  }),
  world: choice(
    { auto: AUTO, task: 'with the task, as in the papers', front: 'in front of everything' },
    'auto',
    {
      title: 'Rules of a world',
      help: 'Where a policy and its tools stand that all tasks share. In front, they are read once for all tasks, which saves most of the reading.',
    },
  ),
})

/** Settings in which attempts that would stand as turns do so only where they are at the very task. */
export function ownAttempts(changes: SettingChanges): SettingChanges {
  const own = readSettings(PRESENTATION, changes)
  return own.attempts === 'turns' ? { ...changes, [PRESENTATION.id]: { ...own, attempts: 'none' } } : changes
}

/** How a run's settings say that memory is shown; where they leave it open, as the papers do. */
export function readPresentation(changes: SettingChanges): Presentation {
  const { attempts, replies, unaided, beliefs, world } = readSettings(PRESENTATION, changes)
  return {
    attempts: attempts === 'auto' ? AS_PAPERS.attempts : attempts,
    replies: replies === 'auto' ? AS_PAPERS.replies : replies,
    unaided: unaided === '' ? AS_PAPERS.unaided : unaided,
    beliefs,
    world: world === 'auto' ? AS_PAPERS.world : world,
  }
}

/** Settings in which what was left open is as suits a model. */
export function settledPresentation(changes: SettingChanges, suits: Presentation): SettingChanges {
  const own = readSettings(PRESENTATION, changes)
  const settled = {
    attempts: own.attempts === 'auto' ? suits.attempts : own.attempts,
    replies: own.replies === 'auto' ? suits.replies : own.replies,
    unaided: own.unaided === '' ? suits.unaided : own.unaided,
    beliefs: own.beliefs || suits.beliefs,
    world: own.world === 'auto' ? suits.world : own.world,
  }
  const isUsual = Object.entries(AS_PAPERS).every(
    ([key, value]) => settled[key as keyof Presentation] === value,
  )
  const { [PRESENTATION.id]: _open, ...others } = changes
  return isUsual ? others : { ...others, [PRESENTATION.id]: settled }
}
