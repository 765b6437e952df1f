import type { GuideText, GuideVersion } from '../../../shared/domain/guide'
import type { SearchSettings } from '../../../shared/domain/guide-search'
import { addUsage, type Usage } from '../../../shared/domain/trajectory'
import { lostParticulars, wholeText } from '../../memory/guides/guide'
import { withNamesOf } from '../../memory/guides/names'
import type { BuildUnit } from '../../memory/guides/unit'
import {
  documentLength,
  inventedParticulars,
  putBack,
  unsaidInsights,
  withoutRepetitions,
} from '../../memory/guides/zero-loss'
import { CHARACTERS_PER_TOKEN } from '../../ground/fit-form'
import type { MethodContext } from '../../ground/method'
import { write } from '../../ground/writing'
import { fits } from './fit'
import { documentForm, integrateMessages, LONG_DOCUMENT, SHORT_DOCUMENT } from './messages'
import { PRINTED_INTEGRATOR, TEMPLATES } from './templates'

/** The integrator's temperature, for variety (A.2). */
const INTEGRATOR_TEMPERATURE = 0.7
/** The temperature at which it is asked once more. */
const AGAIN = 0.1
/** Insights the integrator reads at a time, where the context holds them. */
const INSIGHTS_AT_ONCE = 12
/** Tokens of a prompt besides document and insights, and of JSON around the reply. */
const BESIDES = 400
/** Share of the context that the integrator may write, and that all documents in an agent's prompt may take together. */
const WRITTEN = 1 / 4
const SHOWN = 1 / 2

export interface IntegrationOrder {
  /** Names the call: the node and which call of it. */
  readonly key: string
  /** Part of the seed: (k, node, j) by names that are the same in every build. */
  readonly seedName: string
  readonly concept: string
  readonly insights: readonly string[]
  readonly before: GuideText | null
  readonly keep: GuideVersion['constraints']['keep']
}

/** What an integration is made with. */
export interface IntegrationInput {
  readonly context: Pick<MethodContext, 'model' | 'prompts' | 'seed' | 'writer'>
  /** Documents in an agent's prompt. */
  readonly shown: number
  /** Whose prompt the integrator has. Default: Loam's. */
  readonly prompts?: SearchSettings['prompts']
  /** Whether what it leaves out is put back, or it was only asked not to. Default: checked. */
  readonly keep?: SearchSettings['keep']
}

/**
 * Characters a document may have: as many as the writer's context lets it write at once, and the reader's context holds `shown` of. A small
 * context gives the short form's.
 */
function documentRoom({ context, shown }: IntegrationInput): number {
  const { model, writer = model } = context
  const tokens = Math.min(writer.contextSize * WRITTEN, (model.contextSize * SHOWN) / shown)
  const characters = Math.floor(tokens * CHARACTERS_PER_TOKEN)
  return Math.min(LONG_DOCUMENT, Math.max(SHORT_DOCUMENT, characters))
}

/** Insights cut into what the integrator reads at a time: at most 12, and no more than its context holds beside a document. */
export function inBatches(insights: readonly string[], input: IntegrationInput): string[][] {
  const { model, writer = model } = input.context
  const reply = Math.min(writer.contextSize * WRITTEN, replyTokens(documentRoom(input)))
  const room = (writer.contextSize - reply - BESIDES) * CHARACTERS_PER_TOKEN - documentRoom(input)
  const batches: string[][] = []
  let remainingCount = 0
  for (const insight of insights) {
    const batch = batches.at(-1)
    if (batch && batch.length < INSIGHTS_AT_ONCE && insight.length <= remainingCount) batch.push(insight)
    else {
      batches.push([insight])
      remainingCount = room
    }
    remainingCount -= insight.length
  }
  return batches
}

const replyTokens = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN) + BESIDES / 2

/**
 * A document with insights worked in (BREW eq. 2). Nothing of the document before and of the insights may be lost, and no particular made
 * up: asked for once more, calmly, where something was, and the one with fewer faults counts; what is still missing is put back word for
 * word as far as there is room.
 */
export async function integrationOf(
  input: IntegrationInput,
  order: IntegrationOrder,
  signal: AbortSignal,
): Promise<Extract<BuildUnit, { kind: 'integration' }>> {
  const { context } = input
  const { before, insights } = order
  const room = documentRoom(input)
  const template = input.prompts === 'paper' ? PRINTED_INTEGRATOR : TEMPLATES.integrate
  const about = (read: readonly string[], losses: readonly string[]) =>
    integrateMessages(context.prompts.text(template), order.concept, read, before, {
      keep: order.keep.map(({ text }) => text),
      lost: losses,
    })
  // What a prompt has no room for is put in word for word, like what the model leaves out.
  let read = insights
  while (read.length > 1 && !(await fits(about(read, []), replyTokens(room), context, signal)))
    read = read.slice(0, Math.ceil(read.length / 2))
  const ask = (losses: readonly string[], retry: string) =>
    write(
      {
        role: `brew-integrate/${order.seedName}${retry}`,
        messages: about(read, losses),
        form: documentForm(room),
        taskIndex: 0,
        maxTokens: replyTokens(room),
        quotes: true,
        temperature: retry === '' ? INTEGRATOR_TEMPERATURE : AGAIN,
      },
      context,
      signal,
    )
  const getGaps = (text: GuideText): string[] => [
    ...lostParticulars(before, text),
    ...unsaidInsights(read, text),
  ]
  const sources = [...insights, order.concept, ...order.keep.map(({ text }) => text)]
  if (before !== null) sources.push(wholeText(before))
  const faults = (text: GuideText): number => getGaps(text).length + inventedParticulars(text, sources).length
  const first = await ask([], '')
  if (first.value === null) return unwritten(order, room, first.usage)
  const tidied = (output: GuideText): GuideText => withoutRepetitions(withNamesOf(sources, output))
  let text = tidied(first.value)
  let { usage } = first
  // Whether dropping, merging or generalising helped is for the search to find out.
  if (input.keep === 'asked') return { kind: 'integration', key: order.key, text, lost: getGaps(text), usage }
  if (faults(text) > 0) {
    const second = await ask(getGaps(text), '/again')
    usage = addUsage(usage, second.usage)
    const again = second.value === null ? null : tidied(second.value)
    if (again !== null && faults(again) < faults(text)) text = again
  }
  const selection = putBack(text, before, insights, Math.max(room, documentLength(text)))
  return {
    kind: 'integration',
    key: order.key,
    text: selection.text,
    lost: selection.lost,
    ...(selection.back.length > 0 && { back: selection.back }),
    usage,
  }
}

const EMPTY: GuideText = { context: '', howToUse: '', whenToUse: '', bestPractices: '' }

/** What stands for a text that the model did not manage: for a first document the insights themselves, for a later one nothing. */
function unwritten(
  { key, before, insights }: IntegrationOrder,
  room: number,
  usage: Usage,
): Extract<BuildUnit, { kind: 'integration' }> {
  if (before !== null) return { kind: 'integration', key, text: null, lost: [], usage }
  const { text, back, lost } = putBack(EMPTY, null, insights, room)
  return back.length === 0
    ? { kind: 'integration', key, text: null, lost: [], usage }
    : { kind: 'integration', key, text, lost, back, unwritten: true, usage }
}
