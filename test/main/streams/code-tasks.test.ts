import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Episode } from '../../../src/core/ground/environment'
import { code } from '../../../src/core/tasks/code'
import { createCodeEnvironment } from '../../../src/core/tasks/code/environment'
import type { OsDriver } from '../../../src/core/tasks/lab-os/machine'
import { createProgramsDriver } from '../../../src/main/adapters/programs'
import { testRun } from '../../../src/core/tasks/code/commands'
import { patchedFiles } from '../../../src/core/tasks/code/patch'
import { writeCall } from '../../../src/core/tasks/tool-use/grammar'
import { findResources } from '../../../src/main/ground/resources'
import { createEnvironments } from '../../../src/main/streams/environments'
import { openStreamLibrary } from '../../../src/main/streams/stream-library'
import type { Task } from '../../../src/shared/domain/task'
import { TORTURE, longTest } from '../../torture'

const resources = findResources()
const streams = openStreamLibrary(resources.streams, resources.streams)
const environments = createEnvironments(resources.prompts, (stream) => streams.filesOf(stream))

const bundled = async (id: string): Promise<Task> => {
  const { tasks } = await streams.load('small-repairs')
  const task = tasks.find((each) => each.id === id)
  if (!task) throw new Error(`no task ${id}`)
  return task
}

const opened: Episode[] = []
async function open(task: Task, settings: Record<string, number> = {}): Promise<Episode> {
  const environment = await environments.acting('code', { code: settings })
  const episode = environment.open(task)
  opened.push(episode)
  return episode
}
afterAll(() => opened.forEach((episode) => episode.close()))

const read = { path: 'lib/cache.js' }
const mend = [
  {
    path: 'lib/cache.js',
    old: '    return this.entries.get(key)\n',
    new: '    if (!this.has(key)) return undefined\n    const value = this.entries.get(key)\n    this.set(key, value)\n    return value\n',
  },
  {
    path: 'lib/cache.js',
    old: '    this.entries.set(key, value)\n    if',
    new: '    this.entries.delete(key)\n    this.entries.set(key, value)\n    if',
  },
]

describe('a repository that wants mending', () => {
  it('is read, searched, changed and tried by tools, and hidden tests decide', async () => {
    const episode = await open(await bundled('js-lru'))
    expect(episode.context).toContain('lib/cache.js')
    expect(episode.context).not.toContain('recent.test.js')
    const step = async (name: string, args: object) => {
      const outcome = await episode.step(writeCall(name, args))
      return outcome.done ? outcome : { failed: outcome.failed, text: outcome.observation }
    }
    expect(await step('read', { ...read, to: 3 })).toMatchObject({
      failed: false,
      text: expect.stringMatching(/^1: 'use strict'\n2: \n3: class Cache/) as string,
    })
    expect(await step('search', { text: 'keys().next()' })).toMatchObject({
      text: expect.stringContaining('lib/cache.js:2') as string,
    })
    expect(await step('edit', { ...mend[0], old: 'this.entries' })).toMatchObject({
      failed: true,
      text: expect.stringContaining('times') as string,
    })
    for (const change of mend) expect(await step('edit', change)).toMatchObject({ failed: false })
    expect(await step('edit', { path: 'notes/why.md', old: '', new: 'Because.' })).toMatchObject({
      failed: false,
    })
    expect(await step('run', { script: 'node test/basic.test.js && cat notes/why.md' })).toMatchObject({
      failed: false,
      text: expect.stringContaining('Because.') as string,
    })
    expect(await step('finish', {})).toMatchObject({ done: true, finish: 'completed', reward: 1 })
  })

  it('is graded with the tests as they were meant, whatever the agent makes of them', async () => {
    const episode = await open(await bundled('js-lru'))
    const cheat = "mkdir -p test; echo 'process.exit(0)' > test/recent.test.js; echo > test/basic.test.js"
    await episode.step(writeCall('run', { script: cheat }))
    expect(await episode.step(writeCall('finish', {}))).toMatchObject({
      done: true,
      reward: 0,
      scores: [{ name: 'Tests passed', value: 0, detail: expect.stringContaining('not ok') as string }],
    })
  })

  it('keeps the agent inside, and ends what never ends', async () => {
    const episode = await open(await bundled('py-wrap'), { seconds: 2 })
    for (const path of ['../etc/passwd', '/etc/passwd', 'a/../../b', ''])
      expect(await episode.step(writeCall('read', { path }))).toMatchObject({ failed: true })
    expect(await episode.step(writeCall('run', { script: 'node -e "for (;;) {}"' }))).toMatchObject({
      failed: true,
      observation: expect.stringContaining('did not end within 2 seconds') as string,
    })
    const out = 'python3 -c "import urllib.request as u; u.urlopen(\'http://127.0.0.1:1\')"'
    expect(await episode.step(writeCall('run', { script: out }))).toMatchObject({ failed: true })
    expect(await episode.step(writeCall('finish', {}))).toMatchObject({ done: true, reward: 0 })
  })

  it('comes with a solution for each bundled one, before which its tests fail', async () => {
    const verify = await code.verifier(environments.world)
    const { tasks } = await streams.load('small-repairs')
    // test/core/tasks/conformance finds that none of them disagrees; here one in each language is known to agree.
    const played = tasks.filter(({ id }) => TORTURE || ['js-lru', 'py-wrap'].includes(id))
    expect(played.length).toBeGreaterThan(1)
    const verdicts = []
    for (const task of played) verdicts.push([task.id, await verify(task)])
    expect(verdicts).toEqual(played.map(({ id }) => [id, { kind: 'agrees' }]))
    expect(tasks).toHaveLength(10)
  })
})

