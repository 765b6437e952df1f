import type { Round, Speaker, Trajectory } from '../../shared/domain/trajectory'
import type { PromptParts, RecalledPart } from './method'
import type { ChatMessage } from './ports'

/** Where a task plays. */
export interface Surroundings {
  /** What is shown with the task: tables, a policy, names of files. */
  readonly context: string
  /** The one place that it shares with others, each of which may be shown another part of it. Default: none. */
  readonly world?: string | undefined
}

/** What a finished attempt contributes to a later prompt: enough to retell it. */
export interface Retelling extends Partial<Surroundings> {
  readonly instruction: string
  readonly reward: 0 | 1
  /** How far that counts while nobody has confirmed it; absent for all that is proven. */
  readonly probation?: number | undefined
  readonly rounds: readonly {
    readonly completion: string
    readonly observation: string | null
    readonly from?: Speaker | undefined
  }[]
}

const SPEAKERS = { user: 'User', tool: 'Tool', environment: 'Environment' } as const

/** The dialog of an attempt as text: what the agent wrote and what the environment answered. */
export function dialogText(rounds: Retelling['rounds']): string {
  return rounds
    .flatMap((round) => [
      `Agent: ${round.completion}`,
      ...(round.observation === null
        ? []
        : [`${round.from ? SPEAKERS[round.from] : 'Database'}: ${round.observation}`]),
    ])
    .join('\n')
}

/** Characters that a text of a shortened dialog keeps at least; below that whole rounds go. */
const SHORTEST_TEXT = 120
/** Speaker, line break and the mark of a cut. */
const AROUND_TEXT = 24

/** A text without its middle: two thirds of what is left are its beginning. */
function withoutMiddle(text: string, most: number): string {
  if (text.length <= most) return text
  const tail = Math.floor(most / 3)
  return `${text.slice(0, most - tail)} [...] ${text.slice(text.length - tail)}`
}

/** The longest that texts may be, so that all together have `most` characters. */
function longestOf(texts: readonly string[], most: number): number {
  let remainingCount = most
  const lengths = texts.map(({ length }) => length).sort((a, b) => a - b)
  for (const [at, length] of lengths.entries()) {
    const share = Math.floor(remainingCount / (lengths.length - at))
    if (length > share) return share
    remainingCount -= length
  }
  return most
}

/**
 * The dialog in about `most` characters: its longest texts lose their middle, and where that is not enough rounds in the middle are left out and
 * said to be. A dialog that fits stays as it is.
 */
export function shortDialogText(rounds: Retelling['rounds'], most: number): string {
  if (dialogText(rounds).length <= most) return dialogText(rounds)
  const keptCount = Math.max(2, Math.floor(most / (2 * (SHORTEST_TEXT + AROUND_TEXT))))
  const head = rounds.slice(0, rounds.length <= keptCount ? rounds.length : Math.ceil(keptCount / 2))
  const tail = rounds.length <= keptCount ? [] : rounds.slice(-Math.floor(keptCount / 2))
  const texts = [...head, ...tail].flatMap(({ completion, observation }) => [completion, observation ?? ''])
  const longest = longestOf(texts, Math.max(0, most - texts.length * AROUND_TEXT))
  const cut = (part: Retelling['rounds']): string =>
    dialogText(
      part.map((round) => ({
        ...round,
        completion: withoutMiddle(round.completion, longest),
        observation: round.observation === null ? null : withoutMiddle(round.observation, longest),
      })),
    )
  if (tail.length === 0) return cut(head)
  return `${cut(head)}\n[${rounds.length - head.length - tail.length} rounds left out]\n${cut(tail)}`
}

/** Characters of a context of its own that an attempt is retold with, unless said otherwise. */
const LONGEST_CONTEXT = 2000

const inOnePlace = (a: Partial<Surroundings>, b: Partial<Surroundings>): boolean =>
  (a.world !== undefined && a.world === b.world) || (a.context ?? '').trim() === (b.context ?? '').trim()

