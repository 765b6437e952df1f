import type { Task } from '../../../shared/domain/task'
import type { Finish, Score } from '../../../shared/domain/trajectory'
import type { Environment, Episode, StepOutcome } from '../../ground/environment'
import { taskPayload } from '../../ground/environment-module'
import { reprTexts } from '../../ground/python-text'
import { finalAnswer } from '../../ground/replies/action-lines'
import { replyReader, toldOutcome, type Replies } from '../../ground/replies/reply-reader'
import { ACTIONS, ANSWER, argumentText, readPublished, writeAction } from './actions'
import { deriveGraph } from './derive'
import { labKgEntrySchema, type LabKgEntry } from './entry'
import { Explorer } from './explorer'
import { gradeAnswer } from './grade'
import { parseLabKgAction } from './grammar'
import type { Edge, Graph, Graphs } from './graph'

/** The environment's id on tasks, trajectories and streams. */
export const LAB_KG = 'lab-kg'

/** Rounds of one attempt in the benchmark. */
export const LAB_KG_MAX_ROUNDS = 15

export interface LabKgOptions {
  readonly systemPrompt: string
  readonly graphs: Graphs
  /** A graph for all tasks, which stays open. Default: each task has its own. */
  readonly shared?: Graph
  readonly rounds: number
  /** Default `any`. */
  readonly replies?: Replies
}

/** Reads a task's payload. @throws LoamError `TASK_STREAM` when it is no task of this environment */
export const readLabKgTask = (task: Task): LabKgEntry =>
  taskPayload(task, labKgEntrySchema, 'a knowledge graph task', 'the knowledge graph environment')

/** Where the answers of a task come from, as it is told wherever they are graded. */
export const graphName = (entry: LabKgEntry, isShared: boolean): string =>
  isShared ? 'a graph of your own' : entry.graph ? "the task's own graph" : 'a graph derived from the entry'

/** LifelongAgentBench's knowledge graph environment on any graph: an answer is right when it is the gold set, no more and no less. */
export function createLabKgEnvironment(options: LabKgOptions): Environment {
  const { rounds, systemPrompt } = options
  return {
    id: LAB_KG,
    maxRounds: rounds,
    systemPrompt,
    ...(options.replies === 'tools' && { native: { tools: () => ACTIONS, write: writeAction } }),
    open: (task) => openEpisode(readLabKgTask(task), options),
  }
}

const TEXT_FORM = 'Reply with "Action: get_relations(#0)", or another call, or with "Final Answer: #0".'

/** The text form with marks around its words or in another case, and an answer that names no variable by its number. */
function readLoosely(reply: string) {
  const plain = reply.replace(/\*\*|`/g, '').replace(/\baction\s?:\s?(?=\w)/gi, 'Action: ')
  const published = readPublished(reply) ?? readPublished(plain)
  if (published) return published
  const answer = finalAnswer(reply)
  return answer === null || answer === '' ? null : { name: ANSWER.name, args: { var: answer } }
}

const readerOf = (replies: Replies) =>
  replyReader(
    {
      tools: ACTIONS,
      words: {},
      pick: 'first',
      published: replies === 'text' ? readPublished : readLoosely,
      parse: parseLabKgAction,
      textForm: TEXT_FORM,
    },
    replies,
  )

const edgesOf = (entry: LabKgEntry): readonly Edge[] | null =>
  entry.graph?.map(([from, relation, to]) => ({ from, relation, to })) ?? deriveGraph(entry)

function openEpisode(entry: LabKgEntry, { graphs, shared, rounds, replies }: LabKgOptions): Episode {
  const understand = readerOf(replies ?? 'any')
  const where = graphName(entry, shared !== undefined)
  let own: Promise<Graph> | null = null
  let explorer: Explorer | null = null
  let round = 0
  let closed = false

  async function ready(): Promise<Explorer | null> {
    if (explorer) return explorer
    const edges = shared ? null : edgesOf(entry)
    if (!shared && !edges) return null
    const graph = shared ?? (await (own ??= graphs.of(edges ?? [])))
    if (closed) (await own)?.close()
    return (explorer ??= new Explorer(graph, entry.entity_dict))
  }

  const end = (
    action: StepOutcome['action'],
    finish: Finish,
    observation: string | null,
    answer: readonly string[] | null,
  ): Extract<StepOutcome, { done: true }> => {
    const { exact, f1 } = gradeAnswer(answer, entry.answer_list)
    const scores: Score[] = [
      { name: `exact match on ${where}`, value: exact },
      { name: `F1 on ${where}`, value: f1 },
    ]
    return { done: true, action, observation, finish, reward: exact, scores }
  }

  return {
    context: `Entities: ${reprTexts(Object.keys(entry.entity_dict))}`,
    async step(reply) {
      const call = understand(reply)
      round++
      if (call.kind === 'told' && round < rounds) return toldOutcome(call)
      const world = await ready()
      if (!world) {
        const action = { kind: 'operation', content: '' } as const
        const ungraded = 'the entry brings neither a graph nor a solution that one could be derived from'
        return { ...end(action, 'completed', null, null), ungraded }
      }
      if (call.kind !== 'call')
        return end({ kind: 'invalid', reason: call.why }, 'invalid-action', null, null)
      const text = argumentText(call.name, call.args)
      if (call.name === ANSWER.name) {
        const action = { kind: 'answer', content: text } as const
        const index = /^\s*(?:var(?:iable)?\s?)?#?\s?(\d{1,9})\b/i.exec(text)?.[1]
        const found =
          index === undefined
            ? { why: 'Cannot find variable index in final answer.' }
            : await world.values(Number(index))
        if ('values' in found) return { ...end(action, 'completed', null, found.values), call }
        return round < rounds
          ? { done: false, action, observation: found.why, failed: true, from: 'environment', call }
          : { ...end(action, 'round-limit', found.why, null), call }
      }
      const action = { kind: 'operation', content: `${call.name}(${text})` } as const
      const { text: observation, failed } = await world.call(call.name, text)
      return round < rounds
        ? { done: false, action, observation, failed, from: 'environment', call }
        : { ...end(action, 'round-limit', observation, null), call }
    },
    close() {
      closed = true
      void own?.then((graph) => graph.close()).catch(() => undefined)
    },
  }
}
