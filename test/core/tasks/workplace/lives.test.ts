import { describe, expect, it } from 'vitest'
import { createRng } from '../../../../src/core/ground/random'
import { parseStream } from '../../../../src/core/streams/parse-stream'
import { LIFELONG, openNamedStream } from '../../../../src/core/tasks/generators'
import {
  createWorkplaceEnvironment,
  readWorkplaceTask,
} from '../../../../src/core/tasks/workplace/environment'
import { createWorkplace, driftSeed } from '../../../../src/core/tasks/workplace/world'
import type { KnownTask, Task } from '../../../../src/shared/domain/task'

const KINDS = LIFELONG.kinds.map(({ id }) => id).filter((id) => id.startsWith('workplace-'))
const streamOf = (kind: string, order = 1) => openNamedStream(LIFELONG.nameOf(kind, 31, order))
const tasksOf = (kind: string, order = 1) =>
  parseStream(streamOf(kind, order)?.text ?? '', kind).tasks as (Task & { readonly known: KnownTask })[]

async function play(task: Task, reply: string): Promise<number> {
  const outcome = await createWorkplaceEnvironment({ systemPrompt: '' }).open(task).step(reply)
  return outcome.done ? outcome.reward : 0
}

describe('a workplace that drifts', () => {
  it('has the share of its ways and procedures changed, and no name', () => {
    for (const share of [0.25, 1]) {
      const before = createWorkplace('open:31')
      const after = createWorkplace(driftSeed('open:31', createRng('a'), share))
      const towns = [...before.ways.keys()]
      expect([...after.ways.keys()]).toEqual(towns)
      expect(after.name).toBe(before.name)
      const busy = towns.slice(0, 12).filter((town) => before.ways.get(town) !== after.ways.get(town))
      expect(busy).toHaveLength(12 * share)
      const sorts = before.procedures.filter(
        (one, i) => JSON.stringify(one) !== JSON.stringify(after.procedures[i]),
      )
      expect(sorts).toHaveLength(before.procedures.length * share)
    }
  })
})

describe('lifelong streams of workplaces', () => {
  it.each(KINDS)('%s: every task is solved by its known path, and its facts are told once', async (kind) => {
    expect(streamOf(kind)?.text).toBe(streamOf(kind)?.text)
    const told = new Set<string>()
    for (const task of tasksOf(kind)) {
      const [rule] = task.known.rules
      const fact = `${rule?.key} ${rule?.value}`
      expect(readWorkplaceTask(task)).toMatchObject({ level: 0 })
      expect(readWorkplaceTask(task).open === true).toBe(!told.has(fact))
      told.add(fact)
      expect(await play(task, task.known.path[0] ?? '')).toBe(1)
    }
  })

  it('name every fifth task as one in other words, so that protocols can hold it out', () => {
    const tasks = tasksOf('workplace-steady')
    const others = tasks.filter(({ skills }) => skills.includes('other-words'))
    expect(others).toEqual(tasks.filter((task) => readWorkplaceTask(task).phrasing === 'held-out'))
    expect(others).toHaveLength(12)
  })

  it('bring probes back as twins, and drift says which of them changed', () => {
    for (const kind of ['workplace-steady', 'workplace-drift', 'workplace-return']) {
      const tasks = tasksOf(kind)
      const twins = tasks.filter(({ known }) => known.twinOf !== null)
      for (const { known } of twins) {
        const probe = tasks.find(({ id }) => id === known.twinOf)
        expect(probe?.known.probe).toBe(true)
        expect(probe?.known.rules[0]?.value !== known.rules[0]?.value).toBe(known.changed)
      }
      expect(twins.length).toBe(kind === 'workplace-return' ? 6 : 18)
      expect(twins.some(({ known }) => known.changed)).toBe(kind === 'workplace-drift')
    }
    const words = (order: number) => tasksOf('workplace-return', order).map(({ instruction }) => instruction)
    expect(words(1)).not.toEqual(words(2))
  })

  it('start poisoned with attempts of which a tenth holds at another workplace of the same name', async () => {
    for (const [kind, wrong] of [
      ['workplace-poisoned', 4],
      ['workplace-given', 0],
    ] as const) {
      const given = streamOf(kind)?.given
      const { tasks } = parseStream(given?.text ?? '', kind)
      const rewards = await Promise.all(tasks.map((task, i) => play(task, given?.replies[i]?.[0] ?? '')))
      expect(rewards).toEqual(Array.from({ length: 40 }, () => 1))
      expect(tasks.filter((task) => readWorkplaceTask(task).workplace !== 'open:31')).toHaveLength(wrong)
    }
    expect(tasksOf('workplace-poisoned').map(({ payload }) => payload)).toEqual(
      tasksOf('workplace-steady').map(({ payload }) => payload),
    )
  })
})
