import { z } from 'zod'
import { parsed, readElements } from '../../ground/entries'
import { byJsonSigns, sign } from '../../ground/recognition'
import { isRecord } from '../../ground/record'
import { endingOf } from '../../verdict/endings'
import { nameOf, timeOf } from '../../memory/experiences/import/conversations'
import type { DialogMessage } from '../../memory/experiences/import/dialog-message'
import { LOG_WORDS, type AgentLog, type Found, type LogFormat } from '../../memory/experiences/import/log'
import { messageOf } from '../../memory/experiences/import/message'
import { anything, maybeTexts, shapeProblem } from '../../memory/experiences/import/records'
import { wholeAttempt } from '../whole-attempt'

const simulationSchema = z.looseObject({
  id: z.string(),
  task_id: z.union([z.string(), z.number()]),
  ...maybeTexts('start_time', 'termination_reason'),
  ...anything('reward_info'),
  messages: z.array(z.unknown()),
})
const resultsSchema = z.looseObject({
  simulations: z.array(z.unknown()),
  ...anything('info'),
})

/** Whether a call, or the answer to one, is the simulated user's own: those are no steps of the agent. */
const isOfUser = (message: Record<string, unknown>): boolean =>
  message['requestor'] === 'user' || (message['role'] === 'user' && Array.isArray(message['tool_calls']))

function messagesOf(values: readonly unknown[]): DialogMessage[] {
  return values.filter(isRecord).flatMap((message) => {
    if (isOfUser(message)) return []
    const { error } = message
    const read = messageOf({ ...message, ...(error === true && { is_error: true }) })
    return read ? [{ ...read, time: timeOf(message['timestamp']) }] : []
  })
}

function attemptOf(value: unknown, about: Pick<AgentLog, 'domain' | 'model'>): AgentLog | string {
  const simulation = simulationSchema.safeParse(value)
  if (!simulation.success) return shapeProblem(simulation.error)
  const { id, task_id, messages, reward_info, start_time, termination_reason } = simulation.data
  const reward = isRecord(reward_info) ? reward_info['reward'] : null
  const log = wholeAttempt(messagesOf(messages), {
    framework: 'tau2',
    ...about,
    sourceId: `${task_id}/${id}`,
    createdAt: timeOf(start_time),
    ...(typeof reward === 'number' && { outcome: reward >= 1 ? 'success' : 'failure' }),
  })
  return typeof log === 'string' ? log : { ...log, ending: endingOf(termination_reason) }
}

async function* read(text: AsyncIterable<string>): AsyncGenerator<Found> {
  for await (const { place, value, problem } of parsed(readElements(text))) {
    const results = resultsSchema.safeParse(value)
    if (problem !== null || !results.success) {
      yield { kind: 'left', place, why: problem ?? shapeProblem(results.error as z.ZodError) }
      continue
    }
    const info = isRecord(results.data.info) ? results.data.info : {}
    const agent = isRecord(info['agent_info']) ? info['agent_info'] : {}
    const environment = isRecord(info['environment_info']) ? info['environment_info'] : {}
    const about = {
      domain: nameOf(environment['domain_name']) ?? 'customer-service',
      model: nameOf(agent['llm']),
    }
    for (const [i, simulation] of results.data.simulations.entries()) {
      const at = { ...place, entry: i + 1 }
      const log = attemptOf(simulation, about)
      yield typeof log === 'string' ? { kind: 'left', place: at, why: log } : { kind: 'log', place: at, log }
    }
  }
}

/** tau2-bench's results, one attempt per simulation. */
export const tau2Results: LogFormat = {
  id: 'tau2',
  title: 'tau2-bench results (JSON)',
  writtenFor: 'tau2-bench 0.1 and 0.2, data/simulations/*.json (info, tasks, simulations)',
  ...LOG_WORDS,
  loses: `${LOG_WORDS.loses} The tasks beside the simulations; calls that the simulated user made; parts of a reward.`,
  recognise: byJsonSigns([
    sign(0.93, /"simulations"\s*:\s*\[/, /"(?:task_id|agent_info|user_info|termination_reason)"\s*:/),
    sign(0.93, /"info"\s*:\s*\{/, /"agent_info"\s*:/, /"user_info"\s*:/),
  ]),
  read,
}
