import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { memorySourceOf } from '../../../src/main/items/memory-items'
import { importItems } from '../../../src/main/memories/intake'
import { openMemories, type Memories } from '../../../src/main/memories/memories'
import type { ImportReport } from '../../../src/shared/domain/format'
import { leftCount } from '../../../src/shared/domain/reading'
import { openDataFolder, type DataFolder } from '../../../src/main/host/data-folder'
import { doorsOf } from '../../fixtures/doors'
import { wordEmbedder } from '../memory-store/fixtures'

const FIXTURES = resolve('test/fixtures/kb/logs')
const REAL = resolve('../shared/data/real/logs')
const NOW = new Date(Date.UTC(2026, 5, 1))

let folder: string
let data: DataFolder
let memories: Memories
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-logs-'))
  const clock = { now: () => NOW }
  data = await openDataFolder(join(folder, 'data'), { clock })
  const embedder = wordEmbedder()
  memories = openMemories({
    data,
    clock,
    embedder: () => Promise.resolve(embedder),
  })
})
afterEach(async () => {
  await memories.close()
  await data.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const memory = () => join(folder, 'space')
const take = (path: string | readonly string[], format = 'auto'): Promise<ImportReport> =>
  doorsOf(memories, NOW).importPaths(memory(), path, format)
const accounted = (report: ImportReport): void => {
  expect(report.rows).toBe(report.imported + report.duplicates + leftCount(report))
  for (const { line, why } of report.left) expect(line > 0 && why.length > 5).toBe(true)
}
/** Question and outcome of everything in the memory. */
async function taken(): Promise<Record<string, string>> {
  const { experiences } = await memories.open(memory())
  const found: Record<string, string> = {}
  for (const { id } of experiences.entries()) {
    const stored = await experiences.get(id)
    if (stored) found[stored.experience.question] = stored.experience.meta.outcome
  }
  return found
}

describe('logs of other agents', () => {
  it('reads a folder as one import: every file is attempts, or a reason', async () => {
    const report = await take(FIXTURES)
    accounted(report)
    expect(report.imported).toBeGreaterThan(30)
    expect(report.left.every(({ file }) => file !== undefined)).toBe(true)
    // The same again brings nothing new.
    const again = await take(FIXTURES)
    accounted(again)
    expect(again).toMatchObject({
      imported: 0,
      duplicates: report.imported + report.duplicates,
      rows: report.rows,
    })
  })

  it('reads patterns, several paths and files below files, and names what is no log', async () => {
    const logs = join(folder, 'logs', 'below')
    await mkdir(logs, { recursive: true })
    await writeFile(
      join(logs, 'a.jsonl'),
      `${JSON.stringify({
        messages: [
          { role: 'user', content: 'one?' },
          { role: 'assistant', content: '1' },
        ],
      })}\n`,
    )
    await writeFile(join(logs, 'notes.txt'), 'nothing to see')
    await writeFile(join(logs, 'empty.json'), '')
    const all = await take(join(folder, 'logs'))
    accounted(all)
    expect(all).toMatchObject({ rows: 3, imported: 1, format: 'chat' })
    expect(all.left.map(({ file }) => file)).toEqual(['empty.json', 'notes.txt'])
    const some = await take([join(folder, 'logs', '**', '*.jsonl'), join(FIXTURES, 'jan.messages.jsonl')])
    accounted(some)
    // Its attempts come in; the conversation itself goes among asks, of which there are none here.
    const left = [{ why: 'it is a conversation, and none is taken in here' }]
    expect(some).toMatchObject({ rows: 4, imported: 2, duplicates: 1, left })
    await expect(take(join(folder, 'logs', '*.nothing'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(take(join(folder, 'nowhere'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(take(join(folder, 'logs'), 'wormhole')).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('reads a folder that is reached by a link, and patterns below it', async () => {
    await mkdir(join(folder, 'logs'))
    const line = {
      messages: [
        { role: 'user', content: 'one?' },
        { role: 'assistant', content: '1' },
      ],
    }
    await writeFile(join(folder, 'logs', 'a.jsonl'), `${JSON.stringify(line)}\n`)
    await symlink(join(folder, 'logs'), join(folder, 'linked'))
    expect(await take(join(folder, 'linked'))).toMatchObject({ rows: 1, imported: 1 })
    expect(await take(join(folder, 'linked', '*.jsonl'))).toMatchObject({ rows: 1, duplicates: 1 })
  })

  it('lets go of a file that is no log', async () => {
    const target = await memories.open(memory())
    let isOpen = false
    const pieces = (async function* () {
      isOpen = true
      try {
        for (;;) yield await Promise.resolve('nothing to see '.repeat(10_000))
      } finally {
        isOpen = false
      }
    })()
    const file = { pieces, problem: () => null, bytes: () => Promise.reject(new Error('It is a text.')) }
    const about = { file: 'notes.txt', format: 'auto', now: NOW }
    await expect(importItems(target, memorySourceOf(target), file, about)).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
    expect(isOpen).toBe(false)
  })

  it('takes an outcome only from where the logs say it', async () => {
    await take(FIXTURES)
    expect(await taken()).toMatchObject({
      // The person said thanks; that an agent's own tests passed says nothing.
      'Fix the failing parser test': 'success',
      'Run the tests of the parser.': 'unknown',
      // A report of the patch's tests stands beside the submission.
      'The colon is missing.': 'success',
      // A score by that name; feedback; an error at the top of the trace.
      'How tall is the tower?': 'success',
      'What is 12 times 12?': 'success',
      'Open the door': 'failure',
      'List the open ports.': 'failure',
      // Answers alone say nothing.
      'Weather in Paris?': 'unknown',
      'Name a prime above 90.': 'unknown',
    })
  })

  it('takes the outcome of a submission from the report of a harness beside it', async () => {
    const runs = join(folder, 'runs')
    await mkdir(runs)
    const run = (id: string) => ({
      trajectory: [{ action: 'submit', observation: 'diff', thought: '' }],
      history: [{ role: 'user', content: `ISSUE:\nIssue ${id}\n\nINSTRUCTIONS:\n` }],
      info: { exit_status: 'submitted' },
      replay_config: { problem_statement: { id, text: `Issue ${id}` } },
    })
    for (const id of ['a', 'b', 'c']) await writeFile(join(runs, `${id}.traj`), JSON.stringify(run(id)))
    await writeFile(
      join(runs, 'run.report.json'),
      JSON.stringify({ resolved_ids: ['a'], unresolved_ids: ['b'] }),
    )
    const report = await take(runs)
    accounted(report)
    expect(report).toMatchObject({ rows: 4, imported: 3 })
    expect(report.left).toEqual([expect.objectContaining({ file: 'run.report.json' })])
    expect(await taken()).toEqual({ 'Issue a': 'success', 'Issue b': 'failure', 'Issue c': 'unknown' })
  })

  it('ends its progress at the whole, whatever was read', async () => {
    for (const path of [FIXTURES, join(FIXTURES, 'owl.json')]) {
      const told: [number, number][] = []
      await doorsOf(memories, NOW).importPaths(memory(), path, 'auto', {
        onProgress: (done, total) => void told.push([done, total]),
      })
      const [done, total] = told.at(-1) ?? [0, 1]
      expect(done).toBe(total)
      expect(told.every(([at, of], i) => at <= of && at >= (told[i - 1]?.[0] ?? 0))).toBe(true)
    }
  })

  it('reads the branch that is shown, tools with their answers, and thoughts apart', async () => {
    await take(
      ['librechat.json', 'open-webui.json', 'lm-studio.conversation.json', 'jan.messages.jsonl'].map((name) =>
        join(FIXTURES, name),
      ),
    )
    const { experiences } = await memories.open(memory())
    const all = await Promise.all([...experiences.entries()].map(({ id }) => experiences.get(id)))
    const steps = Object.fromEntries(all.map((one) => [one?.experience.question, one?.experience.steps]))
    expect(steps).toMatchObject({
      'When is high tide in Bodo today?': [
        { tool: 'tide_table', observation: '12:41', reason: 'I should look it up.' },
        { verb: 'answer', content: 'High tide is at 12:41.' },
      ],
      'And tomorrow, in local time?': [{ verb: 'answer', content: 'At 13:20 local time.' }],
      'Write a pattern for a date.': [{ content: '\\d{4}-\\d{2}-\\d{2}' }],
      'How many feet are 3 metres? Use the tool.': [
        { tool: 'convert', observation: expect.stringContaining('9.84') as string },
        { verb: 'answer', content: 'About 9.84 feet.' },
      ],
      'Is it in my notes?': [{ tool: 'search_notes', observation: 'page 3' }, { content: 'Yes, on page 3.' }],
    })
    expect(steps['And tomorrow?']).toBeUndefined()
  })
})

/** Rows, attempts taken in, and rows left out of each real file. */
const TABLE: readonly (readonly [file: string, rows: number, imported: number, left: number])[] = [
  ['claude-code/representative_messages.jsonl', 4, 3, 1],
  ['claude-code/sample_session.json', 5, 5, 0],
  ['claude-code/todowrite_examples.jsonl', 2, 2, 0],
  ['openhands/basic.json', 1, 1, 0],
  ['openhands/basic_interactions.json', 3, 3, 0],
  ['openhands/output.jsonl', 2, 2, 0],
  ['owl/Apple_chat_history.json', 4, 4, 0],
  ['swe-agent', 11, 11, 0],
  ['', 32, 31, 1],
]

describe.skipIf(!existsSync(REAL))('real logs (skipped when ../shared/data is absent)', () => {
  it.each(TABLE)(
    '%s: %i rows, %i attempts, %i left out with a reason',
    async (file, rows, imported, left) => {
      const report = await take(join(REAL, file))
      accounted(report)
      expect({ rows: report.rows, imported: report.imported, left: leftCount(report) }).toEqual({
        rows,
        imported,
        left,
      })
    },
  )
})
