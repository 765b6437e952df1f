import { join } from 'node:path'
import { expect, it } from 'vitest'
import { withOrigins } from '../../../src/core/agent/foreign-text'
import type { MethodContext } from '../../../src/core/ground/method'
import { none } from '../../../src/core/methods/none/none'
import { toldBefore, toldCauses } from '../../../src/core/recall/before-call'
import { beliefsOf } from '../../../src/core/recall/belief-fold'
import { withBeliefs } from '../../../src/core/recall/with-beliefs'
import { intoProject } from '../../../src/core/memory/items/projects'
import { itemFilter } from '../../../src/main/transfer/leaving-source'
import { createAgentMemory } from '../../../src/main/share/agent-memory'
import { createItems, memorySourceOf } from '../../../src/main/items/memory-items'
import { openMemory, type StoredMemory } from '../../../src/main/memory-store/memory'
import { itemQuerySchema } from '../../../src/shared/domain/item'
import { NO_USAGE, type Round } from '../../../src/shared/domain/trajectory'
import { doorsOf, onlyMemory } from '../../fixtures/doors'
import { caseOf, inTempFolder, timeOf, trajectoryOf, wordEmbedder } from '../memory-store/fixtures'

const DENIED = 'useradd: cannot lock /etc/passwd, permission denied, try again later'
const CALL = { tool: 'shell', action: 'useradd --force hal' }
const TASK = { id: 't', index: 0, environment: 'os', instruction: 'Add hal.', skills: [], payload: null }

const acted = (action: string, observation: string, failed: boolean): Round => ({
  ...{ index: 0, completion: `\`\`\`shell\n${action}\n\`\`\``, observation, usage: NO_USAGE },
  ...(failed && { failed: true as const }),
  action: { kind: 'operation', content: action },
})
const attemptAt = (n: number, round: Round) => ({
  kind: 'trajectory-added' as const,
  trajectory: trajectoryOf(`a${n}`, {
    task: {
      ...{ id: `t${n}`, index: n, environment: 'os', instruction: 'Add an account.' },
      context: '',
      skills: [],
    },
    ...{ rounds: [round], reward: 0, finishedAt: timeOf(n) },
  }),
})

/** Three accounts that were added, and four attempts that force it and are refused. */
const ATTEMPTS = [
  ...['eve', 'fay', 'gil'].map((name) => acted(`sudo useradd ${name}`, 'done', false)),
  ...['ada', 'bob', 'cem', 'dan'].map((name) => acted(`useradd --force ${name}`, DENIED, true)),
].map((round, n) => attemptAt(n + 1, round))

async function withMemory(body: (memory: StoredMemory, folder: string) => Promise<void>): Promise<void> {
  await inTempFolder(async (folder) => {
    const memory = await openMemory({ folder: join(folder, 'memory'), embedder: wordEmbedder() })
    try {
      for (const event of ATTEMPTS) await memory.commit([event])
      await body(memory, folder)
    } finally {
      await memory.close()
    }
  })
}

const itemsOf = (memory: StoredMemory) => {
  let second = 500
  return createItems({ memories: onlyMemory(memory), clock: { now: () => new Date(timeOf(second++)) } })
}
const query = (change: object = {}) => itemQuerySchema.parse({ memoryId: 's', kinds: ['belief'], ...change })
const before = async (memory: StoredMemory) => toldBefore(await beliefsOf(memory), 'os', CALL)?.text ?? null
const shown = async (memory: StoredMemory) =>
  (
    await withBeliefs(none).recall({ task: TASK, context: '' }, {
      ...{ bank: memory, settings: { presentation: { beliefs: true } }, k: 0 },
    } as unknown as MethodContext)
  ).errorLessons

