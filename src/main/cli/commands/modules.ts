import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ModuleInfo } from '../../../shared/domain/module'
import type { Arguments } from '../arguments'
import { FailedCheck, type Command } from './command'

const wordsOf = ({ name, seam, version, title, origin, licence, state, problem }: ModuleInfo): string =>
  [
    `${name}  ${seam}  ${state}  ${title} ${version}, ${licence}, from ${origin}`,
    ...(problem ? [`  ${problem.cause} ${problem.suggestion}`] : []),
  ].join('\n')

const nameOf = ({ positionals: [, verb = ''], word }: Arguments): string =>
  word(2, `Which one? loam module ${verb} NAME`)

/** `loam module add PATH|PACKAGE`. */
export const addModule: Command = async ({ args, io, host }) => {
  const source = args.word(2, 'Which one? loam module add PATH|PACKAGE')
  const { client } = await host()
  const module = await client.modules.add({ source: existsSync(source) ? resolve(source) : source })
  io.out(wordsOf(module))
  if (module.state !== 'on')
    io.note(`It is code, and off until you allow it: loam module allow ${module.name}`)
  return module
}

/** `loam module list`. */
export const listModules: Command = async ({ io, host }) => {
  const modules = await (await host()).client.modules.list()
  for (const module of modules) io.out(wordsOf(module))
  if (modules.length === 0) io.note('There are none. loam module add PATH|PACKAGE')
  return { modules }
}

const decideOn =
  (decision: 'allow' | 'deny'): Command =>
  async ({ args, io, host }) => {
    const module = await (await host()).client.modules[decision]({ name: nameOf(args) })
    io.out(wordsOf(module))
    return module
  }

/** `loam module allow NAME`: its code runs inside Loam from now on. */
export const allowModule = decideOn('allow')

/** `loam module deny NAME`. */
export const denyModule = decideOn('deny')

/** `loam module remove NAME`. */
export const removeModule: Command = async ({ args, io, host }) => {
  const name = nameOf(args)
  await (await host()).client.modules.remove({ name })
  io.out(`${name} is removed.`)
  return { name }
}

/** `loam conform SEAM PATH`: the suite that Loam's own modules of that seam go through. */
export const conformCommand: Command = async ({ args, io }) => {
  const hint = 'What should be checked? loam conform SEAM PATH'
  const [seam, source] = [args.word(1, hint), args.word(2, hint)]
  const { conform } = await import('../../conform/conform')
  const checks = await conform(seam, source, ({ name, broken }) =>
    io.out(broken === null ? `ok      ${name}` : `broken  ${name}: ${broken.replace(/\s+/g, ' ')}`),
  )
  const checkResults = checks.filter((one) => one.broken !== null)
  io.note(`${checks.length - checkResults.length} of ${checks.length} rules hold.`)
  const result = { seam, source, checks }
  return checkResults.length === 0 ? result : new FailedCheck(result)
}
