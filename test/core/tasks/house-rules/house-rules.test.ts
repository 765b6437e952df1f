import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createRng } from '../../../../src/core/ground/random'
import { createLabDbEnvironment } from '../../../../src/core/tasks/lab-db/environment'
import type { Environment } from '../../../../src/core/ground/environment'
import { bundledStreams, BUNDLED_WORLDS } from '../../../../src/core/tasks/house-rules/bundled'
import {
  generateMixedStream,
  generateWorldStream,
  openWorldSeed,
} from '../../../../src/core/tasks/house-rules/stream'
import { drawTask } from '../../../../src/core/tasks/house-rules/tasks'
import { HELD_OUT_KINDS, TABLE_KINDS } from '../../../../src/core/tasks/house-rules/vocabulary'
import {
  createWorld,
  storedAmount,
  storedDate,
  storedName,
  TABLES_PER_WORLD,
} from '../../../../src/core/tasks/house-rules/world'
import { createSqlJsEngine } from '../../../../src/main/adapters/environments/sqljs-engine'

const root = join(import.meta.dirname, '..', '..', '..', '..')

describe('table kinds', () => {
  it.each([...TABLE_KINDS, ...HELD_OUT_KINDS])('$table has six columns, five statuses and a flag', (kind) => {
    const { statuses, ...names } = kind
    expect(Object.keys(names)).toHaveLength(8)
    const words = [...Object.values(names), ...statuses]
    expect(statuses).toHaveLength(5)
    expect(words.filter((word) => !/^[a-z_]+$/.test(word))).toEqual([])
    expect(new Set(words).size).toBe(words.length)
  })
})

describe('worlds', () => {
  it('are the same for the same seed and differ between training and open seeds', () => {
    expect(createWorld('open:5')).toEqual(createWorld('open:5'))
    expect(createWorld('train:5')).not.toEqual(createWorld('open:5'))
  })

  it('store what people say by their own rules', () => {
    expect(storedAmount('thousandths', 42)).toBe(42_000)
    expect(storedName('upper', 'Oslo')).toBe('OSLO')
    expect(storedName('as-is', 'Oslo')).toBe('Oslo')
    expect(storedDate('compact', '2024-03-05')).toBe('20240305')
    expect(storedDate('slash', '2024-03-05')).toBe('05/03/2024')
  })

  it('have distinct tables, and a different code for every status word of a table', () => {
    for (let seed = 0; seed < 50; seed++) {
      const world = createWorld(openWorldSeed(seed))
      expect(new Set(world.tables.map((table) => table.kind.table)).size).toBe(TABLES_PER_WORLD)
      for (const table of world.tables) expect(new Set(table.codes.values()).size).toBe(table.codes.size)
    }
  })

  it('keep held-out kinds out of the kinds that worlds are drawn from', () => {
    const usual = new Set(TABLE_KINDS.map((kind) => kind.table))
    expect(HELD_OUT_KINDS.filter((kind) => usual.has(kind.table))).toEqual([])
  })
})

describe('tasks', () => {
  let environment: Environment
  beforeAll(async () => {
    environment = createLabDbEnvironment(await createSqlJsEngine(), { systemPrompt: '' })
  })

  it('are solved by their gold SQL, and every fact can be looked up in the database', async () => {
    const world = createWorld(openWorldSeed(901))
    const rng = createRng('test')
    for (const entry of generateWorldStream(901, 60)) {
      const episode = environment.open({
        id: entry.id,
        index: entry.sample_index,
        environment: 'lab-db',
        instruction: entry.instruction,
        skills: [],
        payload: entry,
      })
      const first = await episode.step(`Action: Operation\n\`\`\`sql\n${entry.answer_info.sql}\n\`\`\``)
      expect(first.done).toBe(false)
      const last = await episode.step(`Action: Answer\nFinal Answer: ${first.observation ?? ''}`)
      expect(last.done && last.reward, entry.instruction).toBe(1)
      episode.close()
    }
    const task = drawTask(rng, world)
    const episode = environment.open({
      id: 'x',
      index: 0,
      environment: 'lab-db',
      instruction: task.instruction,
      skills: [],
      payload: { ...generateWorldStream(901, 1)[0], ...tableEntry(task) },
    })
    for (const fact of task.facts.slice(0, 2)) {
      const seen = await episode.step(`Action: Operation\n\`\`\`sql\n${fact.look}\n\`\`\``)
      expect(seen.observation).toMatch(/^\[\(/)
    }
    episode.close()
  })

  it('phrase held-out wordings differently', () => {
    const world = createWorld(openWorldSeed(3))
    const usual = Array.from({ length: 80 }, (_, i) => drawTask(createRng(`${i}`), world).instruction)
    const heldOut = Array.from(
      { length: 80 },
      (_, i) => drawTask(createRng(`${i}`), world, { phrasing: 'held-out' }).instruction,
    )
    expect(usual.filter((text) => heldOut.includes(text))).toEqual([])
  })
})

const tableEntry = (task: ReturnType<typeof drawTask>) => ({
  table_info: { name: task.table.name, column_info_list: task.table.columns, row_list: task.table.rows },
  extra_tables: [{ name: task.codes.name, column_info_list: task.codes.columns, row_list: task.codes.rows }],
  answer_info: { direct: null, md5: null, sql: task.sql },
})

describe('bundled streams', () => {
  it('are exactly what their seeds give', () => {
    for (const { fileName, text } of bundledStreams()) {
      expect(readFileSync(join(root, 'resources', 'streams', fileName), 'utf8') === text, fileName).toBe(true)
    }
  })

  it('mix three worlds with different names', () => {
    const mixed = generateMixedStream(Object.values(BUNDLED_WORLDS), 240)
    expect(new Set(mixed.map((entry) => entry.world)).size).toBe(3)
  })
})