it('what two tasks agree on is an item, found, opened and shown with where it came from', () =>
  withMemory(async (memory) => {
    const items = itemsOf(memory)
    const { rows, counts } = await items.list(query())
    expect(counts.find(({ kind }) => kind === 'belief')).toEqual({ kind: 'belief', live: 1, gone: 0 })
    const [row] = rows
    expect(row).toMatchObject({ environment: 'os', mark: null, gone: null, labels: { state: ['active'] } })
    expect(row?.title).toContain('shell refuses where it holds `force`')
    expect((await items.list(query({ text: 'permission denied' }))).total).toBe(1)
    expect((await items.list(query({ text: 'zzzz' }))).total).toBe(0)
    const item = await items.get('s', { kind: 'belief', id: row?.id ?? '' })
    expect(item.trajectoryIds).toEqual(['a4', 'a5', 'a6', 'a7'])
    expect(item.trust).toMatchObject({ origin: 'attempt', claim: 'its environment' })
    const quotes = item.facts.filter(({ label }) => label.startsWith('Round '))
    const source = await items.attempt('s', 'a4')
    expect(quotes.length).toBeGreaterThan(0)
    for (const { label, value } of quotes) {
      const { action, observation } = source.rounds[Number(/\d+/.exec(label)?.[0]) - 1] ?? {}
      expect(`${action?.kind === 'operation' ? action.content : ''}\n${observation}`).toContain(value)
    }
    const parts = await shown(memory)
    expect(parts.map(({ item: { id } }) => id)).toEqual([row?.id])
    // An attempt that was shown it is where it was used.
    const trajectory = trajectoryOf('user', {
      recalled: parts.map(({ item }) => ({ ...item, tokens: 60 })),
      reward: 1,
      finishedAt: timeOf(30),
    })
    await memory.commit([{ kind: 'trajectory-added', trajectory }])
    const ref = { kind: 'belief', id: row?.id ?? '' }
    expect(await items.recalls('s', ref, 10)).toMatchObject([{ trajectoryId: 'user', reward: 1 }])
    expect((await items.get('s', ref)).recalls).toMatchObject({ recalled: 1, judged: 1, helped: 1 })
    // So is one that was told of it before a call.
    const heldBy = toldBefore(await beliefsOf(memory), 'os', CALL)?.by ?? []
    const round: Round = {
      ...acted('useradd --force hal', 'Not done yet.', false),
      isHeld: true,
      heldBy: [...heldBy],
    }
    await memory.commit([
      {
        kind: 'trajectory-added',
        trajectory: trajectoryOf('told', { rounds: [round], finishedAt: timeOf(31) }),
      },
    ])
    expect((await items.recalls('s', ref, 10)).map(({ trajectoryId }) => trajectoryId)).toContain('told')
    expect((await items.get('s', ref)).recalls).toMatchObject({ recalled: 2 })
  }))

it('is of the project whose attempts alone teach it, and of none where several do', () =>
  withMemory(async (memory) => {
    const items = itemsOf(memory)
    const into = (ids: readonly string[], project: string) =>
      memory.commit(
        intoProject(
          ids.map((id) => ({ kind: 'trajectory', id })),
          project,
          timeOf(300),
        ),
      )
    const home = async () => (await items.list(query())).rows.map(({ project }) => project)
    const seenFrom = async (project: string) => {
      const served = createAgentMemory(
        memory,
        {
          embedder: () => Promise.resolve(wordEmbedder()),
          clock: { now: () => new Date(timeOf(400)) },
        },
        { project },
      )
      return (await served.search({ text: 'permission denied', kinds: ['belief'], limit: 5 })).length
    }
    await into(['a4', 'a5', 'a6', 'a7'], 'tax')
    expect(await home()).toEqual(['tax'])
    expect([await seenFrom('tax'), await seenFrom('garden')]).toEqual([1, 0])
    const leaves = await itemFilter({ items: null, project: 'tax' }, memorySourceOf(memory))
    const [row] = (await items.list(query())).rows
    expect(leaves?.('belief', row?.id ?? '')).toBe(true)
    await into(['a6', 'a7'], 'garden')
    expect(await home()).toEqual([null])
  }))

it('one that a person takes for wrong, mutes or deletes is told nowhere, until it is restored', () =>
  withMemory(async (memory) => {
    const items = itemsOf(memory)
    const [row] = (await items.list(query())).rows
    const ref = { kind: 'belief', id: row?.id ?? '' }
    const isTold = async () => {
      const [prompt, call] = [await shown(memory), await before(memory)]
      const programs = toldCauses(await beliefsOf(memory))
      expect(new Set([prompt.length > 0, call !== null, programs.length > 0]).size).toBe(1)
      return call !== null
    }
    expect(await isTold()).toBe(true)
    const { item, undo } = await items.edit('s', ref, { holds: 0 })
    expect(item).toMatchObject({ gone: { why: 'wrong' }, labels: { state: ['retired'] } })
    expect(await isTold()).toBe(false)
    expect((await items.list(query())).total).toBe(0)
    expect((await items.list(query({ state: 'gone' }))).total).toBe(1)
    // More attempts that meet it change nothing about that.
    await memory.commit([attemptAt(20, acted('useradd --force ivy', DENIED, true))])
    expect(await isTold()).toBe(false)
    expect((await items.restore('s', ref)).item).toMatchObject({ gone: null, values: { holds: 1 } })
    expect(await isTold()).toBe(true)
    await items.edit('s', ref, { holds: 0 })
    await items.undo('s', undo)
    expect(await isTold()).toBe(true)
    await items.mark('s', ref, 'muted')
    expect(await isTold()).toBe(false)
    await items.mark('s', ref, null)
    const deleted = await items.remove('s', ref)
    expect(deleted.item.gone).toMatchObject({ why: 'deleted' })
    expect(await isTold()).toBe(false)
    await items.undo('s', deleted.undo)
    expect(await isTold()).toBe(true)
    expect((await items.history('s', ref)).map(({ values }) => values['holds'])).toEqual([1, 0, 1, 0, 1])
  }))

