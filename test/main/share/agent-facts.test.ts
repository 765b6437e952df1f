import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createApp, type App } from '../../../src/main/app'
import { FACT_KIND } from '../../../src/core/memory/facts/fact'
import { facts } from '../../../src/core/memory/facts/kind'
import { keepFact, rememberedFact } from '../../../src/core/memory/facts/new-fact'
import { createItems, memorySourceOf, type Items } from '../../../src/main/items/memory-items'
import { itemQuerySchema } from '../../../src/shared/domain/item'
import type { StoredMemory } from '../../../src/main/memory-store/memory'
import { documentOf } from '../../core/formats/memories'
import { caseOf } from '../memory-store/fixtures'
import { createAgentMemory, type AgentMemory } from '../../../src/main/share/agent-memory'

let folder: string
let app: App
let items: Items
let memory: StoredMemory
let memories = 0
const LIST = itemQuerySchema.parse({ memoryId: '' })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-facts-'))
  app = await createApp({ dataPath: join(folder, 'data'), host: 'memory' })
  items = createItems(app)
})
beforeEach(async () => {
  memory = await app.memories.open(join(folder, `memory-${memories++}`))
})
afterAll(async () => {
  await app.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

const served = (options: Parameters<typeof createAgentMemory>[2] = {}): AgentMemory =>
  createAgentMemory(memory, app, { write: true, ...options })
const statements = async (of: AgentMemory, about?: string): Promise<string[]> =>
  (await of.facts(about)).map(({ statement }) => statement)

/** A fact as the person said it in an ask. */
const said = async (statement: string): Promise<void> => {
  const origin = { id: `said-${statement.length}`, runId: 'r', trajectoryId: 't', environment: 'qa' }
  const fact = rememberedFact(statement, { ...origin, at: app.clock.now().toISOString() })
  await memory.commit(keepFact(fact, await memory.items('fact')).events)
}

describe('guides', () => {
  it('reach a program by what they say, whatever their concept is called', async () => {
    const text = {
      context: 'Customers send parcels back within thirty days.',
      howToUse: 'A refund above fifty euros needs the signature of the shift lead before it is paid out.',
      whenToUse: 'When a customer asks for money back.',
      bestPractices: '',
    }
    const version = documentOf('v1', 'refunds', { concept: 'counter-work', text, sentences: [] })
    await memory.commit([
      { kind: 'document-written', version },
      {
        ...{ kind: 'document-decided', conceptId: 'refunds', versionId: 'v1', accepted: true },
        ...{ by: 'person', at: app.clock.now().toISOString() },
      },
    ])
    const agent = served()
    expect((await agent.plan('Pay out the refund of a customer who sent a parcel back', 500)).text).toContain(
      'shift lead',
    )
    for (const task of ['Write a poem about a customer', 'Add a dark mode to the settings page'])
      expect((await agent.plan(task, 500)).items, task).toEqual([])
  })
})

describe('facts that programs tell', () => {
  it('are found with the name of who told them, and once', async () => {
    const agent = served()
    const first = await agent.remember({ statement: 'Tests run with npm run check.', about: 'Vela' }, 'codex')
    expect(first).toMatchObject({ state: 'kept', adds: [{ kind: FACT_KIND }], replaced: [] })
    expect(await statements(agent)).toEqual(['Vela: Tests run with npm run check.'])
    const again = await agent.remember({ statement: 'Tests run with npm run check.', about: 'Vela' }, 'cline')
    expect(again).toMatchObject({ factId: first.factId, adds: [] })
    expect(await agent.writes()).toMatchObject([{ id: first.proposalId }])
    const [found] = await agent.search({ text: 'how do I run the tests of Vela?', limit: 3 })
    expect(found).toMatchObject({ kind: FACT_KIND, id: first.factId })
    expect(found?.text).toContain('(codex, ')
    expect((await agent.plan('Write the release notes of Vela', 500)).items).toMatchObject([
      { id: first.factId },
    ])
    expect((await agent.plan('Write the release notes of Orion', 500)).items).toEqual([])
    const { items, text } = await agent.overview(500)
    expect(items).toHaveLength(1)
    expect(text).toContain('What is known:')
  })

  it('stand before attempts at something else, whose wrong answers are not told', async () => {
    const agent = served()
    const state = 'Quel est le code du portail ?'
    await memory.commit([
      {
        kind: 'case-added',
        case: caseOf('gate', state, { plan: 'Agent: the code is 1111', reward: 0 }),
      },
    ])
    const told = await agent.remember({ statement: 'The staging server is called plover.' }, 'codex')
    const rows = await agent.search({ text: 'What is the staging server called?', limit: 5 })
    expect(rows.map(({ id }) => id)).toEqual([told.factId, 'gate'])
    expect(rows[1]?.text).toContain(`Failed: ${state}\nIts answer was wrong.`)
    expect(rows[1]?.text).not.toContain('1111')
  })

  it('later ones take the place of earlier ones, which stay in the history and come back', async () => {
    const agent = served()
    await agent.remember({ statement: 'The deadline of Vela is 3 May.' }, 'codex')
    const later = await agent.remember({ statement: 'The deadline of Vela is 9 May.' }, 'cline')
    expect(later.replaced).toMatchObject([{ statement: 'The deadline of Vela is 3 May.', by: 'codex' }])
    expect(await statements(agent)).toEqual(['The deadline of Vela is 9 May.'])
    const told = (await agent.factHistory(later.factId)).map(({ title }) => title)
    expect(told).toEqual(['The deadline of Vela is 3 May.', 'The deadline of Vela is 9 May.'])
    await expect(agent.undo(later.proposalId, 'codex')).rejects.toThrow(/another program/)
    expect(await agent.undo(later.proposalId, null)).toMatchObject({ client: 'cline', state: 'undone' })
    expect(await statements(agent)).toEqual(['The deadline of Vela is 3 May.'])
  })

  it('of two programs at once leave one standing', async () => {
    const agent = served()
    const days = [3, 4, 5, 6, 7, 8]
    await Promise.all(
      days.map((day) => agent.remember({ statement: `The deadline of Vela is ${day} May.` }, `agent ${day}`)),
    )
    expect(await statements(agent)).toHaveLength(1)
  })

  it('wait for a person where a person said otherwise', async () => {
    await said('My dentist is Dr. Okonjo.')
    const agent = served()
    const other = await agent.remember({ statement: 'My dentist is Dr. Reyes.', about: 'me' }, 'codex')
    expect(other).toMatchObject({ state: 'held', againstPerson: true })
    expect(await statements(agent)).toEqual(['My dentist is Dr. Okonjo.'])
    // What was said meanwhile gives way too.
    await said('My dentist is Dr. Lindqvist-Marchetti.')
    await agent.decide(other.proposalId, true)
    expect(await statements(agent)).toEqual(['My dentist is Dr. Reyes.'])
  })

  it('are changed and forgotten, and what others told only by a person', async () => {
    const agent = served()
    const { factId } = await agent.remember({ statement: 'Vela is written in Go.' }, 'codex')
    const changed = await agent.change(factId, 'Vela is written in Rust since May.', 'codex')
    expect(await statements(agent)).toEqual(['Vela is written in Rust since May.'])
    await expect(agent.change(factId, 'Vela is gone.', 'codex')).rejects.toThrow(/no fact/)

    const other = await agent.forget([changed.factId], 'cline')
    expect(other.state).toBe('held')
    expect(await statements(agent)).toHaveLength(1)
    const own = await agent.forget([changed.factId], 'codex')
    expect(own.state).toBe('kept')
    expect(await statements(agent)).toEqual([])
    expect(await agent.undo(own.proposalId, null)).toMatchObject({ state: 'undone' })
    expect(await statements(agent)).toEqual(['Vela is written in Rust since May.'])
  })

  it('keep no secrets', async () => {
    const agent = served()
    const { redactions } = await agent.remember(
      { statement: 'Staging is reached with password=hunter2secret.' },
      'codex',
    )
    expect(Object.values(redactions).reduce((sum, count) => sum + count, 0)).toBeGreaterThan(0)
    expect((await statements(agent)).join()).not.toContain('hunter2secret')
  })

  it('belong to the project of the server, which sees no other', async () => {
    const [vela, orion] = [served({ project: 'Vela' }), served({ project: 'Orion' })]
    await vela.remember({ statement: 'The port of the server is 7411.' }, 'codex')
    await orion.remember({ statement: 'The port of the server is 9000.' }, 'codex')
    await served().remember({ statement: 'The person likes short answers.', about: 'me' }, 'codex')
    expect(await statements(vela)).toEqual([
      'The person likes short answers.',
      'The port of the server is 7411.',
    ])
    const [first, ...rest] = await orion.search({ text: 'port of the server', limit: 5 })
    expect(first?.title).toBe('The port of the server is 9000.')
    expect(JSON.stringify(rest)).not.toContain('7411')
    await expect(vela.remember({ statement: 'It is so.', project: 'Orion' }, 'codex')).rejects.toThrow(
      /bound to the project/,
    )
    expect(await statements(served())).toHaveLength(3)
  })

  it('hold until their last day is over, and again when a person restores them', async () => {
    const agent = served()
    const told = await agent.remember(
      { statement: 'The visitor badge opens door 4.', about: 'Vela', until: '2100-01-31' },
      'codex',
    )
    const source = memorySourceOf(memory)
    const later = { ...source, now: () => new Date('2100-02-02T00:00:00Z') }
    expect((await agent.facts())[0]).toMatchObject({ until: '2100-01-31' })
    expect((await facts.head(later, told.factId))?.gone).toMatchObject({ why: 'ended' })
    expect((await facts.head(source, told.factId))?.gone).toBeNull()
    // The day before yesterday, as a person may write it.
    const ref = { kind: FACT_KIND, id: told.factId }
    const { undo } = await items.edit(memory.path, ref, { until: '2001-01-01' })
    expect(await agent.facts()).toEqual([])
    expect(await agent.search({ text: 'which door does the badge open?', limit: 3 })).toEqual([])
    expect((await agent.overview(500)).items).toEqual([])
    const row = (await items.list({ ...LIST, memoryId: memory.path, state: 'gone', kinds: [FACT_KIND] }))
      .rows[0]
    expect(row?.gone).toMatchObject({ why: 'ended' })
    // What is over is no contradiction of what is told now.
    expect(
      await agent.remember({ statement: 'The visitor badge opens door 4.', about: 'Vela' }, 'cline'),
    ).toMatchObject({ replaced: [], adds: [{ kind: FACT_KIND }] })
    const restored = await items.restore(memory.path, ref)
    expect(restored.item).toMatchObject({ gone: null, values: { until: '' } })
    await items.undo(memory.path, restored.undo)
    expect((await facts.head(source, told.factId))?.gone).toMatchObject({ why: 'ended' })
    await items.undo(memory.path, undo)
    expect((await facts.read(source, told.factId))?.values['until']).toBe('2100-01-31')
  })

  it('are told anew with another end, keep theirs through a change, and are refused when over', async () => {
    const agent = served()
    const statement = 'The lift of Vela is closed.'
    const first = await agent.remember({ statement, until: '2100-01-31' }, 'codex')
    const second = await agent.remember({ statement, until: '2100-02-28' }, 'codex')
    expect(second.replaced.map(({ id }) => id)).toEqual([first.factId])
    const third = await agent.change(second.factId, 'The lift of Vela is being repaired.', 'codex')
    expect(await agent.facts()).toMatchObject([{ id: third.factId, until: '2100-02-28' }])
    await agent.change(third.factId, 'The lift of Vela is being repaired.', 'codex', { until: null })
    expect(await agent.facts()).toMatchObject([{ until: null }])
    await expect(
      agent.remember({ statement: 'It snows.', until: '2001-01-01' }, 'codex'),
    ).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
    await expect(
      items.add(memory.path, FACT_KIND, { statement: 'It snows.', until: '31 May' }, null),
    ).rejects.toMatchObject({ code: 'BAD_INPUT', message: expect.stringContaining('2026-12-31') as string })
    const { item } = await items.add(
      memory.path,
      FACT_KIND,
      { statement: 'It snows.', until: '2100-05-31' },
      null,
    )
    expect(item.facts).toContainEqual({ label: 'Holds until', value: '2100-05-31' })
    // The line of an export is the same whatever day it is.
    const line = await facts.toLine(memorySourceOf(memory), item.id)
    const then = { ...memorySourceOf(memory), now: () => new Date('2200-01-01T00:00:00Z') }
    expect(line).toMatchObject({ item: { until: '2100-05-31' } })
    expect(await facts.toLine(then, item.id)).toEqual(line)
  })

  it('are refused where nothing may be written', async () => {
    const reading = createAgentMemory(memory, app)
    await expect(reading.remember({ statement: 'It is so.' }, 'codex')).rejects.toThrow(/reading only/)
    await expect(reading.forget(['x'], 'codex')).rejects.toThrow(/reading only/)
  })
})
