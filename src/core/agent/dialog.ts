import type { ContextCut } from '../../shared/domain/ask'
import type { Round } from '../../shared/domain/trajectory'
import { LoamError } from '../../shared/errors'
import { say } from '../ground/ask'
import type { CallOptions, ChatImage, ChatMessage, LanguageModel } from '../ground/chat'

/** A message of the person that came before, and what the agent did about it. */
export interface EarlierTurn {
  readonly text: string
  readonly rounds: readonly Round[]
  /** Null where it found none. */
  readonly answer: string | null
}

/** A conversation before the message that is worked on. */
export interface Earlier {
  /** Oldest first; all of them, also those that `summary` stands for. */
  readonly turns: readonly EarlierTurn[]
  /** What an earlier attempt made of the first `turns` of them; null when nothing was summarised yet. */
  readonly summary: Pick<ContextCut, 'turns' | 'summary'> | null
}

export const NOTHING_EARLIER: Earlier = { turns: [], summary: null }

/** A dialog that can be made shorter: what came before, and the messages about the task at hand. */
export interface Dialog {
  readonly system: string
  /** Stands for turns that are gone from `before`; null while none is. */
  readonly summary: Pick<ContextCut, 'turns' | 'summary'> | null
  /** A list of messages per earlier turn. */
  readonly before: readonly (readonly ChatMessage[])[]
  readonly now: readonly ChatMessage[]
  /** Answers of tools that were left out so far. */
  readonly answers: number
}

/** What stands where a tool's answer was left out. */
export const LEFT_OUT = '[left out, so that the task fits into what the model can read]'
const NO_SUMMARY =
  'Earlier messages were left out, so that the conversation fits into what the model can read.'

/** The messages that steps come to, as the model wrote and read them. */
export function messagesOf(rounds: readonly Round[]): ChatMessage[] {
  return rounds.flatMap((round): ChatMessage[] => {
    const { call, completion, observation, heard } = round
    const messages: ChatMessage[] = heard === undefined ? [] : [{ role: 'user', content: heard }]
    if (!call) return completion === '' ? messages : [...messages, { role: 'assistant', content: completion }]
    return [
      ...messages,
      { role: 'assistant', content: call.said, toolCalls: [call] },
      { role: 'tool', content: observation ?? '', callId: call.id, name: call.name },
    ]
  })
}

/** Opens a dialog on what came before and the task at hand. */
export function openDialog(system: string, earlier: Earlier, task: string | readonly ChatMessage[]): Dialog {
  const { turns, summary } = earlier
  return {
    system,
    summary,
    before: turns.slice(summary?.turns ?? 0).map(turnMessages),
    now: typeof task === 'string' ? [{ role: 'user', content: task }] : task,
    answers: 0,
  }
}

/** What a person says, with pictures where there are any. */
export const userMessage = (content: string, images: readonly ChatImage[] = []): ChatMessage => ({
  role: 'user',
  content,
  ...(images.length > 0 && { images }),
})

/** The dialog with more said in it; two turns of the user in a row become one, since many chat templates want turns. */
export const saying = (dialog: Dialog, ...messages: readonly ChatMessage[]): Dialog => ({
  ...dialog,
  now: messages.reduce<readonly ChatMessage[]>(
    (before, one) => (one.role === 'user' ? say(before, one.content) : [...before, one]),
    dialog.now,
  ),
})

function turnMessages({ text, rounds, answer }: EarlierTurn): ChatMessage[] {
  const steps = messagesOf(rounds)
  const last = steps.at(-1)
  const isEnded = last?.role === 'assistant' && !('toolCalls' in last && last.toolCalls)
  const end: ChatMessage = { role: 'assistant', content: answer ?? 'I found no answer.' }
  return [{ role: 'user', content: text }, ...steps, ...(isEnded ? [] : [end])]
}