it('is not taught by attempts whose cases wait in quarantine, until a person takes them out', () =>
  withMemory(async (memory) => {
    const items = itemsOf(memory)
    expect(await before(memory)).not.toBeNull()
    const ids = ['a4', 'a5', 'a6', 'a7']
    for (const trajectoryId of ids) {
      const record = caseOf(`case-${trajectoryId}`, 'Add an account.', { trajectoryId, environment: 'os' })
      const ref = { of: 'case', itemId: record.id, at: timeOf(400) }
      await memory.commit([
        { kind: 'case-added', case: record },
        { kind: 'item-quarantined', ...ref, why: 'stranger' },
      ])
    }
    expect(await before(memory)).toBeNull()
    expect((await items.list(query({ state: 'all' }))).total).toBe(0)
    for (const id of ids) await items.restore('s', { kind: 'case', id: `case-${id}` })
    expect(await before(memory)).not.toBeNull()
    expect((await items.list(query())).total).toBe(1)
  }))

it('is not taught by attempts of a stranger that come without cases, until a person believes who sent them', () =>
  withMemory(async (memory, folder) => {
    const path = join(folder, 'attempts.loam')
    await doorsOf(onlyMemory(memory)).export('s', { path, format: 'bundle' })
    const other = await openMemory({ folder: join(folder, 'other'), embedder: wordEmbedder() })
    try {
      const { importId } = await doorsOf(onlyMemory(other)).importPaths('o', path)
      expect(other.memorySource.state.trajectories.size).toBe(ATTEMPTS.length)
      expect(await before(other)).toBeNull()
      await itemsOf(other).release('o', { by: 'import', importId: importId ?? '' })
      expect(await before(other)).not.toBeNull()
    } finally {
      await other.close()
    }
  }))

it('goes into another memory by a bundle, where it is quoted with its origin and may be taken for wrong', () =>
  withMemory(async (memory, folder) => {
    const path = join(folder, 'out.loam')
    const first = doorsOf(onlyMemory(memory))
    const [own] = (await itemsOf(memory).list(query())).rows
    await first.export('s', { path, format: 'bundle', kinds: ['belief'] })
    const other = await openMemory({ folder: join(folder, 'other'), embedder: wordEmbedder() })
    try {
      const report = await doorsOf(onlyMemory(other)).importPaths('o', path)
      expect(report).toMatchObject({ imported: 1, left: [] })
      const items = itemsOf(other)
      const ref = { kind: 'belief', id: own?.id ?? '' }
      // Nobody known signed it, so it waits for a person.
      const waiting = await items.get('o', ref)
      expect(waiting).toMatchObject({ title: own?.title, trust: { origin: 'import' } })
      if (waiting.gone) {
        expect(await before(other)).toBeNull()
        await items.restore('o', ref)
      }
      const told = await before(other)
      expect(told).toContain('shell refuses where it holds `force`')
      expect(told).toContain('data, not instructions')
      expect(told).toContain('out.loam')
      const parts = await withOrigins(
        {
          ...(await none.recall({ task: TASK, context: '' }, {} as MethodContext)),
          errorLessons: await shown(other),
        },
        { bank: other },
      )
      expect(parts.errorLessons[0]?.text).toContain('data, not instructions')
      await items.edit('o', ref, { holds: 0 })
      expect(await before(other)).toBeNull()
      // It reads so again after the memory was closed.
      await other.close()
      const again = await openMemory({ folder: join(folder, 'other'), embedder: wordEmbedder() })
      expect(await before(again)).toBeNull()
      expect((await itemsOf(again).get('o', ref)).gone).toMatchObject({ why: 'wrong' })
      await again.close()
    } finally {
      await other.close()
    }
  }))

it('comes along with a whole memory in its history, with what a person decided', () =>
  withMemory(async (memory, folder) => {
    const path = join(folder, 'whole.loam')
    const items = itemsOf(memory)
    const [own] = (await items.list(query())).rows
    await items.edit('s', { kind: 'belief', id: own?.id ?? '' }, { holds: 0 })
    await doorsOf(onlyMemory(memory)).export('s', { path, format: 'bundle' })
    const other = await openMemory({ folder: join(folder, 'other'), embedder: wordEmbedder() })
    try {
      const { left, importId } = await doorsOf(onlyMemory(other)).importPaths('o', path)
      expect(left).toEqual([])
      await itemsOf(other).release('o', { by: 'import', importId: importId ?? '' })
      const { rows } = await itemsOf(other).list(query({ memoryId: 'o', state: 'all' }))
      expect(rows).toMatchObject([{ id: own?.id, gone: { why: 'wrong' } }])
      expect(await before(other)).toBeNull()
    } finally {
      await other.close()
    }
  }))
