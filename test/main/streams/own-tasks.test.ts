import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { parseStream } from '../../../src/core/streams/parse-stream'
import { questionEntrySchema } from '../../../src/core/tasks/qa/entry'
import { gradeAnswer } from '../../../src/core/tasks/qa/grade'
import { findEnvironment } from '../../../src/core/tasks'
import { createAnswerTests } from '../../../src/main/adapters/environments/answer-tests'
import { findResources } from '../../../src/main/ground/resources'
import { createEnvironments } from '../../../src/main/streams/environments'
import { createOwnTasks, type OwnTasksArea } from '../../../src/main/streams/own-tasks'
import { openStreamLibrary, type StreamLibrary } from '../../../src/main/streams/stream-library'
import { longTest } from '../../torture'

let folder = ''
let streams: StreamLibrary
let own: OwnTasksArea

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'own-tasks-'))
  const resources = findResources()
  streams = openStreamLibrary(resources.streams, join(folder, 'kept'))
  const { world } = createEnvironments(resources.prompts, (stream) => streams.filesOf(stream))
  own = createOwnTasks(join(folder, 'kept'), streams, world)
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const columns = { question: 'Task', answer: 'Result', files: null, skill: null, id: null }
const exact = { kind: 'exact' as const, caseMatters: false }
const text = 'Task,Result\nTwo and two?,4\nCapital of Italy?,Rome\n'

describe('own tasks', () => {
  test('pasted rows become a stream, the same title its next version, and both are listed and verify', async () => {
    const source = { text }
    expect(await own.look({ text })).toMatchObject({
      rows: 2,
      known: null,
      guess: { question: 'Task', answer: 'Result' },
    })
    const known = { environment: 'qa', tasks: 1 }
    expect(await own.look({ text: 'Question,Answer\nWho?,Ada\n' })).toMatchObject({ known })
    const tried = await own.try({ source, columns, check: exact })
    expect(tried.tasks.map((task) => [task.question, task.own])).toEqual([
      ['Two and two?', 'right'],
      ['Capital of Italy?', 'right'],
    ])
    const first = await own.keep({ source, columns, check: exact, title: 'My tasks', documents: [] })
    const second = await own.keep({
      source,
      columns,
      check: { kind: 'one-of', separator: '/', caseMatters: false },
      title: 'My tasks',
      documents: [],
    })
    expect([first.title, second.title]).toEqual(['My tasks', 'My tasks (version 2)'])
    const listed = (await streams.list()).filter(({ source: from }) => from === 'file')
    expect(listed.map(({ title, tasks }) => [title, tasks])).toEqual([
      ['My tasks', 2],
      ['My tasks (version 2)', 2],
    ])
    expect(findEnvironment(second.environment).id).toBe('qa')
  })

  test('documents go along, with every task; one that is not there is said and nothing is kept', async () => {
    const document = join(folder, 'rules.txt')
    await writeFile(document, 'Rome is the capital.')
    const kept = await own.keep({
      source: { text },
      columns,
      check: exact,
      title: 'With rules',
      documents: [document],
    })
    const { tasks, files } = await streams.load(kept.id)
    expect(tasks[0]?.payload).toMatchObject({
      attachments: [{ name: 'rules.txt', sha256: expect.any(String) as string }],
    })
    expect(files).toContain('own-with-rules-v1-files')
    const gone = own.keep({
      source: { text },
      columns,
      check: exact,
      title: 'Gone',
      documents: [join(folder, 'no.txt')],
    })
    await expect(gone).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect((await streams.list()).some(({ title }) => title === 'Gone')).toBe(false)
  })

  test('a folder of files: one row per name, one column per ending', async () => {
    const tasks = join(folder, 'tasks')
    await mkdir(tasks)
    for (const [name, content] of [
      ['a.question.txt', 'Who?'],
      ['a.answer.txt', 'Ada'],
      ['b.question.txt', 'When?'],
      ['b.answer.txt', '1843'],
      ['b.png', '\u0000\u0001'],
    ] as const)
      await writeFile(join(tasks, name), content)
    const seen = await own.look({ path: tasks })
    expect(seen).toMatchObject({ rows: 2, form: 'a folder of 5 files' })
    expect(seen.sample[1]).toMatchObject({
      name: 'b',
      'question.txt': 'When?',
      'answer.txt': '1843',
      files: 'b.png',
    })
    const chosen = { question: 'question.txt', answer: 'answer.txt', files: 'files', skill: null, id: 'name' }
    const kept = await own.keep({
      source: { path: tasks },
      columns: chosen,
      check: exact,
      title: 'Folder',
      documents: [],
    })
    expect(kept.tasks).toBe(2)
  })

  test('what is no text, empty or not there is answered with what was seen', async () => {
    const parquet = join(folder, 'x.parquet')
    await writeFile(parquet, 'PAR1\u0000\u0000')
    await expect(own.look({ path: parquet })).rejects.toThrow('Parquet')
    await expect(own.look({ path: join(folder, 'no.csv') })).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(own.look({ text: 'hello there' })).rejects.toThrow('begins with "hello there"')
  })
})