/** The whole of it as it is sent. */
export function dialogMessages({ system, summary, before, now }: Dialog): ChatMessage[] {
  const text = summary === null ? '' : summary.summary === '' ? NO_SUMMARY : summary.summary
  const head: ChatMessage[] =
    text === ''
      ? []
      : [
          { role: 'user', content: `What we said before, in short:\n${text}` },
          { role: 'assistant', content: 'I go on from there.' },
        ]
  return [{ role: 'system', content: system }, ...head, ...before.flat(), ...now]
}

/** What was done to it, for people; null when nothing was. */
export const fittedOf = ({ summary, answers }: Dialog): ContextCut | null =>
  summary === null && answers === 0 ? null : { answers, turns: 0, summary: '', ...summary }

const isFull = ({ role, content }: ChatMessage): boolean => role === 'tool' && content !== LEFT_OUT

function withoutOldestAnswer(messages: readonly ChatMessage[]): ChatMessage[] | null {
  const at = messages.findIndex(isFull)
  if (at < 0) return null
  return messages.map((one, i) => (i === at ? { ...one, content: LEFT_OUT } : one))
}

/**
 * The next shorter form: first tools' answers of earlier turns go, oldest first; then the older half of those turns becomes a summary;
 * then tools' answers about the task at hand go. Null when nothing is left that can go.
 */
export async function shorter(
  dialog: Dialog,
  model: Pick<LanguageModel, 'generate'>,
  options: CallOptions,
): Promise<Dialog | null> {
  const { before, now, answers, summary } = dialog
  const at = before.findIndex((turn) => turn.some(isFull))
  if (at >= 0) {
    const less = before.map((turn, i) => (i === at ? (withoutOldestAnswer(turn) ?? turn) : turn))
    return { ...dialog, before: less, answers: answers + 1 }
  }
  if (before.length > 0) {
    const half = Math.ceil(before.length / 2)
    const text = await summarise(summary?.summary ?? '', before.slice(0, half), model, options)
    const turns = (summary?.turns ?? 0) + half
    return { ...dialog, before: before.slice(half), summary: { turns, summary: text } }
  }
  const less = withoutOldestAnswer(now)
  if (less) return { ...dialog, now: less, answers: answers + 1 }
  // Of all that went before, the summary itself is the last to go.
  return summary === null || summary.summary === ''
    ? null
    : { ...dialog, summary: { ...summary, summary: '' } }
}

const SUMMARISE =
  'Summarise this conversation between a person and you, so that you can go on with it: what the person wants, names, numbers, what was found out and what was decided. A few plain sentences, nothing else.'
/** Longest summary, in tokens. */
const SUMMARY_TOKENS = 200
/** Characters under which a text is not worth a summary. */
const LEAST_TEXT = 200

const SPEAKER = { system: 'Rules', user: 'Person', assistant: 'You', tool: 'Tool' } as const

/** Turns in a few sentences; empty when they could not be summarised, since they do not fit however they are cut. */
async function summarise(
  summary: string,
  turns: readonly (readonly ChatMessage[])[],
  model: Pick<LanguageModel, 'generate'>,
  options: CallOptions,
): Promise<string> {
  const lines = turns
    .flat()
    .filter(({ content }) => content !== '' && content !== LEFT_OUT)
    .map(({ role, content }) => `${SPEAKER[role]}: ${content}`)
  let text = [...(summary === '' ? [] : [`In short, before: ${summary}`]), ...lines].join('\n')
  while (text.length >= LEAST_TEXT) {
    try {
      const messages: ChatMessage[] = [
        { role: 'system', content: SUMMARISE },
        { role: 'user', content: text },
      ]
      const reply = await model.generate(
        { messages, temperature: 0, maxTokens: SUMMARY_TOKENS },
        options.signal ? { signal: options.signal } : {},
      )
      return reply.text.trim()
    } catch (error) {
      if (!(error instanceof LoamError) || error.code !== 'CONTEXT_OVERFLOW') throw error
      text = text.slice(0, text.length / 2)
    }
  }
  return text
}
