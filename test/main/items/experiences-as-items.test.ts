import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openMemory, type StoredMemory } from '../../../src/main/memory-store/memory'
import { createItems, type Items } from '../../../src/main/items/memory-items'
import { itemQuerySchema } from '../../../src/shared/domain/item'
import { experienceOf } from '../../core/memory/experiences/fixtures'
import { inTempFolder, timeOf, wordEmbedder } from '../memory-store/fixtures'

const DAY = 86_400_000
const KIND = 'experience'
const ref = (id: string) => ({ kind: KIND, id })

const withItems = (
  body: (items: Items, memory: StoredMemory, clock: { time: Date }) => Promise<void>,
): Promise<void> =>
  inTempFolder(async (folder) => {
    const memory = await openMemory({ folder: join(folder, 'space'), embedder: wordEmbedder() })
    const clock = { time: new Date(timeOf(0)) }
    const items = createItems({
      memories: { open: () => Promise.resolve(memory) },
      clock: { now: () => clock.time },
    })
    const listed = experienceOf('a', 'count the bookings of March', { agentExperience: ['One.', 'Two.'] })
    await memory.commit([
      { kind: 'experience-added', experience: listed },
      {
        kind: 'experience-added',
        experience: experienceOf('b', 'fix the parser', { meta: { framework: 'codex', domain: 'code' } }),
      },
      {
        kind: 'experience-added',
        experience: experienceOf('c', 'count open tickets', { trajectoryId: 't1' }),
      },
    ])
    await body(items, memory, clock)
    await memory.close()
  })

const query = (change: object = {}) => itemQuerySchema.parse({ memoryId: 's', kinds: [KIND], ...change })
const idsOf = async (items: Items, change: object = {}): Promise<string[]> =>
  (await items.list(query(change))).rows.map(({ id }) => id)
const view = (items: Items, ability: string, input = {}) =>
  items.ability({ memoryId: 's', kind: KIND, ability, does: 'view', input })

test('facets tell experiences apart by framework, outcome, origin and tools', () =>
  withItems(async (items) => {
    const page = await items.list(query())
    expect(page.facets.map(({ key }) => key)).toEqual(['framework', 'outcome', 'origin', 'tools'])
    expect(page.facets[0]?.values).toContainEqual({ value: 'codex', items: 1 })
    expect(await idsOf(items, { where: { framework: ['codex'] } })).toEqual(['b'])
    expect(await idsOf(items, { environment: 'code' })).toEqual(['b'])
    expect(await idsOf(items, { where: { outcome: ['failed'] } })).toEqual([])
  }))

test('says why a text found an experience, and keeps filters while searching', () =>
  withItems(async (items) => {
    const { rows } = await items.list(query({ text: 'counting the bookings in March', mode: 'hybrid' }))
    expect(rows[0]).toMatchObject({
      id: 'a',
      match: { terms: expect.arrayContaining(['count', 'bookings', 'march']), utilityPart: 0 },
    })
    expect(rows[0]?.match?.textScore).toBeGreaterThan(0.8)
    const codex = { text: 'count the parser', mode: 'hybrid', where: { framework: ['codex'] } }
    expect(await idsOf(items, codex)).toEqual(['b'])
  }))

test('an edit is a new version, lists stay lists; the old one is kept, followed and restored', () =>
  withItems(async (items, memory) => {
    const second = await items.edit('s', ref('a'), {
      agentExperience: '- One.\n- Three.',
      domain: 'database',
    })
    const stored = await memory.experiences.get(second.item.id)
    expect(stored?.experience).toMatchObject({
      agentExperience: ['One.', 'Three.'],
      meta: { domain: 'database' },
    })
    const third = await items.edit('s', second.item, { agentPlan: '1. Count twice.' })
    const chain = await items.history('s', third.item)
    expect(chain.map((version) => version.ref.id)).toEqual(['a', second.item.id, third.item.id])
    expect(chain.map(({ current }) => current)).toEqual([false, false, true])
    expect(chain[0]?.note).toBe('Replaced by an edited version')
    await expect(items.edit('s', ref('a'), { agentPlan: 'x' })).rejects.toMatchObject({ code: 'CONFLICT' })
    expect((await items.restore('s', ref('a'))).item.gone).toBeNull()
  }))

test('the trash says until when it keeps what is in it, and forgets after 30 days', () =>
  withItems(async (items, _space, clock) => {
    const { item } = await items.remove('s', ref('b'))
    expect(item.gone).toMatchObject({ why: 'deleted' })
    expect(Date.parse(item.gone?.until ?? '')).toBe(clock.time.getTime() + 30 * DAY)
    expect(await idsOf(items)).toEqual(['c', 'a'])
    expect(await idsOf(items, { text: 'fix the parser', mode: 'hybrid' })).not.toContain('b')
    expect(await idsOf(items, { state: 'gone' })).toEqual(['b'])
    await items.restore('s', ref('b'))
    expect(await idsOf(items, { text: 'fix the parser', mode: 'hybrid', k: 1 })).toEqual(['b'])
    await items.remove('s', ref('b'))
    clock.time = new Date(clock.time.getTime() + 31 * DAY)
    expect(await idsOf(items, { state: 'gone' })).toEqual([])
    await expect(items.restore('s', ref('b'))).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }))

test('its abilities: the whole of it, figures, and what an attempt became', () =>
  withItems(async (items, memory) => {
    expect(await view(items, 'whole', { id: 'a' })).toMatchObject({ experience: { id: 'a' } })
    expect(await view(items, 'stats')).toMatchObject({ live: 3, byFramework: { codex: 1 } })
    expect(await view(items, 'became', { trajectoryId: 't2' })).toBeNull()
    expect(await view(items, 'became', { trajectoryId: 't1' })).toMatchObject({ id: 'c', ranking: null })
    const ranking = {
      ...{ candidateId: 'c', existingId: 'a', cosine: 0.9, tau: 0.8, verdicts: [] },
      winner: 'candidate' as const,
    }
    await memory.commit([
      ...([
        {
          kind: 'experience-superseded',
          experienceId: 'a',
          by: 'c',
          why: 'duplicate',
          ranking,
          at: timeOf(1),
        },
      ] as const),
    ])
    expect(await view(items, 'became', { trajectoryId: 't1' })).toMatchObject({
      ranking: { winner: 'candidate' },
    })
    expect((await items.history('s', ref('c')))[0]?.ranking).toMatchObject({ winner: 'candidate' })
    await expect(view(items, 'abstract')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await expect(view(items, 'whole', { id: 'nobody' })).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }))
