import { expect, test } from 'vitest'
import { MEMORY_KINDS } from '../../../../src/core/memory'
import { beliefsOf } from '../../../../src/core/recall/belief-fold'
import { gatherCandidates } from '../../../../src/core/recall/candidates'
import { intoProject, projectOf } from '../../../../src/core/memory/items/projects'
import { scopedBank } from '../../../../src/core/memory/items/scoped-bank'
import type { MemoryStore } from '../../../../src/core/ground/ports'
import { openMemory, type StoredMemory } from '../../../../src/main/memory-store/memory'
import { createItems } from '../../../../src/main/items/memory-items'
import type { Experience } from '../../../../src/shared/domain/experience'
import {
  attempt,
  inTempFolder,
  timeOf,
  trajectoryOf,
  wordEmbedder,
} from '../../../main/memory-store/fixtures'
import { doorsOf, onlyMemory } from '../../../fixtures/doors'
import { SAMPLES } from '../conformance/samples'

const PROJECTS = ['Garden', 'Office', null] as const
const embedder = wordEmbedder(64)

async function withMemory(body: (memory: StoredMemory) => Promise<void>): Promise<void> {
  await inTempFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder })
    try {
      await body(memory)
    } finally {
      await memory.close()
    }
  })
}

/** Tasks of everything that a memory recalls for a text, by whatever way. */
async function recalled(bank: MemoryStore): Promise<string[]> {
  const [vector = new Float32Array()] = await embedder.embed(['count the plants'])
  return [
    ...(await bank.nearest(vector, 3)).map((hit) => hit.case.state),
    ...(await bank.search('count the plants', 3)).map((hit) => hit.case.state),
    ...(await bank.recentSuccesses(3)).map(({ task }) => task.instruction),
  ]
}

test('what is committed as a project belongs to it: it is recalled there, what is shared everywhere, and nothing of another project', () =>
  withMemory(async (memory) => {
    let n = 0
    for (let round = 0; round < 4; round++)
      for (const project of PROJECTS)
        await scopedBank<MemoryStore>(memory, project).commit(
          attempt(n++, `count the plants of ${project ?? 'all'} ${round}`, { reward: 1 }),
        )
    for (const project of PROJECTS) {
      const found = await recalled(scopedBank<MemoryStore>(memory, project))
      expect(found.length).toBeGreaterThan(5)
      for (const other of PROJECTS)
        if (other !== null && other !== project) expect(found.join('\n')).not.toContain(other)
    }
    // What a project's own attempts met is believed there alone.
    const refused = 'error: the gate of the garden cannot be opened here'
    for (const id of ['r1', 'r2']) {
      const trajectory = trajectoryOf(id)
      const round = { index: 0, completion: 'open', observation: refused, failed: true as const }
      await scopedBank<MemoryStore>(memory, 'Garden').commit([
        {
          kind: 'trajectory-added',
          trajectory: {
            ...trajectory,
            task: { ...trajectory.task, id },
            rounds: [{ ...round, action: { kind: 'operation', content: 'open' }, usage: trajectory.usage }],
          },
        },
      ])
    }
    const refusalsIn = async (project: string | null) =>
      (await beliefsOf(scopedBank<MemoryStore>(memory, project)))
        .agreed(trajectoryOf('r1').task.environment)
        .map(({ masked }) => masked)
    expect(await refusalsIn('Garden')).toEqual([refused])
    expect(await refusalsIn('Office')).toEqual([])
    const wholly = await recalled(memory)
    expect(wholly.join('\n')).toMatch(/Garden|Office/)
  }))

