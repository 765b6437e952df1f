import { createRng } from '../../ground/random'
import type { KnownTask } from '../../../shared/domain/task'
import type { LifelongFamily, LifelongKind } from './family'

/** Which lifelong stream: the same three make the same tasks, in the same order, everywhere. */
export interface Life {
  readonly kind: LifelongKind
  /** The world, as of any generated stream. */
  readonly world: number
  /** The order of the tasks within their stages. */
  readonly order: number
}

/** A task with its place in the stream. */
export interface PlannedTask<T> {
  readonly id: string
  readonly task: T
  readonly known: KnownTask
}

type Drawn<T> = Omit<PlannedTask<T>, 'id' | 'known'> & {
  /** The place of its world. */
  readonly world: number
  readonly stage: number
  readonly probe: boolean
  readonly twinOf: PlannedTask<T> | null
  /** Another one like it. */
  readonly example: T
}

/** The worlds of a stream as they begin, by place. Names differ, so that a task says which one it is of. */
export function worldsOf<W, T>(
  { createWorld, seedOf, nameOf }: LifelongFamily<W, T>,
  { stages }: LifelongKind,
  world: number,
): W[] {
  const worlds = [createWorld(seedOf(world))]
  for (let place = 1; place <= Math.max(...stages.flat()); place++)
    for (let draw = 0; worlds.length === place; draw++) {
      const other = createWorld(`${seedOf(world)}/${place}.${draw}`)
      if (worlds.every((one) => nameOf(one) !== nameOf(other))) worlds.push(other)
    }
  return worlds
}

function knownOf<W, T>(
  family: LifelongFamily<W, T>,
  { task, stage, probe, twinOf, example }: Drawn<T>,
): KnownTask {
  const { rules, ...others } = family.known(task, example)
  const before = new Map(twinOf?.known.rules.map(({ key, value }) => [key, value]))
  return {
    stage,
    probe,
    twinOf: twinOf?.id ?? null,
    changed: twinOf !== null && rules.some(({ key, value }) => before.get(key) !== value),
    rules,
    ...others,
  }
}

/** Numbers that add up to `count` and differ by at most one. */
const evenly = (count: number, over: number): number[] =>
  Array.from({ length: over }, (_, i) => Math.floor((count + i) / over))

/**
 * The tasks of a stream in the order they are played. Which tasks a stage has follows from kind and world alone; `order` decides how they
 * follow each other within its three parts: twins of earlier probes, new tasks, and its own probes.
 */
export function planTasks<W, T>(
  family: LifelongFamily<W, T>,
  { kind, world, order }: Life,
): PlannedTask<T>[] {
  const label = `lifelong/${kind.tasksOf ?? kind.id}/${world}`
  const planned: PlannedTask<T>[] = []
  const probes: { readonly world: number; readonly planned: PlannedTask<T> }[] = []
  let worlds = worldsOf(family, kind, world)
  kind.stages.forEach((places, stage) => {
    const drift = kind.drift ?? 0
    if (stage > 0 && drift > 0)
      worlds = worlds.map((one, i) => family.drift(one, createRng(`${label}/drift/${stage}/${i}`), drift))
    const at = (place: number): W => worlds[place] as W
    const rng = createRng(`${label}/stage/${stage}`)
    const like = (task: T, part: Omit<Drawn<T>, 'task' | 'example'>): Drawn<T> => {
      const seed = `${label}/example/${stage}/${family.markOf(task)}`
      return { task, ...part, example: family.twin(createRng(seed), at(part.world), task) }
    }
    const own = stage < kind.stages.length - 1 ? kind.probes : 0
    const back = probes.filter((probe) => places.includes(probe.world))
    const draw = (count: number, probe: boolean): Drawn<T>[] =>
      evenly(count, places.length).flatMap((many, i) => {
        const place = places[i] ?? 0
        const part = { world: place, stage, probe, twinOf: null }
        return family.draw(rng, at(place), many).map((task) => like(task, part))
      })
    const fresh = draw(kind.perStage - back.length - own, false)
    const ending = draw(own, true)
    // Drawn one by one from their own seeds: what is new in a stage does not depend on the order of the stage before.
    const twins = back.map((probe): Drawn<T> => {
      const { id, task } = probe.planned
      const seed = `${label}/twin/${stage}/${family.markOf(task)}`
      const { world: place } = probe
      return like(family.twin(createRng(seed), at(place), task), {
        ...{ world: place, stage, probe: false, twinOf: planned.find((one) => one.id === id) ?? null },
      })
    })
    const shuffle = createRng(`${label}/order/${order}/${stage}`)
    for (const part of [twins, fresh, ending])
      for (const drawnDraw of shuffle.sample(part, part.length)) {
        const next = {
          id: `t${planned.length}`,
          task: drawnDraw.task,
          known: knownOf(family, drawnDraw),
        }
        planned.push(next)
        if (drawnDraw.probe) probes.push({ world: drawnDraw.world, planned: next })
      }
  })
  return planned
}
