import type { Task } from '../../../shared/domain/task'
import { exactObject } from '../../ground/exact-object'
import type { Environment } from '../../ground/environment'
import { taskPayload } from '../../ground/environment-module'
import { jsonForm } from '../../ground/replies/json-form'
import { endingWith, replyEnvironment } from '../../ground/replies/reply-environment'
import type { ReplyEpisode, ReplyOptions, ReplyWorld } from '../../ground/replies/reply-episode'
import type { ToolInfo } from '../../ground/tools'
import { workplaceEntrySchema, type WorkplaceEntry } from './entry'
import { WORKPLACE_KINDS, type WorkplaceKind } from './kinds'
import { openRoom, tagOf, type Level } from './room'
import { createWorkplace } from './world'

/** The environment's id on tasks, trajectories and streams. */
export const WORKPLACE = 'workplace'

/** Replies of one attempt. */
export const WORKPLACE_MAX_ROUNDS = 16

/** Calls that an attempt has at level 0, at most: one by what is known, one by what the refusal said. */
export const LEVEL_0_CALLS = 2

export interface WorkplaceOptions extends ReplyOptions {
  /** Default: as each task says, else 3. */
  readonly level?: Level | undefined
}

/** Reads a task's payload. @throws LoamError `TASK_STREAM` when it is no task of this environment */
export const readWorkplaceTask = (task: Task): WorkplaceEntry =>
  taskPayload(task, workplaceEntrySchema, 'a task at a workplace', 'the workplace environment')

const text = (description: string) => ({ type: 'string', description })

const drawTools = ({ item, steps, leave }: WorkplaceKind): ToolInfo[] => [
  {
    name: 'read_page',
    server: 'workplace',
    description: `Reads a page of the handbook. There is one for every sort of ${item} and one for every town.`,
    inputSchema: exactObject({ title: text('The sort or the town, as it is written.') }),
  },
  {
    name: 'look',
    server: 'workplace',
    description: `Says what a ${item} is and what was done with it.`,
    inputSchema: exactObject({ item: text(`Which ${item}.`) }),
  },
  ...[...steps, leave].map(({ name, past, argument, values }) => ({
    name,
    server: 'workplace',
    description: `Has a ${item} ${past} what is named${name === leave.name ? '; then it has left' : ''}.`,
    inputSchema: exactObject({
      item: text(`Which ${item}.`),
      [argument]: text(`One of ${values.join(', ')}.`),
    }),
  })),
  {
    name: 'finish',
    server: 'workplace',
    description: 'Ends the task before everything has left.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  },
]

const TOOLS = new Map(WORKPLACE_KINDS.map((kind) => [kind.id, drawTools(kind)]))
const FORMS = new Map([...TOOLS].map(([id, tools]) => [id, jsonForm(tools)]))

/** The level that a task is played at. */
export const levelIn = (entry: WorkplaceEntry, level: Level | undefined): Level => level ?? entry.level ?? 3

/** The one tool of level 0: what is to be chosen is the town, which stands in the task, and the way, which has to be known. */
function onlyTool({ items }: WorkplaceEntry, { item, leave }: WorkplaceKind): ToolInfo {
  const { name, past, argument, values } = leave
  const towns = [...new Set(items.map(({ town }) => town))]
  return {
    name,
    server: 'workplace',
    description: `Has the ${item} ${past} what its tag names.`,
    inputSchema: exactObject({
      tag: {
        ...text(`The town and the ${argument}, one of ${values.join(', ')}.`),
        enum: towns.flatMap((town) => values.map((value) => tagOf(town, value))),
      },
    }),
  }
}

/** What an agent can do in a task: the tools of its kind of workplace, at level 0 the leaving alone. */
export function toolsOf(task: Task, level?: Level): readonly ToolInfo[] {
  const entry = readWorkplaceTask(task)
  const { kind } = createWorkplace(entry.workplace)
  return levelIn(entry, level) === 0 ? [onlyTool(entry, kind)] : (TOOLS.get(kind.id) ?? [])
}

/** A call in the text form. */
export const { write: writeAction } = jsonForm([])

const worldAt = (level: Level | undefined): ReplyWorld => ({
  id: WORKPLACE,
  usual: WORKPLACE_MAX_ROUNDS,
  tools: (task) => toolsOf(task, level),
  write: writeAction,
  forms(task) {
    const entry = readWorkplaceTask(task)
    if (levelIn(entry, level) === 0) return jsonForm(toolsOf(task, 0)).forms
    return (FORMS.get(createWorkplace(entry.workplace).kind.id) ?? jsonForm([])).forms
  },
})

/** Which tools there are, for agents that are not handed them. */
const toolList = (tools: readonly ToolInfo[]): string =>
  tools
    .map(({ name, description, inputSchema }) => {
      const properties = (inputSchema['properties'] ?? {}) as Record<string, { description: string }>
      const names = Object.entries(properties).map(([key, { description: about }]) => `${key}: ${about}`)
      return `${name}: ${description} ${names.join(' ')}`.trimEnd()
    })
    .join('\n')

function openEpisode(
  task: Task,
  { level: option, replies, rounds = WORKPLACE_MAX_ROUNDS }: WorkplaceOptions,
): ReplyEpisode {
  const entry = readWorkplaceTask(task)
  const level = levelIn(entry, option)
  const room = openRoom(entry, level)
  const most = level === 0 ? Math.min(rounds, LEVEL_0_CALLS) : rounds
  const few = most === 1 ? 'You have one call.' : `You have ${most} calls.`
  const context = level === 0 ? `${room.context}\n\nOnly the leaving is left to do. ${few}` : room.context
  let calls = 0
  const end = endingWith(() => Promise.resolve({ reward: room.isRight() ? 1 : 0 }))
  return {
    context: replies === 'tools' ? context : `${context}\n\nTools:\n${toolList(toolsOf(task, level))}`,
    async act({ name, args }, last) {
      if (name === 'finish') return end({ kind: 'answer', content: name }, 'completed')
      const action = { kind: 'operation', content: JSON.stringify({ name, ...args }) } as const
      const { text: observation, failed } = room.call(name, args)
      if (room.isEmpty()) return end(action, 'completed', observation)
      calls++
      if (last || calls >= most) return end(action, 'round-limit', observation, failed)
      return { done: false, action, observation, failed, from: 'tool' }
    },
    end,
    close: () => undefined,
  }
}

/** Workplaces of procedures: an attempt ends when everything that is to leave has left, and is graded by what was done with each item. */
export const createWorkplaceEnvironment = (options: WorkplaceOptions): Environment =>
  replyEnvironment(worldAt(options.level), options, (task) => openEpisode(task, options))
