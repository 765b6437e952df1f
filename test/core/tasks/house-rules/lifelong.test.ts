import { beforeAll, describe, expect, it } from 'vitest'
import { createRng } from '../../../../src/core/ground/random'
import type { Environment } from '../../../../src/core/ground/environment'
import type { SqlTable } from '../../../../src/core/ground/ports'
import { playForeignAttempt } from '../../../../src/core/lab/foreign-attempt'
import { openNamedStream } from '../../../../src/core/tasks/generators'
import { driftWorld } from '../../../../src/core/tasks/house-rules/drift'
import { goldObservation } from '../../../../src/core/tasks/house-rules/lifelong/example'
import { LIFELONG_KINDS } from '../../../../src/core/tasks/house-rules/lifelong/kinds'
import { lifelongName } from '../../../../src/core/tasks/lifelong/names'
import { openWorldSeed } from '../../../../src/core/tasks/house-rules/stream'
import { codeBook, createWorld, type World } from '../../../../src/core/tasks/house-rules/world'
import { createLabDbEnvironment } from '../../../../src/core/tasks/lab-db/environment'
import { parseStream } from '../../../../src/core/streams/parse-stream'
import type { KnownTask, Task } from '../../../../src/shared/domain/task'
import { createSqlJsEngine } from '../../../../src/main/adapters/environments/sqljs-engine'

type Known = Task & { readonly known: KnownTask }

const textOf = (name: string): string => openNamedStream(name)?.text ?? ''
const streams = new Map<string, Known[]>()
const tasksOf = (kind: string, world = 101, order = 1): Known[] => {
  const name = lifelongName(kind, world, order)
  const tasks = streams.get(name) ?? (parseStream(textOf(name), kind).tasks as Known[])
  streams.set(name, tasks)
  return tasks
}
const counted = <T>(items: readonly T[]): Map<T, number> => {
  const counts = new Map<T, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}
/** A task of a row with its table, as it was drawn. */
const drawn = ({ payload }: Task, sql: string) => {
  const { table_info: info } = payload as {
    table_info: { name: string; column_info_list: SqlTable['columns']; row_list: SqlTable['rows'] }
  }
  return { sql, table: { name: info.name, columns: info.column_info_list, rows: info.row_list } }
}
const asked = (tasks: readonly Task[]): string[] => tasks.map(({ instruction }) => instruction).sort()

/** Every rule of a world with its value. */
const rulesOf = ({ tables }: World): string[] =>
  tables.flatMap(({ kind, codes, amount, who, place, date, flagValue }) => [
    ...[...codes].map(([word, code]) => `${kind.table} ${word} ${code}`),
    ...[`${amount} amount`, `${who} who`, `${place} place`, `${date} date`].map(
      (rule) => `${kind.table} ${rule}`,
    ),
    ...(flagValue === null ? [] : [`${kind.table} ${flagValue} flag`]),
  ])

describe('a world that drifts', () => {
  it('has exactly the asked share of its rules changed, each to something else', () => {
    for (let seed = 1; seed <= 40; seed++) {
      const world = createWorld(openWorldSeed(seed))
      for (const share of [0.25, 1]) {
        const after = new Set(rulesOf(driftWorld(world, createRng(`d${seed}`), share)))
        const changed = rulesOf(world).filter((rule) => !after.has(rule))
        expect(changed.length).toBe(Math.round(rulesOf(world).length * share))
      }
      for (const { codes } of driftWorld(world, createRng('all'), 1).tables)
        expect(new Set(codes.values()).size).toBe(codes.size)
    }
  })
})