/** What was shown with a task, at most so many characters of it. */
export function cutContext(context = '', most = LONGEST_CONTEXT): string {
  const own = context.trim()
  return own.length <= most ? own : `${own.slice(0, most)} [...]`
}

/** What an attempt was shown with its task (tables, a policy, a workbook), at most so many characters of it; empty when nothing was. */
export function shownWith({ context }: Pick<Retelling, 'context'>, most = LONGEST_CONTEXT): string {
  const own = cutContext(context, most)
  return own === '' ? '' : `Shown with it:\n${own}\n`
}

/** The same, where the reader is somewhere else; else nothing. */
const ownContext = (attempt: Retelling, present: Surroundings | undefined): string =>
  present === undefined || inOnePlace(attempt, present) ? '' : shownWith(attempt)

/** What was asked, and how it ended. */
export const outcomeLine = ({
  instruction,
  reward,
  probation,
}: Pick<Retelling, 'instruction' | 'reward' | 'probation'>): string =>
  `${reward === 1 ? 'Solved' : 'Failed'}${probation === undefined ? '' : ' (unproven)'}: ${instruction}`

/**
 * A past attempt as it is shown to the model. Every method that recalls attempts uses this one form. `present` is where the reader's own
 * task plays; an attempt from somewhere else is retold with its own context. Default: without any.
 */
export function retell(attempt: Retelling, present?: Surroundings): string {
  return `${outcomeLine(attempt)}\n${ownContext(attempt, present)}${dialogText(attempt.rounds)}`
}

/** Whether all attempts play in one place. */
const sharePlace = ([first, ...others]: readonly Retelling[]): boolean =>
  first === undefined || others.every((other) => inOnePlace(first, other))

/** An attempt with all that its agent was shown, however long. */
const retellWhole = (attempt: Retelling): string => {
  const own = (attempt.context ?? '').trim()
  const label = attempt.reward === 1 ? 'Solved' : 'Failed'
  return `${label}: ${attempt.instruction}\n${own === '' ? '' : `Shown with it:\n${own}\n`}${dialogText(attempt.rounds)}`
}

/**
 * Attempts that are read together, each with its own context unless they all play in one place; with `whole`, each with its own context in any
 * case, uncut.
 */
export function retellTogether(attempts: readonly Retelling[], whole = false): string[] {
  if (whole) return attempts.map(retellWhole)
  const present = sharePlace(attempts) ? undefined : { context: '' }
  return attempts.map((attempt) => retell(attempt, present))
}

/** `{on this table|on tables of their own}`: what holds where all play in one place, and where each has its own. */
const SCOPE = /\{([^{}|]{1,300})\|([^{}|]{1,300})\}/g

/** A template that speaks of where its attempts come from, in the words for these. */
export const inScope = (template: string, attempts: readonly Retelling[]): string => {
  const shared = sharePlace(attempts)
  return template.replace(SCOPE, (_, one: string, many: string) => (shared ? one : many))
}

/** A stored attempt as something to retell. */
export const retellingOf = (trajectory: Trajectory): Retelling => ({
  instruction: trajectory.task.instruction,
  context: trajectory.task.context,
  world: trajectory.task.world,
  reward: trajectory.reward,
  probation: trajectory.probation,
  rounds: trajectory.rounds,
})

/** A stored attempt as it is shown with a task that plays in `present`. */
export const retellTrajectory = (trajectory: Trajectory, present?: Surroundings): string =>
  retell(retellingOf(trajectory), present)

const section = (title: string, parts: readonly RecalledPart[]): string =>
  parts.length === 0 ? '' : `${title}\n\n${parts.map(({ text }) => text).join('\n\n')}\n\n`

/** Everything the first user message holds before the task itself; equal for tasks that recall the same. */
export function recalledText(parts: PromptParts): string {
  return (
    section('Mistakes to avoid:', parts.errorLessons) +
    section('What worked:', parts.successLessons) +
    section('Past attempts:', parts.retrieved)
  )
}

