import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import type { ExperienceStep } from '../../../../shared/domain/experience'
import { verbOf } from '../actions'
import { complaintOf } from '../../../verdict/complaint'
import { LOG_WORDS, step, type AgentLog, type LogFormat } from './log'
import { anything, readRecords, textOf } from './records'
import { readElements } from '../../../ground/entries'

const callSchema = z.object({
  tool_name: z.string().optional(),
  func_name: z.string().optional(),
  ...anything('args', 'result'),
})
const resultSchema = z.object({
  task_id: z.union([z.string(), z.number()]).nullish(),
  question: z.string().min(1),
  score: z.union([z.boolean(), z.number()]).nullish(),
  token_info: z
    .object({ prompt_token_count: z.number(), completion_token_count: z.number() })
    .partial()
    .nullish(),
  history: z.array(
    z.object({
      ...anything('user', 'assistant'),
      tool_calls: z.array(callSchema).nullish(),
    }),
  ),
})

/** A turn of a chat history that OWL saves by itself: what it was about stands in no field. */
const turnSchema = z.object({
  user: z.string(),
  ...anything('assistant'),
  tool_calls: z.array(callSchema).nullish(),
})

type Turn = z.infer<typeof resultSchema>['history'][number]

/** The user agent instructs, the assistant carries it out: its calls are the actions, its instruction the reason. */
function stepsOf({ user, assistant, tool_calls }: Turn): ExperienceStep[] {
  const calls = (tool_calls ?? []).map(({ tool_name, func_name, args, result }) => {
    const tool = tool_name ?? func_name ?? ''
    const observation = textOf(result)
    return step({
      verb: verbOf(tool),
      tool,
      content: textOf(args),
      observation,
      failed: complaintOf(observation, textOf(args)) !== null,
    })
  })
  const message = step({ verb: 'delegate', tool: '', content: textOf(user), observation: textOf(assistant) })
  return calls.length === 0
    ? [message]
    : calls.map((call, i) => (i === 0 ? { ...call, reason: message.content } : call))
}

const INSTRUCTION = /^\s*Instruction:/
const INPUT = /\n[^\S\n]{0,20}Input:/
const DONE = /<?\b(?:CAMEL_)?TASK_DONE\b>?/

/** An instruction of a chat history, without the words around it. */
function instructionIn(user: string): string {
  const [instruction = '', input = ''] = user.replace(DONE, '').replace(INSTRUCTION, '').split(INPUT, 2)
  const inputText = input.trim()
  return inputText === '' || /^none\.?$/i.test(inputText)
    ? instruction.trim()
    : `${instruction.trim()}\n${inputText}`
}

/** Each instruction of the user agent with what the assistant did about it. */
function ofTurn(turn: z.infer<typeof turnSchema>): AgentLog | string {
  const question = instructionIn(turn.user)
  const calls = (turn.tool_calls ?? []).length > 0
  if (question === '') return 'the user agent gave no instruction in it'
  const answer = textOf(turn.assistant).replace(/^\s*Solution:/, '')
  const acted = calls ? stepsOf(turn).map((one) => ({ ...one, reason: '' })) : []
  const answered = answer.trim() === '' ? [] : [step({ verb: 'answer', content: answer })]
  if (acted.length + answered.length === 0) return 'the assistant did nothing about it'
  return { question, framework: 'owl', domain: 'general', steps: [...acted, ...answered] }
}

function toLog({
  task_id,
  question,
  score,
  token_info,
  history,
}: z.infer<typeof resultSchema>): AgentLog | string {
  const steps = history.flatMap(stepsOf)
  if (steps.length === 0) return 'it has no turns'
  const solved = typeof score === 'number' ? score > 0 : score
  return {
    question,
    framework: 'owl',
    domain: 'general',
    ...(typeof solved === 'boolean' && { outcome: solved ? 'success' : 'failure' }),
    promptTokens: token_info?.prompt_token_count ?? null,
    completionTokens: token_info?.completion_token_count ?? null,
    sourceId: task_id === null || task_id === undefined ? null : String(task_id),
    steps,
  }
}

/** OWL: the results of its GAIA runner, one entry per task, and the chat history of a run, one per instruction. */
export const owl: LogFormat = {
  id: 'owl',
  title: 'OWL results and chat history (JSON)',
  writtenFor: 'OWL of 2025 on CAMEL 0.2: GAIA results with history and tool_calls, and chat_history.json',
  ...LOG_WORDS,
  recognise: byJsonSigns(
    [sign(0.5, /"user"\s*:/, /"assistant"\s*:/, /"tool_calls"\s*:/)],
    /_chat_history\.json$/,
  ),
  read: (text) =>
    readRecords<z.infer<typeof resultSchema> | z.infer<typeof turnSchema>>(
      readElements(text),
      z.union([resultSchema, turnSchema]),
      (record) => ('history' in record ? toLog(record) : ofTurn(record)),
    ),
}
