import { driftWorld } from '../drift'
import { openWorldSeed, toEntry } from '../stream'
import type { HouseRulesTask } from '../tasks'
import { createWorld, type World } from '../world'
import type { LifelongFamily } from '../../lifelong/family'
import { livesOf } from '../../lifelong/lives'
import { drawBySkill, drawTwin } from './draw'
import { exampleOf, solvedReplies } from './example'
import { LIFELONG_KINDS } from './kinds'

const ruleKey = ({ worldName, table }: HouseRulesTask, key: string): string =>
  `${worldName}/${table.name}.${key}`

const FAMILY: LifelongFamily<World, HouseRulesTask> = {
  environment: 'lab-db',
  demo: true,
  kinds: LIFELONG_KINDS,
  createWorld,
  seedOf: openWorldSeed,
  nameOf: ({ name }) => name,
  drift: driftWorld,
  draw: drawBySkill,
  twin: drawTwin,
  markOf: ({ table, instruction }) => `${table.name}/${instruction}`,
  known: (task, example) => ({
    rules: task.facts.map(({ key, value }) => ({ key: ruleKey(task, key), name: key, value })),
    path: [...task.facts.map(({ look }) => look), task.sql],
    place: task.worldName,
    example: exampleOf(example),
  }),
  rows: (tasks) => tasks.map(({ task, id }, i) => toEntry(task, i, id)),
  solved: (task) => solvedReplies(task, '{observation}'),
}

/** The streams of the lifelong suite. */
export const lifelong = livesOf(FAMILY)
