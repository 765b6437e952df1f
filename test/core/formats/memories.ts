import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { writableFormat } from '../../../src/core/formats'
import type { MemoryEvent } from '../../../src/core/ground/ports'
import { openMemory, type StoredMemory } from '../../../src/main/memory-store/memory'
import { importItems } from '../../../src/main/memories/intake'
import { textInMemory } from '../../../src/main/memories/read-text'
import type { ImportReport } from '../../../src/shared/domain/format'
import type { GuideVersion } from '../../../src/shared/domain/guide'
import type { LearnedItem } from '../../../src/core/memory'
import { memorySourceOf } from '../../../src/main/items/memory-items'
import { formatSource } from '../../../src/main/memories/memories'
import { attempt, timeOf, trajectoryOf, wordEmbedder } from '../../main/memory-store/fixtures'
import { experienceOf } from '../memory/experiences/fixtures'
import { caseEdits } from '../../main/memory-store/case-edits'

/** The moment of every export. */
export const NOW = new Date(Date.UTC(2026, 5, 1))

export const emptyMemory = (folder: string): Promise<StoredMemory> =>
  openMemory({ folder, id: 'a-space', name: 'A memory', embedder: wordEmbedder(), clock: { now: () => NOW } })

export async function written(memory: StoredMemory, format: string): Promise<string> {
  return [...(await writtenFiles(memory, format)).values()].map((bytes) => bytes.toString('utf8')).join('')
}

/** The files of a format, by name; one without a name where it is one file. */
export async function writtenFiles(memory: StoredMemory, format: string): Promise<Map<string, Buffer>> {
  const files = new Map<string, Buffer>()
  const source = formatSource(memory, memorySourceOf(memory))
  for await (const { file = '', text, bytes } of writableFormat(format).write(source, { now: () => NOW }))
    files.set(file, Buffer.concat([files.get(file) ?? Buffer.alloc(0), bytes ?? Buffer.from(text)]))
  return files
}

export const taken = (
  memory: StoredMemory,
  format: string,
  text: string,
  signal?: AbortSignal,
): Promise<ImportReport> =>
  importItems(memory, memorySourceOf(memory), textInMemory(text), {
    format,
    file: 'a-file',
    now: NOW,
    signal,
  })

const learned = { runId: 'r1', environment: 'lab-db', trajectoryIds: ['t-c00001'], createdAt: timeOf(3) }
const MEMORIES: readonly LearnedItem[] = [
  { kind: 'lesson', id: 'l1', ...learned, queue: 'error', text: 'Quote "names" first.' },
  { kind: 'lesson', id: 'l2', ...learned, queue: 'success', text: 'Count, then change.' },
  { kind: 'lesson', id: 'l3', ...learned, queue: 'error', text: 'Left its queue.' },
  { kind: 'workflow', id: 'w1', ...learned, goal: 'Set a label', steps: ['Look it up', 'UPDATE {table}'] },
  { kind: 'note', id: 'n1', ...learned, title: 'A', keywords: ['a'], tags: ['x'], context: 'old', links: [] },
  { kind: 'note', id: 'n2', ...learned, title: 'B', keywords: [], tags: [], context: 'b', links: ['n1'] },
  { kind: 'summary', id: 's1', ...learned, title: 'Long one', text: 'In short.\nTwo lines.' },
  { kind: 'summary', id: 's2', ...learned, title: 'Short one', text: null },
]

export const documentOf = (
  id: string,
  conceptId = 'orders',
  more: Partial<GuideVersion> = {},
): GuideVersion => ({
  id,
  conceptId,
  concept: 'Harbor orders',
  environment: 'lab-db',
  buildId: null,
  parent: null,
  text: { context: 'Orders.', howToUse: `Read ${id}.`, whenToUse: '', bestPractices: '' },
  sentences: [
    { section: 'howToUse', text: `Read ${id}.`, insights: [], trajectories: ['t-c00001'], byHand: true },
  ],
  lost: [],
  restored: [],
  constraints: { keep: [{ section: 'context', text: 'Orders.' }], drop: ['never'] },
  createdAt: timeOf(5),
  ...more,
})