describe("SWE-bench's rows", () => {
  let folder: string
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-code-'))
    const put = async (path: string, text: string) => {
      await mkdir(dirname(join(folder, path)), { recursive: true })
      await writeFile(join(folder, path), text)
    }
    await put('ada__sums/sums.py', 'def add(a, b):\n    return a - b\n')
    await put('ada__sums/.git/HEAD', 'ref: refs/heads/main\n')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const row = {
    repo: 'ada/sums',
    instance_id: 'ada__sums-7',
    base_commit: 'abc',
    problem_statement: 'add(1, 2) is -1.',
    hints_text: '',
    version: '1.0',
    patch:
      'diff --git a/sums.py b/sums.py\n--- a/sums.py\n+++ b/sums.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n-    return a - b\n+    return a + b\n',
    test_patch:
      'diff --git a/test_sums.py b/test_sums.py\nnew file mode 100644\n--- /dev/null\n+++ b/test_sums.py\n@@ -0,0 +1,6 @@\n+import unittest\n+from sums import add\n+class T(unittest.TestCase):\n+    def test_add(self):\n+        self.assertEqual(add(1, 2), 3)\n+\n',
    FAIL_TO_PASS: '["test_add (test_sums.T)"]',
    PASS_TO_PASS: '[]',
  }
  const cell = (text: string) => `"${text.replaceAll('"', '""')}"`
  const forms: Record<string, string> = {
    'rows.jsonl': `${JSON.stringify(row)}\n`,
    'rows.csv': `${Object.keys(row).join(',')}\n${Object.values(row).map(cell).join(',')}\n`,
  }

  it('are read from rows of both kinds with the repository beside them, and their solution verifies', async () => {
    const read = async (name: string) => {
      await writeFile(join(folder, name), forms[name] ?? '')
      const { tasks, info } = await streams.load(join(folder, name))
      expect(info).toMatchObject({ environment: 'code', tasks: 1, reading: { left: [] } })
      return tasks
    }
    const tasks = await read('rows.jsonl')
    // Alike but for the name of the file.
    expect(JSON.stringify(await read('rows.csv')).replace('rows.csv', 'rows.jsonl')).toBe(
      JSON.stringify(tasks),
    )
    const [task] = tasks
    if (!task) throw new Error('no task')
    expect(task).toMatchObject({ id: 'ada__sums-7', instruction: 'add(1, 2) is -1.', skills: ['ada/sums'] })
    expect(task.payload).toMatchObject({ snapshot: { paths: ['ada__sums/sums.py'] } })
    const verify = await code.verifier(environments.world)
    expect(await verify(task)).toEqual({ kind: 'agrees' })
  })

  longTest(
    'leave an attempt ungraded whose tests need what the system has not, and a gold unknown',
    async () => {
      const pytest = { ...row, FAIL_TO_PASS: ['test_sums.py::T::test_add'] }
      await writeFile(join(folder, 'pytest.jsonl'), `${JSON.stringify(pytest)}\n`)
      const [task] = (await streams.load(join(folder, 'pytest.jsonl'))).tasks
      if (!task) throw new Error('no task')
      const why = "Python's pytest is not available in the simulated system."
      const verify = await code.verifier(environments.world)
      expect(await verify(task)).toEqual({ kind: 'unknown', why })
      const episode = await open(task)
      expect(await episode.step(writeCall('finish', {}))).toMatchObject({
        done: true,
        reward: 0,
        ungraded: why,
      })
    },
  )

  it('without the repository are left out with the folders that were looked for', async () => {
    await writeFile(
      join(folder, 'other.jsonl'),
      `${JSON.stringify({ ...row, repo: 'bo/none', instance_id: 'bo-1' })}\n`,
    )
    await expect(streams.load(join(folder, 'other.jsonl'))).rejects.toMatchObject({
      code: 'TASK_STREAM',
      message: expect.stringContaining('bo-1 or bo__none or none') as string,
    })
  })
})

