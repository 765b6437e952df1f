import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import type { ExperienceStep } from '../../../../shared/domain/experience'
import { complaintOf } from '../../../verdict/complaint'
import { endingOf } from '../../../verdict/endings'
import { LOG_WORDS, step, type AgentLog, type LogFormat } from './log'
import { readRecords } from './records'
import { readElements } from '../../../ground/entries'

const sessionSchema = z.object({
  task_name: z.string(),
  sample_index: z.union([z.number(), z.string()]),
  sample_status: z.string(),
  evaluation_record: z.object({ outcome: z.string() }),
  chat_history: z.object({ value: z.array(z.object({ role: z.string(), content: z.string() })) }),
})
type Session = z.infer<typeof sessionSchema>

const DOMAINS: Readonly<Record<string, string>> = {
  db_bench: 'database',
  os_interaction: 'shell',
  knowledge_graph: 'knowledge-graph',
}
const VERBS = { db_bench: 'query', os_interaction: 'run', knowledge_graph: 'query' } as const
const OUTCOMES: Readonly<Record<string, AgentLog['outcome']>> = { correct: 'success', incorrect: 'failure' }

const ACTION = /Action:\s*(Operation|Answer)|Act:\s*(bash|finish|answer)|Action:/i

/** A reply split into what was thought and what was done. */
function toStep(reply: string, answer: string | null, task: string): ExperienceStep {
  const at = reply.search(ACTION)
  const reason = at > 0 ? reply.slice(0, at) : ''
  const action = at >= 0 ? reply.slice(at) : reply
  const isAnswer = /^(Action:\s*Answer|Act:\s*(finish|answer)|Final Answer)/i.test(action.trim())
  return step({
    verb: isAnswer ? 'answer' : (VERBS[task as keyof typeof VERBS] ?? 'other'),
    tool: isAnswer ? '' : task,
    content: action,
    reason,
    observation: answer,
    failed: complaintOf(answer, action) !== null,
  })
}

function toLog(session: Session): AgentLog | string {
  const { task_name, sample_index, sample_status, evaluation_record, chat_history } = session
  const outcome = OUTCOMES[evaluation_record.outcome]
  const turns = chat_history.value
  const firstReply = turns.findIndex(({ role }) => role === 'agent')
  if (firstReply < 0) return 'the agent never replied'
  // The rules, then the agent's consent, then the task: the task is what stands before the reply that acts.
  const acting = turns.findIndex(({ role, content }) => role === 'agent' && ACTION.test(content))
  const begin = acting < 0 ? firstReply : acting
  const question = turns[begin - 1]?.content.trim() ?? ''
  if (question === '') return 'there is no task before the first reply'
  const steps = turns
    .slice(begin)
    .flatMap(({ role, content }, i, rest) =>
      role === 'agent'
        ? [toStep(content, rest[i + 1]?.role === 'user' ? (rest[i + 1]?.content ?? null) : null, task_name)]
        : [],
    )
  return {
    question,
    framework: 'lifelong-agent-bench',
    domain: DOMAINS[task_name] ?? task_name,
    ...(outcome && { outcome }),
    ending: endingOf(sample_status),
    sourceId: `${task_name}/${sample_index}`,
    steps,
  }
}

/** LifelongAgentBench's `runs.json`: an array of sessions. */
export const lifelongAgentBench: LogFormat = {
  id: 'lifelong-agent-bench',
  title: 'LifelongAgentBench runs.json',
  writtenFor: 'LifelongAgentBench as released in May 2025 (sessions with chat_history and evaluation_record)',
  ...LOG_WORDS,
  recognise: byJsonSigns([sign(0.9, /"sample_index"\s*:/, /"chat_history"\s*:/)]),
  read: (text) => readRecords(readElements(text), sessionSchema, toLog),
}
