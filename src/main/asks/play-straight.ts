import type { Earlier } from '../../core/agent/dialog'
import { factAlone } from '../../core/agent/known-facts'
import { AGENT } from '../../core/agent/settings'
import {
  runStraight,
  type AgentResult,
  type StraightEvents,
  type StraightInput,
} from '../../core/agent/straight'
import { answeredWith } from '../../core/agent/straight-replies'
import { readSettings } from '../../core/ground/settings'
import type { ToolBox } from '../../core/ground/tools'
import { filesText } from '../../core/tasks/qa/environment'
import type { AskInfo } from '../../shared/domain/ask'
import { readAskFiles } from './file-texts'
import { sumsAlone, sumText, workOutSums } from './sums'

/** Why no model was asked. */
const WORKED_OUT = 'It was worked out, and no model was asked.'

type Played = Omit<
  StraightInput,
  | 'systemPrompt'
  | 'shown'
  | 'attached'
  | 'sums'
  | 'images'
  | 'tools'
  | 'earlier'
  | 'begun'
  | 'limits'
  | 'peek'
>

/** What it takes of a try at an ask. */
interface StraightTry {
  readonly ask: Pick<AskInfo, 'spec'>
  readonly folder: string
  readonly files: readonly string[]
  readonly earlier: Earlier
  readonly begun: NonNullable<StraightInput['begun']> | null
  /** Whether its model uses tools well. */
  readonly usesTools: boolean
  /** Whether its model does not answer in the language of a text. */
  readonly cannotAnswer: (text: string) => Promise<boolean>
  peek(): boolean
  readonly signal: AbortSignal
}

/** Straight at an ask, with the tools that it is given. @param findings what plan and tools brought that led to no answer; null where it is the first at it */
export async function playStraight(
  one: StraightTry,
  input: Played,
  tools: ToolBox,
  findings: string | null,
  world: { prompt(id: 'ask' | 'ask-tools'): Promise<string> },
  events: StraightEvents,
): Promise<AgentResult> {
  const { ask, files, folder, earlier, begun } = one
  const { model } = input.context
  const plain = tools.list().length === 0
  const prompt = await world.prompt(plain ? 'ask' : 'ask-tools')
  const { instructions, text: question } = ask.spec
  const systemPrompt = instructions === '' ? prompt : `${prompt}\n\n${instructions}`
  const read = await readAskFiles({ folder, files, question }, model, one.signal)
  // Who has tools calculates by one; a model that is too small for them reads the result.
  const isTold = findings !== null || (ask.spec.tools === null ? plain : !plain && !one.usesTools)
  const sums = isTold ? await workOutSums(question) : []
  const isFirst = begun === null && findings === null
  // A small model does not copy the result that it reads, so the result is the answer, unless the person said how answers should be.
  const result = isFirst && plain && instructions === '' ? sumsAlone(question, sums) : ''
  const played = await runStraight(
    {
      ...input,
      systemPrompt,
      shown: [filesText(files), read.note, ...sums].filter((line) => line !== '').join('\n'),
      attached: read.text,
      sums: [findings ?? '', sumText(sums)].filter((text) => text !== '').join('\n\n'),
      images: read.images,
      tools,
      earlier,
      ...(begun && { begun }),
      opening: async (parts) => {
        if (result !== '') return answeredWith(result)
        const fact = isFirst ? factAlone(parts, question) : ''
        const isAnswer = fact !== '' && (await one.cannotAnswer(`${question}\n${fact}`))
        return isAnswer ? answeredWith(fact) : undefined
      },
      limits: { ...readSettings(AGENT, {}), thinking: model.can?.thinking === true },
      peek: () => one.peek(),
    },
    {
      ...events,
      started(start) {
        events.started?.(start)
        events.unread?.(read.unread)
      },
    },
  )
  const reason = result === '' ? {} : { reason: WORKED_OUT }
  return { ...played, trajectory: { ...played.trajectory, ...reason }, unread: read.unread }
}
