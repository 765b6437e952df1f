import { readFile } from 'node:fs/promises'
import { createRng } from '../../../src/core/ground/random'

/** A published task of LifelongAgentBench's db_bench.json, as far as it is looked at here. */
export interface Entry {
  readonly instruction: string
  readonly answer_info: { readonly sql?: string | null }
}

/** Changes that a tuned model is never shown. */
const HELD_OUT = 38
const SEED = 'tune'

export const PARTS = ['all', 'tuned', 'held-out'] as const
export type Part = (typeof PARTS)[number]

/** Whether a task's solution is one INSERT, UPDATE or DELETE without a SELECT. */
const isChange = ({ answer_info: { sql } }: Entry): boolean =>
  /^\s*(?:INSERT|UPDATE|DELETE)\b/i.test(sql ?? '') && !/\bSELECT\b/i.test(sql ?? '')

export const readEntries = async (path: string): Promise<Entry[]> =>
  Object.values(JSON.parse(await readFile(path, 'utf8')) as Record<string, Entry>)

/** The changes among the tasks, or a part of them, in published order. */
export function changesOf(entries: readonly Entry[], part: Part = 'all'): Entry[] {
  const changes = entries.filter(isChange)
  if (part === 'all') return changes
  const heldOut = new Set(createRng(`${SEED}: changes`).sample(changes, HELD_OUT))
  return changes.filter((entry) => heldOut.has(entry) === (part === 'held-out'))
}

/** Half of all tasks, to tune on: the changes that are not held out, and of the others as many as it takes. */
export function tuningTasks(entries: readonly Entry[]): Entry[] {
  const changes = changesOf(entries, 'tuned')
  const others = entries.filter((entry) => !isChange(entry))
  const half = Math.floor(entries.length / 2)
  return [...changes, ...createRng(`${SEED}: others`).sample(others, Math.max(0, half - changes.length))]
}
