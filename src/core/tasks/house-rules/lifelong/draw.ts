import type { Rng } from '../../../ground/random'
import { drawTask, SHAPES, type HouseRulesTask } from '../tasks'
import type { World } from '../world'

/** How many of a stretch's tasks need one fact, and how many three; the others need two. As the worlds' own tasks have it. */
const ONE_FACT = 0.26
const THREE_FACTS = 0.23

const shuffled = <T>(rng: Rng, items: readonly T[]): T[] => rng.sample(items, items.length)

/** Takes from `items` in turn, shuffled anew each time around. */
function* inTurn<T>(rng: Rng, items: readonly T[]): Generator<T, never> {
  for (;;) yield* shuffled(rng, items)
}

/**
 * `count` tasks of a world, chosen by skill: its tables in turn, each table's status words in turn, and one, two and three facts in the worlds'
 * own shares, so that any two stretches ask for about the same.
 */
export function drawBySkill(rng: Rng, world: World, count: number): HouseRulesTask[] {
  const [one, three] = [Math.round(count * ONE_FACT), Math.round(count * THREE_FACTS)]
  const facts = shuffled(
    rng,
    Array.from({ length: count }, (_, i) => (i < one ? 1 : i < one + three ? 3 : 2)),
  )
  const tables = inTurn(rng, world.tables)
  const statuses = new Map(world.tables.map(({ kind }) => [kind.table, inTurn(rng, kind.statuses)]))
  const shapes = { 1: inTurn(rng, SHAPES[1]), 2: inTurn(rng, SHAPES[2]), 3: inTurn(rng, SHAPES[3]) }
  return facts.map((needs) => {
    const table = tables.next().value
    const status = statuses.get(table.kind.table)?.next().value
    return drawTask(rng, world, {
      tables: [table],
      shape: shapes[needs].next().value,
      ...(status !== undefined && { status }),
    })
  })
}

/** A task that asks the same as another and takes the same facts, as they now are in `world`, of other rows and in words of its own. */
export function drawTwin(rng: Rng, world: World, { table, shape, status }: HouseRulesTask): HouseRulesTask {
  const rules = world.tables.filter(({ kind }) => kind.table === table.name)
  return drawTask(rng, world, { tables: rules, shape, status })
}
