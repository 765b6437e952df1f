import { mergeShards } from '../../experiments/merge-shards'
import { UsageError } from '../arguments'
import type { Command } from './command'

/** `loam experiments merge FOLDER...`: parts that were played elsewhere become one experiment here. */
export const mergeExperimentCommand: Command = async ({ args, io, app }) => {
  const folders = args.positionals.slice(2)
  if (folders.length === 0) throw new UsageError('Which data folders? loam experiments merge FOLDER...')
  const { data, experiments, runs } = await app()
  const knownSet = new Set(experiments.list().map(({ id }) => id))
  const knownRuns = new Set(runs.list().map(({ id }) => id))
  const merged = await mergeShards(data.path, folders)
  if (knownSet.has(merged.id)) await experiments.forget(merged.id)
  for (const runId of await experiments.adopt(merged.id))
    if (!knownRuns.has(runId) && !merged.missing.some((key) => runId.endsWith(`-${key}`)))
      await runs.adopt(runId)
  io.out(
    `${merged.id}: ${merged.cells} cells are here${merged.missing.length === 0 ? '' : `, missing: ${merged.missing.join(', ')}`}.`,
  )
  return merged
}