test('an item is moved, also in a journal that is read again, and its move is part of what the memory says', () =>
  inTempFolder(async (folder) => {
    const before = await openMemory({ folder, embedder })
    await scopedBank<MemoryStore>(before, 'Garden').commit(attempt(1, 'count the plants'))
    const hash = await before.contentHash()
    await before.commit(intoProject([{ kind: 'case', id: 'c00001' }], 'Office', timeOf(9)))
    expect(await before.contentHash()).not.toBe(hash)
    await before.close()
    const after = await openMemory({ folder, embedder })
    try {
      expect(projectOf(after.memorySource.state.curated, 'case', 'c00001')).toBe('Office')
      const office = scopedBank<MemoryStore>(after, 'Office')
      const garden = scopedBank<MemoryStore>(after, 'Garden')
      expect(await office.get('c00001')).not.toBeNull()
      expect(await garden.get('c00001')).toBeNull()
      // Committed again from another project, what is there stays where it is.
      await garden.commit(attempt(1, 'count the plants'))
      expect(projectOf(after.memorySource.state.curated, 'case', 'c00001')).toBe('Office')
    } finally {
      await after.close()
    }
  }))

test('no kind of memory is recalled in another project', () =>
  withMemory(async (memory) => {
    const items = createItems({
      memories: { open: () => Promise.resolve(memory) },
      clock: { now: () => new Date(timeOf(100)) },
    })
    const doors = doorsOf(onlyMemory(memory))
    const header = { format: 'loam-space', version: 1, space: { id: 's', name: 's', createdAt: timeOf(0) } }
    const lines = MEMORY_KINDS.flatMap(({ info }) => {
      const sample = SAMPLES[info.id]
      return sample ? [{ ...sample.line(1), project: 'Garden' }] : []
    })
    const text = [{ ...header, embedder: { id: 'e', dimension: 64 }, exportedAt: timeOf(0) }, ...lines]
    expect((await doors.importText('s', text.map((line) => JSON.stringify(line)).join('\n'))).left).toEqual(
      [],
    )

    const page = await items.list({ ...NO_QUERY, memoryId: 's' })
    const scoped = page.rows.filter(({ project }) => project === 'Garden').map(({ kind }) => kind)
    // Soft prompts are files, not events: they belong to no project.
    expect(new Set(scoped)).toEqual(
      new Set(MEMORY_KINDS.map(({ info }) => info.id).filter((id) => id !== 'soft-prompt')),
    )
    const task = { ...trajectoryOf('t-2').task, payload: null }
    const gather = async (project: string | null) =>
      (
        await gatherCandidates(
          { task, context: '' },
          () => ({ sayings: [], worth: 0 }),
          (await embedder.embed(['subject 1']))[0] ?? new Float32Array(),
          scopedBank<MemoryStore>(memory, project),
          embedder,
          new Set(scoped),
        )
      ).map(({ kind }) => kind)
    expect((await gather('Garden')).length).toBeGreaterThan(5)
    expect(await gather('Office')).toEqual([])
    expect(await gather(null)).toEqual([])

    for (const project of ['Office', null] as const) {
      const bank = scopedBank<MemoryStore>(memory, project)
      for (const { info } of MEMORY_KINDS) expect(await bank.items(info.id as 'lesson')).toEqual([])
      expect([...bank.experiences.entries()]).toEqual([])
      expect(await bank.experiences.search({ text: 'subject 1', mode: 'text' })).toEqual([])
      expect(await bank.passages.search('subject 1', 3)).toEqual([])
      expect(bank.concepts.standings.size).toBe(0)
    }
    const own = scopedBank<MemoryStore>(memory, 'Garden')
    expect(await own.items('lesson')).toHaveLength(1)
    expect([...own.experiences.entries()]).toHaveLength(1)
    expect(own.concepts.standings.size).toBe(1)
    const [found] = [...own.experiences.entries()]
    const stored: Experience | undefined = (await own.experiences.get(found?.id ?? ''))?.experience
    expect(stored?.question).toContain('subject 1')

    // An export keeps the project.
    const { data } = await doors.export('s', { kinds: ['lesson'] })
    expect(JSON.parse(data?.text.trim().split('\n')[1] ?? '{}')).toMatchObject({
      kind: 'lesson',
      project: 'Garden',
    })
  }))

const NO_QUERY = {
  kinds: null,
  text: '',
  environment: null,
  mark: null,
  state: 'live',
  sort: 'newest',
  offset: 0,
  limit: 100,
} as const
