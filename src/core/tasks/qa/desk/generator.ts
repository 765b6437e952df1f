import type { StreamGenerator } from '../../../ground/environment-module'
import { QUESTIONS } from '../entry'
import { drawDeskTasks, rowOf } from './tasks'
import { createDesk, openDeskSeed } from './world'

/** The number of the bundled desk. */
const BUNDLED = 1
const TASKS = 30

const filesOf = (world: number): ReadonlyMap<string, string> => createDesk(openDeskSeed(world)).files

function bundledStreams(): { fileName: string; text: string }[] {
  const header = {
    id: 'desk-a',
    title: 'Questions at a desk',
    description: `${TASKS} questions whose answers stand in several small files each. For planner and executor with the built-in tools.`,
    environment: QUESTIONS,
    licence: 'MIT',
    files: 'desk-a',
  }
  const rows = [{ stream: header }, ...drawDeskTasks(BUNDLED, TASKS).map(rowOf)]
  return [
    { fileName: 'desk-a.jsonl', text: rows.map((row) => `${JSON.stringify(row)}\n`).join('') },
    ...[...filesOf(BUNDLED)].map(([name, text]) => ({ fileName: `desk-a/${name}`, text })),
  ]
}

/** Desks: questions whose answers take two to four calls of tools, over small files. */
export const desks: StreamGenerator = {
  id: 'desks',
  words: {
    title: 'Desks',
    world: 'desk',
    about: 'Questions at a made-up desk, whose answers stand in several of its files.',
  },
  demo: 'desk-a',
  generate: (world, tasks) => drawDeskTasks(world, tasks).map(rowOf),
  files: filesOf,
  bundled: bundledStreams,
  drew: () => false,
}
