import type { SavedPrompt } from '../../../shared/domain/saved-prompt'
import { LoamError } from '../../../shared/errors'
import type { Arguments } from '../arguments'
import type { ReachedHost } from '../own-host'
import type { Command } from './command'

type PromptsClient = Pick<ReachedHost['client']['asks'], 'prompts'>

const isCalled =
  (name: string) =>
  (prompt: SavedPrompt): boolean =>
    prompt.name.toLowerCase() === name.toLowerCase()

/** The saved prompt of a name, however it is capitalised. @throws LoamError `NOT_FOUND` */
export async function promptNamed(name: string, asks: PromptsClient): Promise<SavedPrompt> {
  const prompt = (await asks.prompts()).find(isCalled(name))
  if (prompt) return prompt
  throw new LoamError('NOT_FOUND', `No saved prompt is called “${name}”.`, {
    suggestion: '"loam prompts" lists them.',
  })
}

const nameOf = ({ word }: Arguments, usage: string): string => word(2, `Which prompt? ${usage}`)

/** `loam prompts`. */
export const promptsCommand: Command = async ({ io, host }) => {
  const prompts = await (await host()).client.asks.prompts()
  for (const { name, text } of prompts) io.out(`${name}  ${text.split('\n', 1).join('').slice(0, 80)}`)
  if (prompts.length === 0) io.note('No prompt is saved yet: loam prompts save NAME "TEXT"')
  return { prompts }
}

/** `loam prompts show NAME`: its whole text. */
export const showPrompt: Command = async ({ args, io, host }) => {
  const prompt = await promptNamed(nameOf(args, 'loam prompts show NAME'), (await host()).client.asks)
  io.out(prompt.text)
  return prompt
}

/** `loam prompts save NAME TEXT`; with `--replace` in the place of the one that has the name. */
export const savePrompt: Command = async ({ args, io, host }) => {
  const usage = 'loam prompts save NAME "TEXT"'
  const name = nameOf(args, usage)
  const text = args.word(3, `In which words? ${usage}`)
  const { asks } = (await host()).client
  const before = args.flag('replace') ? (await asks.prompts()).find(isCalled(name)) : undefined
  await asks.savePrompt({ id: before?.id, name, text })
  io.note(`${before ? 'Replaced' : 'Saved'}: loam ask --prompt "${name}"`)
  return promptNamed(name, asks)
}

/** `loam prompts remove NAME`. */
export const removePrompt: Command = async ({ args, io, host }) => {
  const { asks } = (await host()).client
  const prompt = await promptNamed(nameOf(args, 'loam prompts remove NAME'), asks)
  await asks.removePrompt({ id: prompt.id })
  io.out(`${prompt.name} is deleted.`)
  return prompt
}
