import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import type { ModuleInfo } from '../../../shared/domain/module'
import { UsageError, type Arguments } from '../arguments'
import type { Command } from './command'

const wordsOf = ({ name, seam, version, title, origin, licence, state, problem }: ModuleInfo): string =>
  [
    `${name}  ${seam}  ${state}  ${title} ${version}, ${licence}, from ${origin}`,
    ...(problem ? [`  ${problem.cause} ${problem.suggestion}`] : []),
  ].join('\n')

const nameOf = ({ positionals: [, verb = '', name] }: Arguments): string => {
  if (name === undefined) throw new UsageError(`Which one? loam module ${verb} NAME`)
  return name
}

/** `loam module add PATH|PACKAGE`. */
export const addModule: Command = async ({ args, io, host }) => {
  const [, , source] = args.positionals
  if (source === undefined) throw new UsageError('Which one? loam module add PATH|PACKAGE')
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

/** `loam module allow NAME`: its code runs inside Loam from now on. */
export const allowModule: Command = async ({ args, io, host }) => {
  const module = await (await host()).client.modules.allow({ name: nameOf(args) })
  io.out(wordsOf(module))
  return module
}

/** `loam module deny NAME`. */
export const denyModule: Command = async ({ args, io, host }) => {
  const module = await (await host()).client.modules.deny({ name: nameOf(args) })
  io.out(wordsOf(module))
  return module
}

/** `loam module remove NAME`. */
export const removeModule: Command = async ({ args, io, host }) => {
  const name = nameOf(args)
  await (await host()).client.modules.remove({ name })
  io.out(`${name} is removed.`)
  return { name }
}