describe('lifelong streams', () => {
  let environment: Environment
  beforeAll(async () => {
    environment = createLabDbEnvironment(await createSqlJsEngine(), { systemPrompt: '' })
  })

  it.each(LIFELONG_KINDS)(
    '$id: the same name gives the same tasks, as many as it says, each usable',
    (kind) => {
      const name = lifelongName(kind.id, 101, 2)
      expect(textOf(name)).toBe(textOf(name))
      const { tasks, reading } = parseStream(textOf(name), kind.id)
      expect(reading.left).toEqual([])
      expect(tasks.length).toBe(kind.stages.length * kind.perStage)
      expect(textOf(lifelongName(kind.id, 102, 2))).not.toBe(textOf(name))
    },
  )

  it.each(LIFELONG_KINDS)('$id: another order plays what is new in another order', ({ id }) => {
    const fresh = (order: number): Known[] =>
      tasksOf(id, 101, order).filter(({ known }) => known.twinOf === null)
    expect(fresh(1).map(({ instruction }) => instruction)).not.toEqual(
      fresh(2).map(({ instruction }) => instruction),
    )
    expect(asked(fresh(1))).toEqual(asked(fresh(2)))
  })

  it.each(['steady', 'mixed', 'drift', 'return'])('%s: the known path solves every task', async (kind) => {
    for (const task of tasksOf(kind)) {
      const episode = environment.open(task)
      const sql = task.known.path.at(-1) ?? ''
      const ran = await episode.step(`Action: Operation\n\`\`\`sql\n${sql}\n\`\`\``)
      expect(goldObservation(drawn(task, sql)), sql).toBe(ran.observation)
      const end = await episode.step(`Action: Answer\nFinal Answer: ${ran.observation ?? ''}`)
      episode.close()
      expect(end.done && end.reward, task.instruction).toBe(1)
    }
  })

  it('chooses tasks by skill: tables in turn, facts in the same shares in every stage', () => {
    for (const stage of [0, 1, 2]) {
      const tasks = tasksOf('drift').filter(({ known }) => known.stage === stage && known.twinOf === null)
      const tables = [...counted(tasks.map(({ skills }) => skills.at(-1))).values()]
      expect(tables.length).toBe(6)
      expect(Math.max(...tables) - Math.min(...tables)).toBeLessThanOrEqual(2)
    }
  })

  it('brings every probe back in each later stage of its world, asking the same of other rows', () => {
    for (const [kind, expected] of [
      ['steady', [0, 12, 24]],
      ['return', [0, 0, 12]],
      ['mixed', [0, 12, 24]],
    ] as const) {
      const tasks = tasksOf(kind)
      const twins = tasks.filter(({ known }) => known.twinOf !== null)
      expect([0, 1, 2].map((stage) => twins.filter(({ known }) => known.stage === stage).length)).toEqual(
        expected,
      )
      for (const { known, skills, payload } of twins) {
        const probe = tasks.find(({ id }) => id === known.twinOf)
        expect(probe?.known.probe).toBe(true)
        expect(probe?.skills).toEqual(skills)
        expect(probe?.known.rules).toEqual(known.rules)
        expect(known.changed).toBe(false)
        expect(payload).not.toEqual(probe?.payload)
      }
    }
  })

  it('drift says of a twin whether its rules changed since, and only then they differ', () => {
    const tasks = tasksOf('drift')
    const twins = tasks.filter(({ known }) => known.twinOf !== null)
    for (const { known } of twins) {
      const probe = tasks.find(({ id }) => id === known.twinOf)
      expect(JSON.stringify(probe?.known.rules) !== JSON.stringify(known.rules)).toBe(known.changed)
    }
    expect(new Set(twins.map(({ known }) => known.changed))).toEqual(new Set([true, false]))
  })

  it('mixes three worlds evenly, and returns to the first', () => {
    const mixed = counted(tasksOf('mixed').map(({ payload }) => (payload as { world: string }).world))
    expect([...mixed.values()]).toEqual([60, 60, 60])
    const places = tasksOf('return').map(({ payload }) => (payload as { world: string }).world)
    expect(new Set(places.slice(0, 60))).toEqual(new Set(places.slice(120)))
    expect(places.slice(60, 120)).not.toContain(places[0])
  })

  it('flips exactly one reward of each ten, and tells every fifth alone', () => {
    const noisy = tasksOf('noisy').map(({ feedback }) => feedback)
    for (let ten = 0; ten < 12; ten++)
      expect(noisy.slice(ten * 10, ten * 10 + 10).filter((told) => told === 'flipped').length).toBe(1)
    const sparse = tasksOf('sparse').map(({ feedback }) => feedback)
    expect(sparse.flatMap((told, i) => (told === undefined ? [i % 5] : []))).toEqual(
      Array.from({ length: 36 }, () => 4),
    )
  })

  it('gives noisy, poisoned and given the tasks of steady', () => {
    const steady = tasksOf('steady')
    for (const kind of ['noisy', 'poisoned', 'given'])
      expect(tasksOf(kind).map(({ payload }) => payload)).toEqual(steady.map(({ payload }) => payload))
  })

  it('starts poisoned with attempts that all look solved, a tenth of them by rules that do not hold', async () => {
    const book = codeBook(createWorld(openWorldSeed(101))).rows
    for (const [kind, wrong] of [
      ['poisoned', 5],
      ['given', 0],
    ] as const) {
      const given = openNamedStream(lifelongName(kind, 101, 1))?.given
      const { tasks } = parseStream(given?.text ?? '', kind)
      expect(tasks.length).toBe(50)
      let misleading = 0
      for (const [i, task] of tasks.entries()) {
        const replies = given?.replies[i] ?? []
        const made = await playForeignAttempt(
          { id: `g${i}`, by: 'other-agent', task, replies },
          { environment, memoryId: 's', at: '2026-01-01T00:00:00.000Z' },
        )
        expect(made.reward, task.instruction).toBe(1)
        expect(made.runId).toBe('shared-other-agent')
        const { extra_tables: extra } = task.payload as { extra_tables: { row_list: string[][] }[] }
        if (JSON.stringify(extra[0]?.row_list) !== JSON.stringify(book)) misleading++
      }
      expect(misleading).toBe(wrong)
    }
  })

  it('names: what is nearly one is refused with how it is spelt', () => {
    expect(openNamedStream('house-rules-a')).toBeNull()
    expect(openNamedStream('lifelong:drift')?.id).toBe('lifelong:drift?world=1&order=1')
    expect(openNamedStream('lifelong:drift?order=3&world=7')?.id).toBe('lifelong:drift?world=7&order=3')
    for (const name of ['lifelong:', 'lifelong:drifty', 'lifelong:drift?world=a', 'lifelong:drift?seed=1'])
      expect(() => openNamedStream(name)).toThrow(/names no lifelong stream/)
  })
})
