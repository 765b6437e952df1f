import { stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { LoamError } from '../../../shared/errors'
import type { Command } from './command'

/** `loam export`: a space as JSON lines. */
export const exportCommand: Command = async ({ args, io, app }) => {
  args.only('export', 'space', 'out')
  const folder = resolve(args.required('space'))
  const out = args.required('out')
  // Opening would make a space of any empty folder; exporting must not.
  await stat(join(folder, 'space.json')).catch(() => {
    throw new LoamError('NOT_FOUND', `There is no space in ${folder}.`, {
      suggestion: 'Name the folder of a space.',
    })
  })
  const loam = await app()
  let lines = 0
  const path = await loam.spaces.exportFile(folder, out, {
    signal: io.signal,
    onLine(count) {
      lines = count
      io.status(`${count} lines`)
    },
  })
  const { cases, trajectories } = await (await loam.spaces.open(folder)).info()
  io.out(`Wrote ${trajectories} attempts and ${cases} cases to ${path}`)
  return { path, lines, trajectories, cases }
}