it('tests are run by what their names say', () => {
  const run = (FAIL_TO_PASS: string[], repo = 'a/b') =>
    testRun({ FAIL_TO_PASS, PASS_TO_PASS: [], repo }).script
  expect(run(['a.test.js', "b's.js"])).toBe("node 'a.test.js' && node 'b'\\''s.js'")
  expect(run(['tests/test_a.py::test_x[1]'])).toBe(
    "python3 -m pytest -q -p no:cacheprovider 'tests/test_a.py::test_x[1]'",
  )
  expect(run(['test_x (a.b.C)'])).toBe("python3 -m unittest 'a.b.C.test_x'")
  expect(run(['test_x (a.b.C)'], 'django/django')).toBe(
    "python3 tests/runtests.py --verbosity 1 'a.b.C.test_x'",
  )
})

it('patches make, change, move and take away files, and say where they do not fit', async () => {
  const old: Record<string, string> = { 'a.txt': 'one\ntwo\n', 'b.txt': 'x\n' }
  const read = (path: string) => Promise.resolve(old[path] ?? null)
  const patch = [
    'diff --git a/a.txt b/c.txt\nrename from a.txt\nrename to c.txt\n--- a/a.txt\n+++ b/c.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+three\n',
    'diff --git a/b.txt b/b.txt\ndeleted file mode 100644\n--- a/b.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n',
    'diff --git a/d.txt b/d.txt\nnew file mode 100644\n--- /dev/null\n+++ b/d.txt\n@@ -0,0 +1 @@\n+new\n',
  ].join('')
  expect(await patchedFiles(patch, read)).toEqual([
    ['a.txt', null],
    ['c.txt', 'one\nthree\n'],
    ['b.txt', null],
    ['d.txt', 'new\n'],
  ])
  expect(await patchedFiles(patch, () => Promise.resolve('other\n'))).toHaveProperty('problem')
})

it('a program that is there but does not run is missing too, and nobody has failed by it', async () => {
  const task = await bundled('js-lru')
  const broken: OsDriver = {
    id: 'container',
    async open() {
      const machine = await (await createProgramsDriver()).open()
      const run = (script: string, seconds: number) =>
        machine.run(`node() { echo broken; return 126; }\n${script}`, seconds)
      return { ...machine, run }
    },
  }
  const environment = createCodeEnvironment({
    ...{ systemPrompt: 's', driver: broken, rounds: 5, seconds: 10, testSeconds: 30 },
    snapshot: () => new Map([['lib/cache.js', new TextEncoder().encode('')]]),
  })
  const episode = environment.open(task)
  opened.push(episode)
  expect(await episode.step(writeCall('finish', {}))).toMatchObject({
    done: true,
    reward: 0,
    ungraded: 'node is not available in the container system.',
  })
})