/** In HumanEval's form. */
const PROGRAM = {
  task_id: 'Made/0',
  prompt: 'def f(x):\n    \"\"\"Adds one, as in “ä😀”.\"\"\"\n',
  entry_point: 'f',
  canonical_solution: '    return x + 1\n',
  test: 'def check(candidate):\n    assert candidate(1) == 2\n',
}

describe('patterns and tests, in walled-off processes (needs a build)', { timeout: 120_000 }, () => {
  const tests = createAnswerTests()
  // What never ends is ended after a tenth of the time that a person's tests have.
  const hasty = createAnswerTests({ timeMs: 1000 })
  const entry = (check: object, reference: string) => ({
    references: [reference],
    scorer: 'check' as const,
    check: check as never,
  })
  const graded = (check: object, reference: string, answer: string, by = tests) =>
    gradeAnswer('', entry(check, reference), answer, null, { tests: by })

  test('decide, and cannot be kept busy', async () => {
    expect(await graded({ kind: 'regex' }, '^\\d{4}$', '1843')).toMatchObject({ reward: 1 })
    expect(await graded({ kind: 'regex' }, '^\\d{4}$', '18431')).toMatchObject({ reward: 0 })
    const javascript = { kind: 'test', language: 'javascript', code: 'const n = Number(answer)' }
    expect(await graded(javascript, 'if (n % 2) throw new Error("odd")', '4')).toMatchObject({ reward: 1 })
    expect(await graded(javascript, 'n === 5', '4')).toMatchObject({ reward: 0 })
    const python = { kind: 'test', language: 'python', code: '' }
    expect(await graded(python, 'assert answer.startswith("ä😀")', 'ä😀x')).toMatchObject({ reward: 1 })
    const busy = await graded({ kind: 'regex' }, '^(a+)+$', `${'a'.repeat(60)}!`, hasty)
    expect(busy.ungraded).toContain('could not be run')
  })

  longTest('in Python end in time, and hold answers that go on or end before their tests', async () => {
    const python = { kind: 'test', language: 'python', code: '' }
    expect(await graded(python, 'while True: pass', 'x', hasty)).toMatchObject({ reward: 0 })
    // Published programs with their tests: an answer that goes on behind what is given, and one that ends before its tests.
    const [task] = parseStream(JSON.stringify(PROGRAM), 'x').tasks
    const { references, check = {} } = questionEntrySchema.parse(task?.payload)
    const tried = async (answer: string) => (await graded(check, references[0] ?? '', answer)).reward
    expect(await tried('Here:\n```python\n    return x + 1\n```\nDone.')).toBe(1)
    expect(await tried('raise SystemExit(0)')).toBe(0)
  })
})