/** The system prompt, with what lasts in the world where it stands in front, and the concept documents that were recalled. */
export const systemText = (
  systemPrompt: string,
  parts: Pick<PromptParts, 'documents'>,
  lasting = '',
): string =>
  [
    systemPrompt,
    ...(lasting === '' ? [] : [lasting]),
    ...(parts.documents ?? []).map((part) => part.text),
  ].join('\n\n')

/** A context without what it begins with, where that stands in front. */
export const beyondLasting = (context: string, lasting: string): string =>
  lasting !== '' && context.startsWith(lasting) ? context.slice(lasting.length).trimStart() : context

/** The task as the model reads it. */
export const taskText = (instruction: string, context: string, lasting = ''): string => {
  const own = beyondLasting(context, lasting)
  return own === '' && lasting !== '' ? `Task: ${instruction}` : `${own}\nTask: ${instruction}`
}

/** Words that a task begins with in prompts of agents; the last one counts, since examples come first. */
const TASK_BEGINS = /^[ \t]*(?:New task|Task|Question):[ \t]*/gim

/** A message of another agent as context and task, the other way round than `taskText`; all of it is the task where no word says so. */
export function readTask(message: string): { readonly instruction: string; readonly context: string } {
  const begin = [...message.matchAll(TASK_BEGINS)].at(-1)
  const instruction = begin ? message.slice(begin.index + begin[0].length).trim() : ''
  if (!begin || instruction === '') return { instruction: message.trim(), context: '' }
  return { instruction, context: message.slice(0, begin.index).trim() }
}

/**
 * The messages of an attempt so far, in EvoSC's order (eq. 7): system prompt (with what lasts in the world where it stands in front, and BREW's
 * documents), error-prone lessons, success lessons, retrieved attempts, task, then the rounds.
 */
export function buildMessages(input: {
  readonly systemPrompt: string
  readonly parts: PromptParts
  readonly instruction: string
  readonly context: string
  /** What of the context stands in front, in the system prompt. Default: nothing. */
  readonly lasting?: string | undefined
  readonly rounds: readonly {
    readonly completion: string
    readonly observation: string | null
    readonly guidance?: string | undefined
    readonly heard?: string | undefined
    readonly call?: Round['call']
  }[]
  /** What the person said since the last round. Default: nothing. */
  readonly heard?: string | undefined
  /** Earlier attempts as turns of the dialog. Default: none. */
  readonly earlier?: readonly ChatMessage[]
}): ChatMessage[] {
  const messages: ChatMessage[] = [
    { role: 'system', content: systemText(input.systemPrompt, input.parts, input.lasting) },
    ...(input.earlier ?? []),
    {
      role: 'user',
      content: recalledText(input.parts) + taskText(input.instruction, input.context, input.lasting),
    },
  ]
  const hear = (report: string | undefined): void => {
    const last = messages.at(-1)
    if (report === undefined || !last) return
    // Two turns of the user in a row are more than many chat templates take.
    if (last.role === 'user')
      messages[messages.length - 1] = { ...last, content: `${last.content}\n\n${report}` }
    else messages.push({ role: 'user', content: report })
  }
  for (const round of input.rounds) {
    const { call } = round
    hear(round.heard)
    messages.push(
      call
        ? { role: 'assistant', content: call.said, toolCalls: [call] }
        : { role: 'assistant', content: round.completion },
    )
    if (round.observation === null) continue
    const guidance = round.guidance === undefined ? '' : `\n\n${round.guidance}`
    const content = round.observation + guidance
    messages.push(
      call ? { role: 'tool', content, callId: call.id, name: call.name } : { role: 'user', content },
    )
  }
  hear(input.heard)
  return messages
}

/** A system prompt, and what it is about as the user's message. */
export const promptAbout = (template: string, ...parts: readonly string[]): ChatMessage[] => [
  { role: 'system', content: template },
  { role: 'user', content: parts.filter((part) => part !== '').join('\n\n') },
]
