/** An expert at desks: its attempts, played through the app's own planner and executor, with every dialog that a model was asked in. */
import { runQuestion } from '../../src/core/agent/question-attempt'
import type { ChatMessage } from '../../src/core/ground/chat'
import { NOTHING_RECALLED, type PromptParts } from '../../src/core/ground/method'
import type { ToolBox, ToolInfo } from '../../src/core/ground/tools'
import { none } from '../../src/core/methods/none/none'
import { createDesk, type Desk } from '../../src/core/tasks/qa/desk/world'
import type { DeskTask } from '../../src/core/tasks/qa/desk/tasks'
import { QUESTIONS } from '../../src/core/tasks/qa/entry'
import { createQuestionEnvironment } from '../../src/core/tasks/qa/environment'
import type { Task } from '../../src/shared/domain/task'
import { NO_USAGE, type Trajectory } from '../../src/shared/domain/trajectory'

/** A reply, and whether it is one to learn: a slip is not. */
interface Reply {
  readonly text: string
  readonly slip?: true
}

/** A dialog with a model, its last reply too. */
export interface Dialog {
  readonly role: 'planner' | 'executor'
  readonly messages: readonly ChatMessage[]
}

export interface DeskPlay {
  readonly task: DeskTask
  readonly trajectory: Trajectory
  readonly dialogs: readonly Dialog[]
  /** Replies that were slips. */
  readonly slips: ReadonlySet<string>
}

/** JSON as the forms of planner and executor have it, with a blank behind commas and colons. */
function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  return `{${Object.entries(value)
    .map(([key, inner]) => `${JSON.stringify(key)}: ${spaced(inner)}`)
    .join(', ')}}`
}
const call = (tool: string, args: object): string => spaced({ tool, arguments: args })
const read = (path: string): string => call('read_document', { path, inner: null, offset: null, limit: null })
const list = (containing: string): string => call('list_documents', { containing })
const calculate = (expression: string): string => call('calculate', { expression, numbers: null })
const report = (answer: string): string => spaced({ answer })
const plan = (...steps: string[]): string =>
  spaced({ plan: steps.map((description, i) => ({ id: i + 1, description })) })
const NOT_KNOWN = 'Not known yet.'

/** The replies of an expert to a task, in the order in which planner and executor are asked. `slips`: with a wrong call before a right one. */
export function repliesTo(task: DeskTask, desk: Desk, slips: boolean): Reply[] {
  const [a = '', b = ''] = task.people
  const { names } = desk
  const end: Reply = { text: `FINAL ANSWER: ${task.answer}` }
  const say = (...texts: string[]): Reply[] => texts.map((text) => ({ text }))
  const wrong = (text: string): Reply[] => (slips ? [{ text, slip: true }] : [])
  if (task.kind === 'key') {
    const room = desk.rooms.get(a)
    const { listed = '', file = '', key = '' } = room ?? {}
    const found = listed === file ? [] : [list(listed.replace('.txt', '')), read(file)]
    return [
      ...say(plan(`Read ${names.rooms}: which file is for ${a}?`, 'Read that file: who has the key?')),
      ...wrong(read(names.rooms.replace('.txt', ''))),
      ...say(read(names.rooms), report(`${a}: ${listed}`), read(listed), ...found, report(`Key: ${key}`)),
      end,
    ]
  }
  if (task.kind === 'cost') {
    const { count = 0, thing = '' } = desk.orders.get(a) ?? {}
    const price = desk.prices.get(thing) ?? 0
    return [
      ...say(
        plan(
          `Read ${names.orders}: what does ${a} order?`,
          `Read ${names.prices}: what does that cost?`,
          'Calculate the cost.',
        ),
        read(names.orders),
        report(`${a}: ${count} ${thing}`),
      ),
      ...wrong(read(names.prices.replace('.txt', ''))),
      ...say(read(names.prices), report(`${thing}: ${price}`)),
      ...wrong(calculate(`${count} ${thing}`)),
      ...say(calculate(`${count} * ${price}`), report(task.answer)),
      end,
    ]
  }
  const owes = (name: string): number => desk.bills.get(name) ?? 0
  if (task.kind === 'sum')
    return [
      ...say(plan(`Read ${names.bills}: what do ${a} and ${b} owe?`, 'Calculate the sum.')),
      ...wrong(read(names.bills.replace('.txt', ''))),
      ...say(
        read(names.bills),
        report(`${a}: ${owes(a)}, ${b}: ${owes(b)}`),
        calculate(`${owes(a)} + ${owes(b)}`),
        report(task.answer),
      ),
      end,
    ]
  const planOf = (name: string): string =>
    plan(`Read ${name}: what does ${a} owe?`, `Calculate what is left after ${task.paid}.`)
  const ending = [report(`${a}: ${owes(a)}`), calculate(`${owes(a)} - ${task.paid}`), report(task.answer)]
  return [
    ...say(planOf(names.bills)),
    ...wrong(read(names.bills.replace('.txt', ''))),
    ...say(read(names.bills)),
    ...(desk.isLate.has(a)
      ? say(report(`${a} is not there.`), report(NOT_KNOWN), planOf(names.late), read(names.late), ...ending)
      : say(...ending)),
    end,
  ]
}

