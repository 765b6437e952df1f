import { existsSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { readExecutorReply } from '../../../../src/core/agent/executor-reply'
import { readReply, type AgentReply } from '../../../../src/core/ground/replies/read-reply'
import { openEpisode, type Environment, type StepOutcome } from '../../../../src/core/ground/environment'
import { isQuestions } from '../../../../src/core/ground/question-environment'
import { beginsAsStatement } from '../../../../src/core/tasks/lab-db/grammar'
import { findEnvironment } from '../../../../src/core/tasks'
import { createEnvironments } from '../../../../src/main/streams/environments'
import { openStreamLibrary } from '../../../../src/main/streams/stream-library'
import { findResources } from '../../../../src/main/ground/resources'
import type { Task } from '../../../../src/shared/domain/task'
import { REPLY_FORMS, type Gold, type ReplyForm } from './reply-forms'

/** The two actions of each environment that the forms are written for; the second stands for another action in the same reply. */
const GOLDS: Readonly<Record<string, readonly [Omit<Gold, 'text'>, Omit<Gold, 'text'>]>> = {
  'lab-db': [
    { name: 'execute_sql', args: { sql: 'SELECT 41 + 1' }, word: 'Operation', code: 'SELECT 41 + 1' },
    { name: 'answer', args: { answer: '[(42,)]' }, word: 'Answer' },
  ],
  'lab-kg': [
    { name: 'get_relations', args: { var: 'Bakery' }, word: 'get_relations' },
    { name: 'count', args: { var: '#0' }, word: 'count' },
  ],
  spreadsheet: [
    { name: 'run_code', args: { code: 'print(41 + 1)' }, word: 'Code', code: 'print(41 + 1)' },
    { name: 'done', args: {}, word: 'Done' },
  ],
  'tool-use': [
    { name: 'get_order_details', args: { order_id: '#W1' }, word: null },
    { name: 'calculate', args: { expression: '41 + 1' }, word: null },
  ],
}
/** What text that names no action is taken for. */
const PLAIN: Readonly<Record<string, StepOutcome['action']['kind']>> = {
  'lab-db': 'answer',
  'lab-kg': 'invalid',
  spreadsheet: 'invalid',
  'tool-use': 'message',
}
const ACTING = Object.keys(GOLDS)
/** Where the published rules say that the first action counts. */
const FIRST_COUNTS = ['lab-db', 'lab-kg']

const resources = findResources()
const streams = openStreamLibrary(resources.streams, resources.streams)
const environments = createEnvironments(resources.prompts, (stream) => streams.filesOf(stream))
const ready = new Map<string, { environment: Environment; task: Task; golds: readonly [Gold, Gold] }>()

beforeAll(async () => {
  for (const id of ACTING) {
    const module = findEnvironment(id)
    const environment = await environments.get(id)
    const [task] = (await streams.load(module.sample)).tasks
    const golds = GOLDS[id]
    if (!task || !golds || isQuestions(environment)) throw new Error(`${id} cannot be tried`)
    const written = golds.map((gold) => ({ ...gold, text: module.writeAction(gold.name, gold.args) }))
    ready.set(id, { environment, task, golds: written as [Gold, Gold] & typeof written })
  }
})

const readyFor = (id: string) => {
  const found = ready.get(id)
  if (!found) throw new Error(`${id} is not ready`)
  return found
}

/** What an environment makes of a reply, at the start of an attempt. */
async function first(id: string, reply: string | AgentReply): Promise<StepOutcome> {
  const { environment, task } = readyFor(id)
  const episode = await openEpisode(environment, task)
  try {
    return await episode.step(reply)
  } finally {
    episode.close()
  }
}

const TOOL = {
  name: 'read_file',
  server: 'x',
  description: '',
  inputSchema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
}
const EXECUTOR_GOLD: Gold = {
  name: 'read_file',
  args: { path: 'a.csv' },
  word: null,
  text: '{"tool": "read_file", "arguments": {"path": "a.csv"}}',
}

/** In a word, what was understood. */
const wordOf = ({ expected }: ReplyForm, plain: string) =>
  expected === 'action' ? 'the action' : expected === 'plain' ? plain : 'told once'

describe.each(ACTING)('replies to %s', (id) => {
  it.each(REPLY_FORMS.map((form) => [form.title, form] as const))('%s', async (_title, form) => {
    const { golds } = readyFor(id)
    const reply = form.write(golds[0])
    if (reply === null) return
    const wanted = await first(id, golds[0].text)
    const outcome = await first(id, reply)
    if (form.expected === 'action') {
      expect(outcome.action).toEqual(wanted.action)
      expect(outcome.observation).toBe(wanted.observation)
    } else if (form.expected === 'plain' && PLAIN[id] !== 'invalid') {
      expect(outcome.action.kind).toBe(PLAIN[id])
      expect(outcome.call?.read).toBe('plain')
    } else {
      expect(outcome).toMatchObject({ done: false, action: { kind: 'invalid' }, from: 'environment' })
      expect(outcome.observation).toMatch(/Reply with "Action: /)
    }
  })

  it('takes the native call before what stands in the text', async () => {
    const [gold, other] = readyFor(id).golds
    const toolCalls = [{ id: 'c1', name: gold.name, arguments: gold.args }]
    const outcome = await first(id, { text: other.text, toolCalls })
    expect(outcome.action).toEqual((await first(id, gold.text)).action)
    expect(outcome.call?.read).toBe('native')
  })

  it('takes the last of two actions, or the first where the published rules say so', async () => {
    const [gold, other] = readyFor(id).golds
    const wanted = await first(id, FIRST_COUNTS.includes(id) ? gold.text : other.text)
    expect((await first(id, `${gold.text}\n\n${other.text}`)).action).toEqual(wanted.action)
  })

  it('ends with a second reply in no known form, and says why', async () => {
    const { environment, task } = readyFor(id)
    const episode = await openEpisode(environment, task)
    expect((await episode.step('')).done).toBe(false)
    expect(await episode.step('')).toMatchObject({
      done: true,
      finish: 'invalid-action',
      action: { kind: 'invalid', reason: 'The reply is empty.' },
    })
    episode.close()
  })

  it('tells the action of a reply from what stands around it', () => {
    const { environment, golds } = readyFor(id)
    const bare = environment.action?.(`Let me see what is there first.\n${golds[0].text}\n`)
    // What can be done in conversations and graphs differs from task to task.
    expect(bare).toBe(['tool-use', 'lab-kg'].includes(id) ? undefined : golds[0].text)
    expect(environment.action?.('I will first') ?? null).toBeNull()
  })

  it('does not take text for whole that was cut', async () => {
    expect(await first(id, { text: 'I will first', cut: true })).toMatchObject({
      done: false,
      action: { kind: 'invalid' },
    })
  })

  it.each(REPLY_FORMS.map((form) => [form.title, form] as const))(
    'never does a part of what was cut: %s',
    async (_title, form) => {
      const { golds } = readyFor(id)
      const text = form.write(golds[0]) ?? ''
      const wanted = JSON.stringify((await first(id, golds[0].text)).action)
      for (let length = 1; length < text.length; length += 5) {
        const { action } = await first(id, { text: text.slice(0, length), cut: true })
        if (action.kind !== 'invalid') expect([length, JSON.stringify(action)]).toEqual([length, wanted])
      }
    },
  )

  it('reads the published text form alone when it is set to', async () => {
    const { task, golds } = readyFor(id)
    const strict = await environments.get(id, { [id]: { replies: 'text' } })
    if (isQuestions(strict)) throw new Error('it is acted in')
    expect((await (await openEpisode(strict, task)).step(golds[0].text)).action.kind).toBe('operation')
    const native = { text: '', toolCalls: [{ id: 'c1', name: golds[0].name, arguments: golds[0].args }] }
    for (const reply of [
      native,
      `<tool_call>${JSON.stringify({ name: golds[0].name, arguments: golds[0].args })}</tool_call>`,
    ])
      expect(await (await openEpisode(strict, task)).step(reply)).toMatchObject({
        done: true,
        finish: 'invalid-action',
      })
  })
})

describe('replies to an executor', () => {
  it.each(REPLY_FORMS.map((form) => [form.title, form] as const))('%s', (_title, form) => {
    const reply = form.write(EXECUTOR_GOLD)
    if (reply === null) return
    const read = readExecutorReply(reply, [TOOL])
    if (form.expected === 'action')
      expect(read).toEqual({ kind: 'tool', tool: 'read_file', arguments: { path: 'a.csv' } })
    else expect(read.kind).toBe(form.expected === 'plain' ? 'answer' : 'neither')
  })
})

describe('a reply that was cut', () => {
  const tools = [{ ...TOOL, name: 'run', inputSchema: { ...TOOL.inputSchema, required: ['path'] } }]
  const cut = (text: string) => readReply({ text, cut: true }, { tools, words: {}, code: 'run' })

  it.each([
    '<function=run>\n',
    '<function=run>\n<parameter=path>\na.c',
    '<tool_call>{"name": "run", "arguments": {"path": "a.c',
    '{"name": "run", "arguments": {"path": "a.c',
    'Action: run\nAction Input: a.c',
    'Action: run\n```sh\ncat a.c',
  ])('says that it was cut, and not that something is missing: %j', (text) => {
    expect(cut(text)).toEqual({
      kind: 'none',
      why: 'The reply was cut at its length limit before its action was whole. Give it less at once.',
    })
  })

  it('is done where the action was whole before', () => {
    expect(cut('<function=run>\n<parameter=path>\na.csv\n</parameter>\n</function>\nThat wi')).toMatchObject({
      kind: 'call',
      args: { path: 'a.csv' },
    })
  })

  it('says what is wrong with a native call', () => {
    const problem = 'The call of run was cut at the length limit of a reply, so it was not made.'
    const toolCalls = [{ id: 'c', name: 'run', arguments: {}, problem }]
    expect(readReply({ text: '', toolCalls }, { tools, words: {} })).toEqual({ kind: 'none', why: problem })
  })
})

describe('code in a fence', () => {
  it.each([
    ['statements', true, '-- all of it\n(SELECT 1) UNION SELECT 2'],
    ['a common table', true, 'WITH late AS (SELECT * FROM flights) SELECT * FROM late'],
    ['python', false, 'with open("a.csv") as f:\n    print(f.read())'],
    ['python', false, '# delete it\nfrom db import select\nselect(1)'],
    ['an assignment', false, 'desc = "x"'],
  ])('is told by how it begins: %s', (_what, expected, text) => {
    expect(beginsAsStatement(text)).toBe(expected)
  })

  const published = resolve('../shared/data/lifelongagentbench/db_bench.json')
  it.skipIf(!existsSync(published))('is SQL in every published solution', () => {
    const statements = [...readFileSync(published, 'utf8').matchAll(/"sql":\s*("(?:[^"\\]|\\.)*")/g)]
    expect(statements.length).toBeGreaterThan(300)
    expect(
      statements
        .map(([, text = '""']) => JSON.parse(text) as string)
        .filter((text) => !beginsAsStatement(text)),
    ).toEqual([])
  })
})

describe('a bare text behind an action', () => {
  const search = {
    name: 'search',
    description: '',
    inputSchema: {
      type: 'object',
      properties: { query: { type: 'string' }, most: { type: 'integer' } },
      required: ['query'],
    },
  }

  it('is the one argument that a tool cannot do without', () => {
    const read = (text: string, tool = search) =>
      readReply({ text }, { tools: [tool], pick: 'last', words: {} })
    expect(read('Thought: hm\nAction: search\nAction Input: soil of loam')).toMatchObject({
      kind: 'call',
      args: { query: 'soil of loam' },
    })
    const both = { ...search, inputSchema: { ...search.inputSchema, required: ['query', 'most'] } }
    expect(read('Action: search\nAction Input: soil of loam', both).kind).toBe('none')
  })
})

describe('the table of replies', () => {
  it('says what the tests hold', async () => {
    const head = ['Reply', ...ACTING.map((id) => findEnvironment(id).words.title), 'Questions (executor)']
    const words: Readonly<Record<string, string>> = { answer: 'an answer', message: 'a message' }
    const plains = [...ACTING.map((id) => words[PLAIN[id] ?? ''] ?? 'told once'), 'an answer']
    const rows = REPLY_FORMS.map((form) => [
      form.title,
      ...plains.map((plain, i) => {
        const gold = i < ACTING.length ? readyFor(ACTING[i] ?? '').golds[0] : EXECUTOR_GOLD
        return form.write(gold) === null ? '' : wordOf(form, plain)
      }),
    ])
    const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`
    const table = [head, head.map(() => '---'), ...rows].map(line).join('\n')
    const path = join(import.meta.dirname, '../../../../docs/replies.md')
    const text = `${INTRODUCTION}\n\n${table}\n`
    await expect(text).toMatchFileSnapshot(path)
  })
})

const INTRODUCTION = `# What replies are taken for

An environment says its actions as tools. A native call, the text form, and every form below reach the same action. Thoughts are first taken out; native calls
come before text; the last complete action counts, in databases the first, as LifelongAgentBench's rules have it. Text that names no action is said to the
user in a conversation, is an answer where there can be one, and else the agent is told once what was expected, which takes a round; a second such
reply ends the attempt. A reply that was cut by its token limit is never taken for an answer, and no action is done of which a part may be missing. Code in a fence that names another language is run only where it begins as statements of SQL do, or where an action announces it.

The setting _Replies_ of each environment says what is asked for: the text form (as published), tools, or the text form alone, where nothing else is read and
an unreadable reply ends the attempt at once.

**How dialogs are laid out.** By the chat template in the model's file: tools, calls, their answers and thoughts as its makers write them, held by a table of 31 families
(\`families.test.ts\`). A template that tells of tools is used for them only if what it writes for a call is read again as the same call; else tools stand in the system prompt and a grammar
holds the reply to a form. Where there is no template, or one that cannot be used, the layout of the model's family stands in, else ChatML; preflight and the run say so
([why](decisions/0012-chat-templates.md)).

**Thoughts** are off, on, or on with a budget: a thought that has had its tokens is ended, and the reply goes on from there. What the prompt opened and nothing closed is a
thought, never a reply.

**What is learned from.** An attempt that never acted (its prompt did not fit, no reply was readable, or its only action was text taken for an answer) is learned from by no method. An attempt that acted,
however little sense it made, is a graded failure: methods that learn from failures may keep it as one, marked so, and it can be turned off there (e.g. \`case-bank.failed\`). \`npm run torture\` plays
models with random weights through every environment, method and role to hold this ([counts](results/demo-model.md#models-that-say-anything)).

**Texts that roles write** (lessons, workflows, notes, strategies, experiences, insights, documents) are asked for in one place, \`write\` of \`core/ground/writing.ts\`. A reply that is
slightly off its form is used as it is meant (\`mend-reply.ts\`): behind a thought, in a fence or a sentence, in single quotes, with other spellings of names and choices, a list written as a
text, more than was asked for (the first ones count), texts that are too long (their whole sentences count), and JSON that was cut at its end, which is closed. Nothing is made up: what is missing
is missing, and the role is asked once more, shorter where it was cut. How many texts each role was asked for, how many could not be used, were used off form or were asked for twice stands under
_Written texts_ on a run's page, in what \`loam run\` prints and in its \`--json\` (\`writings\`), and in an experiment's report.

This table is what \`test/core/tasks/replies\` holds, written by it.`