/** Everything that a memory can hold, with what people and methods do to it afterwards. */
export async function fillMemory(memory: StoredMemory): Promise<void> {
  const at = timeOf(9)
  const commit = (...events: MemoryEvent[]): Promise<void> => memory.commit(events)
  for (let n = 1; n <= 6; n++)
    await commit(
      ...attempt(n, `count the "boats" of harbor ${n} – ünïcode \u2028 🌊`, { reward: n % 2 === 0 ? 0 : 1 }),
    )
  const shown = (id: string, reward: 0 | 1) => ({
    kind: 'case' as const,
    id,
    trajectoryId: null,
    title: id,
    score: 0.5,
    scoreKind: 'cosine',
    reward,
    tokens: 3,
  })
  const recalled = [shown('c00001', 1), shown('c00002', 0)]
  await commit({ kind: 'trajectory-added', trajectory: trajectoryOf('t-with', { recalled, reward: 0 }) })
  await caseEdits(memory).deleteCase('c00003')
  await caseEdits(memory).markCase('c00001', 'pinned')
  await caseEdits(memory).markCase('c00004', 'muted')
  await caseEdits(memory).correctCase('c00005', { state: 'corrected once', plan: 'p1', reward: 0 })
  await caseEdits(memory).correctCase('c00005', { state: 'corrected twice', plan: 'p2', reward: 1 })
  await commit(
    ...MEMORIES.map((item): MemoryEvent => ({ kind: 'memory-added', memory: item })),
    { kind: 'memory-dropped', memoryId: 'l3', at },
    { kind: 'note-evolved', noteId: 'n1', by: 'n2', context: 'new', tags: ['x', 'y'], links: ['n2'], at },
  )
  const used = { kind: 'experience-used', framework: 'loam', eta: 0.5, at } as const
  await commit(
    { kind: 'experience-added', experience: experienceOf('e1', 'How many boats?') },
    {
      kind: 'experience-added',
      experience: experienceOf('e2', 'How many quays?', { agentExperience: ['a', 'b'] }),
    },
    { kind: 'experience-added', experience: experienceOf('e3', 'How many gulls?') },
    { ...used, experienceId: 'e1', useId: 't-c00001', reward: 1 },
    { kind: 'experience-superseded', experienceId: 'e2', by: 'e1', why: 'duplicate', at },
    { kind: 'experience-deleted', experienceId: 'e3', at },
  )
  const decided = { kind: 'document-decided', by: 'person', accepted: true, at } as const
  await commit(
    { kind: 'document-written', version: documentOf('v1') },
    { ...decided, conceptId: 'orders', versionId: 'v1' },
    { kind: 'document-written', version: documentOf('v2', 'orders', { parent: 'v1' }) },
    { ...decided, conceptId: 'orders', versionId: 'v2' },
    { kind: 'document-written', version: documentOf('u1', 'gulls', { buildId: 'b1' }) },
    { ...decided, conceptId: 'gulls', versionId: 'u1', by: 'search' },
    {
      kind: 'rubrics-changed',
      environment: 'lab-db',
      rubrics: [{ id: 'looks-up', text: 'It looks first.' }],
      at,
    },
  )
}

/** What a memory holds that its own format promises to keep. */
export async function contentsOf(memory: StoredMemory): Promise<Record<string, unknown>> {
  const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
    const found: T[] = []
    for await (const item of items) found.push(item)
    return found
  }
  const cases = await all(memory.cases({ includeDeleted: false }))
  const experiences = await Promise.all(
    [...memory.experiences.entries()].map(({ id }) => memory.experiences.get(id)),
  )
  const { standings, versions, rubrics } = memory.concepts
  return {
    trajectories: await all(memory.trajectories()),
    cases,
    caseVersions: await Promise.all(cases.map(({ id }) => memory.caseVersions(id))),
    lessons: await memory.items('lesson'),
    workflows: await memory.items('workflow'),
    notes: await memory.items('note'),
    summaries: await memory.items('summary'),
    experiences: experiences.filter((stored) => stored?.standing.state !== 'evicted'),
    documents: [...standings].map(([id, { accepted }]) => [
      id,
      accepted.map((version) => versions.get(version)),
    ]),
    rubrics: [...rubrics],
  }
}

const SAMPLES = resolve('test/fixtures/kb/logs')

/** Files of a format as other programs write it. */
export const samplesOf = (id: string): string[] =>
  readdirSync(SAMPLES)
    .filter((name) => name.startsWith(`${id}.`) || name.startsWith(`${id}-`))
    .map((name) => readFileSync(join(SAMPLES, name), 'utf8'))
