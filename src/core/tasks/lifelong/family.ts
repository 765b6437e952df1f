import type { KnownTask } from '../../../shared/domain/task'
import type { Rng } from '../../ground/random'

/** A kind of lifelong stream: what its world does, and what the agent hears of it. */
export interface LifelongKind {
  /** Unique among the kinds of all families. */
  readonly id: string
  readonly title: string
  /** One sentence, for people. */
  readonly about: string
  /** The worlds that each stage draws its tasks from, by place: 0 is the world that was asked for. */
  readonly stages: readonly (readonly number[])[]
  /** Tasks of a stage. */
  readonly perStage: number
  /** Last tasks of each stage but the last one, whose twins come again in every later stage of their world. */
  readonly probes: number
  /** Share of the rules that change between two stages, unannounced. Default: none. */
  readonly drift?: number
  /** What the agent hears of its rewards: one of ten is the opposite, or only every fifth is told. Default: each, as it is. */
  readonly feedback?: 'noisy' | 'sparse'
  /** Attempts of another agent that the memory starts with, and the share of them that is wrong. Default: it starts empty. */
  readonly given?: { readonly attempts: number; readonly wrong: number }
  /** The kind whose tasks it has, task for task, so that only what is special about it can make a difference. Default: its own. */
  readonly tasksOf?: string
  /** The kind with the same tasks and nothing wrong in what is told or given: damage is counted from it. Default: none. */
  readonly clean?: string
  /** Only there to compare another kind with: it counts in no mean over the suite. Default false. */
  readonly companion?: true
}

/** Generated worlds of one sort, as whole lifetimes are made of them. */
export interface LifelongFamily<World, T> {
  readonly environment: string
  /** Whether the demo model is made for its tasks. */
  readonly demo: boolean
  readonly kinds: readonly LifelongKind[]
  /** The world of a seed text; the same text always gives the same one. */
  createWorld(seed: string): World
  /** Seed text of the world that a person asks for by number. */
  seedOf(world: number): string
  nameOf(world: World): string
  /** The same world with `share` of its rules other than they were, and no name changed. */
  drift(world: World, rng: Rng, share: number): World
  /** `count` tasks, chosen so that any two stretches ask for about the same. */
  draw(rng: Rng, world: World, count: number): T[]
  /** A task that asks the same as another and takes the same rules, as they now are in `world`. */
  twin(rng: Rng, world: World, task: T): T
  /** What tells a task from the others of its stage. */
  markOf(task: T): string
  /** What is known of a task, but for its place in the stream. `example`: another one like it. */
  known(task: T, example: T): Pick<KnownTask, 'rules' | 'path' | 'place' | 'example'>
  /** Tasks as rows of a stream file, under these ids. */
  rows(tasks: readonly { readonly task: T; readonly id: string }[]): readonly object[]
  /** What an agent replies that knows the rules; `{observation}` stands for what it was last answered. */
  solved(task: T): string[]
}
