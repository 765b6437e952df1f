import type { StreamGenerator } from '../../ground/environment-module'
import { WORKPLACE } from './environment'
import { workplaceLives } from './lives'
import { generateWorkplaceStream, openWorkplaceSeed } from './tasks'
import { createWorkplace } from './world'

/** The number of the bundled workplace. */
const BUNDLED = 1
const TASKS = 40

function bundledStreams(): { fileName: string; text: string }[] {
  const { name } = createWorkplace(openWorkplaceSeed(BUNDLED))
  const header = {
    id: 'workplace-a',
    title: `Workplace: ${name}`,
    description: `${TASKS} tasks at ${name}, with procedures that stand in a handbook of prose and come again and again.`,
    environment: WORKPLACE,
    licence: 'MIT',
  }
  const rows = [{ stream: header }, ...generateWorkplaceStream(BUNDLED, TASKS)]
  return [{ fileName: 'workplace-a.jsonl', text: rows.map((row) => `${JSON.stringify(row)}\n`).join('') }]
}

/** Workplaces: procedures of made-up places, whose handbook is prose. */
export const workplaces: StreamGenerator = {
  id: 'workplaces',
  words: {
    title: 'Workplaces',
    world: 'workplace',
    about: 'Tasks of several steps at a made-up workplace, whose procedures stand in a handbook of prose.',
  },
  demo: 'workplace-a',
  generate: generateWorkplaceStream,
  bundled: bundledStreams,
  lifelong: workplaceLives,
  drew: () => false,
}
