import { createRng } from '../../../ground/random'
import type { KnownTask } from '../../../../shared/domain/task'
import { driftWorld } from '../drift'
import { openWorldSeed } from '../stream'
import type { HouseRulesTask } from '../tasks'
import { createWorld, type World } from '../world'
import { drawBySkill, drawTwin } from './draw'
import { exampleOf } from './example'
import type { LifelongKind } from './kinds'
import type { LifelongName } from './name'

/** A task with its place in the stream. */
export interface PlannedTask {
  readonly id: string
  readonly task: HouseRulesTask
  readonly known: KnownTask
}

type Drawn = Omit<PlannedTask, 'id' | 'known'> & {
  /** The place of its world. */
  readonly world: number
  readonly stage: number
  readonly probe: boolean
  readonly twinOf: PlannedTask | null
  /** Another one like it. */
  readonly example: HouseRulesTask
}

/** The worlds of a stream as they begin, by place. Names differ, so that a task says which one it is of. */
export function worldsOf({ stages }: LifelongKind, world: number): World[] {
  const worlds = [createWorld(openWorldSeed(world))]
  for (let place = 1; place <= Math.max(...stages.flat()); place++)
    for (let draw = 0; worlds.length === place; draw++) {
      const other = createWorld(`${openWorldSeed(world)}/${place}.${draw}`)
      if (worlds.every(({ name }) => name !== other.name)) worlds.push(other)
    }
  return worlds
}

const ruleKey = ({ worldName, table }: HouseRulesTask, key: string): string =>
  `${worldName}/${table.name}.${key}`

function knownOf({ task, stage, probe, twinOf, example }: Drawn): KnownTask {
  const rules = task.facts.map(({ key, value }) => ({ key: ruleKey(task, key), name: key, value }))
  const before = new Map(twinOf?.known.rules.map(({ key, value }) => [key, value]))
  return {
    stage,
    probe,
    twinOf: twinOf?.id ?? null,
    changed: twinOf !== null && rules.some(({ key, value }) => before.get(key) !== value),
    rules,
    path: [...task.facts.map(({ look }) => look), task.sql],
    place: task.worldName,
    example: exampleOf(example),
  }
}

/** Numbers that add up to `count` and differ by at most one. */
const evenly = (count: number, over: number): number[] =>
  Array.from({ length: over }, (_, i) => Math.floor((count + i) / over))

/**
 * The tasks of a stream in the order they are played. Which tasks a stage has follows from kind and world alone; `order` decides how they
 * follow each other within its three parts: twins of earlier probes, new tasks, and its own probes.
 */
export function planTasks({ kind, world, order }: LifelongName): PlannedTask[] {
  const label = `lifelong/${kind.tasksOf ?? kind.id}/${world}`
  const planned: PlannedTask[] = []
  const probes: { readonly world: number; readonly planned: PlannedTask }[] = []
  let worlds = worldsOf(kind, world)
  kind.stages.forEach((places, stage) => {
    const drift = kind.drift ?? 0
    if (stage > 0 && drift > 0)
      worlds = worlds.map((one, i) => driftWorld(one, createRng(`${label}/drift/${stage}/${i}`), drift))
    const at = (place: number): World => worlds[place] as World
    const rng = createRng(`${label}/stage/${stage}`)
    const like = (task: HouseRulesTask, part: Omit<Drawn, 'task' | 'example'>): Drawn => {
      const seed = `${label}/example/${stage}/${task.table.name}/${task.instruction}`
      return { task, ...part, example: drawTwin(createRng(seed), at(part.world), task) }
    }
    const own = stage < kind.stages.length - 1 ? kind.probes : 0
    const back = probes.filter((probe) => places.includes(probe.world))
    const draw = (count: number, probe: boolean): Drawn[] =>
      evenly(count, places.length).flatMap((many, i) => {
        const place = places[i] ?? 0
        const part = { world: place, stage, probe, twinOf: null }
        return drawBySkill(rng, at(place), many).map((task) => like(task, part))
      })
    const fresh = draw(kind.perStage - back.length - own, false)
    const ending = draw(own, true)
    // Drawn one by one from their own seeds: what is new in a stage does not depend on the order of the stage before.
    const twins = back.map((probe): Drawn => {
      const { id, task } = probe.planned
      const seed = `${label}/twin/${stage}/${task.table.name}/${task.instruction}`
      const { world: place } = probe
      return like(drawTwin(createRng(seed), at(place), task), {
        ...{ world: place, stage, probe: false, twinOf: getTask(planned, id) },
      })
    })
    const shuffle = createRng(`${label}/order/${order}/${stage}`)
    for (const part of [twins, fresh, ending])
      for (const drawnDraw of shuffle.sample(part, part.length)) {
        const next = { id: `t${planned.length}`, task: drawnDraw.task, known: knownOf(drawnDraw) }
        planned.push(next)
        if (drawnDraw.probe) probes.push({ world: drawnDraw.world, planned: next })
      }
  })
  return planned
}

const getTask = (planned: readonly PlannedTask[], id: string): PlannedTask | null =>
  planned.find((one) => one.id === id) ?? null