/** A drawn task as the app reads it from a stream. */
export const taskOf = ({ id, question, answer, files }: DeskTask): Task => ({
  id,
  index: 0,
  environment: QUESTIONS,
  instruction: question,
  skills: [],
  payload: {
    references: [answer],
    scorer: 'check',
    check: { kind: 'exact' },
    level: null,
    dataset: 'desk',
    attachments: files.map((name) => ({ name })),
  },
})

const result = (text: string, failed = false) => ({ text, failed, files: [], wallMs: 0 })
const EXPRESSION = /^(\d+) ([-+*]) (\d+)$/

/** What the document and math servers answer over the files of a task; anything else the expert never asks. */
export function deskTools({ files }: Desk, names: readonly string[], tools: readonly ToolInfo[]): ToolBox {
  return {
    list: () => tools,
    call(name, args) {
      const text = (key: string): string => (typeof args[key] === 'string' ? args[key] : '')
      if (name === 'read_document') {
        const path = text('path')
        return Promise.resolve(
          names.includes(path)
            ? result((files.get(path) ?? '').trim())
            : result(`There is no file ${path} in the folders this tool may read.`, true),
        )
      }
      if (name === 'list_documents') {
        const matches = names.filter((one) => one.includes(text('containing')))
        return Promise.resolve(
          result(
            matches.length === 0
              ? 'There are no such files.'
              : matches.map((one) => `${one} (${(files.get(one) ?? '').length} bytes)`).join('\n'),
          ),
        )
      }
      const [, a, sign, b] = EXPRESSION.exec(text('expression')) ?? []
      if (name === 'calculate' && a !== undefined && b !== undefined)
        return Promise.resolve(
          result(
            String(
              sign === '*'
                ? Number(a) * Number(b)
                : sign === '+'
                  ? Number(a) + Number(b)
                  : Number(a) - Number(b),
            ),
          ),
        )
      const [, thing = ''] = /^\d+ ([a-z]+)$/.exec(text('expression')) ?? []
      if (name === 'calculate' && thing !== '')
        return Promise.resolve(result(`Undefined symbol ${thing}`, true))
      return Promise.reject(new Error(`The expert never calls ${name} with ${JSON.stringify(args)}.`))
    },
  }
}

export interface DeskSetting {
  /** Texts of the prompts of planner and executor. */
  readonly planner: string
  readonly executor: string
  readonly tools: readonly ToolInfo[]
  readonly parts?: PromptParts
  /** Whether calls go wrong at first. */
  readonly slips?: boolean
}

/** Plays a task through the app's planner and executor, and catches what they ask. */
export async function playDesk(task: DeskTask, setting: DeskSetting): Promise<DeskPlay> {
  const desk = createDesk(task.desk)
  const replies = repliesTo(task, desk, setting.slips === true)
  const dialogs = new Map<string, Dialog>()
  let asked = 0
  const generate = ({ messages }: { readonly messages: readonly ChatMessage[] }) => {
    const { text } = replies[asked++] ?? { text: '' }
    const role = messages[0]?.content === setting.planner ? 'planner' : 'executor'
    // Every turn of the planner, and each subtask of the executor as a whole.
    const turn = role === 'planner' ? messages.length : 0
    dialogs.set([turn, ...messages.slice(0, 2).map(({ content }) => content)].join('\n'), {
      role,
      messages: [...messages, { role: 'assistant', content: text }],
    })
    return Promise.resolve({ text, usage: NO_USAGE, finish: 'end' } as const)
  }
  const countTokens = (texts: readonly string[]) => Promise.resolve(texts.map(() => 0))
  const model = { name: 'expert', generate, countTokens }
  const trajectory = await runQuestion({
    ...{ id: `${task.desk}/${task.id}`, runId: 'training', memoryId: 'training', task: taskOf(task) },
    environment: {
      ...createQuestionEnvironment({
        plannerPrompt: setting.planner,
        executorPrompt: setting.executor,
        ...{ alonePrompt: '', directPrompt: '', judgePrompt: '' },
      }),
      ports: {
        ...{ planner: model, executor: model, judge: model },
        openTools: () =>
          Promise.resolve({
            box: deskTools(desk, task.files, setting.tools),
            files: task.files,
            close: () => Promise.resolve(),
          }),
      },
    },
    method: { ...none, recall: () => Promise.resolve(setting.parts ?? NOTHING_RECALLED) },
    context: { model, bank: {}, settings: { agent: { direct: 'off' } }, k: 4, seed: 1 } as never,
    clock: { now: () => new Date(0) },
    ...{ temperature: 0, maxTokens: 160 },
  } as never)
  if (asked !== replies.length || trajectory.reward !== 1)
    throw new Error(
      `${task.id}: ${asked} of ${replies.length} replies were asked for, reward ${trajectory.reward}`,
    )
  return {
    task,
    trajectory,
    dialogs: [...dialogs.values()],
    slips: new Set(replies.flatMap(({ text, slip }) => (slip ? [text] : []))),
  }
}
