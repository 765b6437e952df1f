import type { Task } from '../../../shared/domain/task'
import type { Finish, Score } from '../../../shared/domain/trajectory'
import type { Environment } from '../../ground/environment'
import { taskPayload } from '../../ground/environment-module'
import { reprTexts } from '../../ground/python-text'
import { finalAnswer } from '../../ground/replies/action-lines'
import { replyEnvironment } from '../../ground/replies/reply-environment'
import type { End, ReplyEpisode, ReplyOptions, ReplyWorld } from '../../ground/replies/reply-episode'
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

export interface LabKgOptions extends ReplyOptions {
  readonly graphs: Graphs
  /** A graph for all tasks, which stays open. Default: each task has its own. */
  readonly shared?: Graph
}

/** Reads a task's payload. @throws LoamError `TASK_STREAM` when it is no task of this environment */
export const readLabKgTask = (task: Task): LabKgEntry =>
  taskPayload(task, labKgEntrySchema, 'a knowledge graph task', 'the knowledge graph environment')

/** Where the answers of a task come from, as it is told wherever they are graded. */
export const graphName = (entry: LabKgEntry, isShared: boolean): string =>
  isShared ? 'a graph of your own' : entry.graph ? "the task's own graph" : 'a graph derived from the entry'

/** LifelongAgentBench's knowledge graph environment on any graph: an answer is right when it is the gold set, no more and no less. */
export const createLabKgEnvironment = (options: LabKgOptions): Environment =>
  replyEnvironment(WORLD, options, (task) => openEpisode(readLabKgTask(task), options))

/** The text form with marks around its words or in another case, and an answer that names no variable by its number. */
function readLoosely(reply: string) {
  const plain = reply.replace(/\*\*|`/g, '').replace(/\baction\s?:\s?(?=\w)/gi, 'Action: ')
  const published = readPublished(reply) ?? readPublished(plain)
  if (published) return published
  const answer = finalAnswer(reply)
  return answer === null || answer === '' ? null : { name: ANSWER.name, args: { var: answer } }
}

const WORLD: ReplyWorld = {
  id: LAB_KG,
  usual: LAB_KG_MAX_ROUNDS,
  tools: ACTIONS,
  write: writeAction,
  forms: (_task, replies) => ({
    words: {},
    pick: 'first',
    published: replies === 'text' ? readPublished : readLoosely,
    parse: parseLabKgAction,
    textForm: 'Reply with "Action: get_relations(#0)", or another call, or with "Final Answer: #0".',
  }),
}

const edgesOf = (entry: LabKgEntry): readonly Edge[] | null =>
  entry.graph?.map(([from, relation, to]) => ({ from, relation, to })) ?? deriveGraph(entry)

/** The entities that an answer names by its variable, or what the agent is told where it names none. */
async function answered(world: Explorer, text: string) {
  const index = /^\s*(?:var(?:iable)?\s?)?#?\s?(\d{1,9})\b/i.exec(text)?.[1]
  const match =
    index === undefined
      ? { why: 'Cannot find variable index in final answer.' }
      : await world.values(Number(index))
  return 'values' in match ? match : { text: match.why, failed: true }
}

function openEpisode(entry: LabKgEntry, { graphs, shared }: LabKgOptions): ReplyEpisode {
  const where = graphName(entry, shared !== undefined)
  let own: Promise<Graph> | null = null
  let explorer: Explorer | null = null
  let isClosed = false

  async function explore(): Promise<Explorer | null> {
    if (explorer) return explorer
    const edges = shared ? null : edgesOf(entry)
    if (!shared && !edges) return null
    const graph = shared ?? (await (own ??= graphs.of(edges ?? [])))
    if (isClosed) (await own)?.close()
    return (explorer ??= new Explorer(graph, entry.entity_dict))
  }

  const end = (
    action: End['action'],
    finish: Finish,
    observation: string | null = null,
    answer: readonly string[] | null = null,
  ): End => {
    const { exact, f1 } = gradeAnswer(answer, entry.answer_list)
    const scores: Score[] = [
      { name: `exact match on ${where}`, value: exact },
      { name: `F1 on ${where}`, value: f1 },
    ]
    return { done: true, action, observation, finish, reward: exact, scores }
  }

  return {
    context: `Entities: ${reprTexts(Object.keys(entry.entity_dict))}`,
    async ready() {
      if (await explore()) return null
      const ungraded = 'the entry brings neither a graph nor a solution that one could be derived from'
      return { ...end({ kind: 'operation', content: '' }, 'completed'), ungraded }
    },
    async act({ name, args }, last) {
      const world = await explore()
      if (!world) throw new Error('an attempt acted in a graph that there is none of')
      const text = argumentText(name, args)
      const isAnswer = name === ANSWER.name
      const action = isAnswer
        ? ({ kind: 'answer', content: text } as const)
        : ({ kind: 'operation', content: `${name}(${text})` } as const)
      const match = isAnswer ? await answered(world, text) : await world.call(name, text)
      if ('values' in match) return end(action, 'completed', null, match.values)
      if (last) return { ...end(action, 'round-limit', match.text), failed: match.failed }
      return { done: false, action, observation: match.text, failed: match.failed, from: 'environment' }
    },
    end,
    close() {
      isClosed = true
      void own?.then((graph) => graph.close()).catch(() => undefined)
    },
  }
}
