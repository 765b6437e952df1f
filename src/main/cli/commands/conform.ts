import { UsageError } from '../arguments'
import { FailedCheck, type Command } from './command'

/** `loam conform SEAM PATH`: the suite that Loam's own modules of that seam go through. */
export const conformCommand: Command = async ({ args, io }) => {
  const [, seam, source] = args.positionals
  if (seam === undefined || source === undefined)
    throw new UsageError('What should be checked? loam conform SEAM PATH')
  const { conform } = await import('../../conform/conform')
  const checks = await conform(seam, source, ({ name, broken }) =>
    io.out(broken === null ? `ok      ${name}` : `broken  ${name}: ${broken.replace(/\s+/g, ' ')}`),
  )
  const checkResults = checks.filter((one) => one.broken !== null)
  io.note(`${checks.length - checkResults.length} of ${checks.length} rules hold.`)
  const result = { seam, source, checks }
  return checkResults.length === 0 ? result : new FailedCheck(result)
}
