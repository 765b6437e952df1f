import { projectSettingsSchema, type ProjectSettings } from '../../../shared/domain/ask'
import { BOUNDS } from '../../../shared/domain/bounds'
import { UsageError, type Arguments } from '../arguments'
import type { Command } from './command'

/** How an ask, or each answer of a project, is to be given, as far as the options say it. */
export function answerSettings(args: Arguments): Partial<Omit<ProjectSettings, 'name'>> {
  const settings = {
    instructions: args.text('instructions'),
    temperature: args.decimal('temperature', BOUNDS.temperature),
    topP: args.decimal('top-p', BOUNDS.topP),
    maxTokens: args.whole('max-tokens', BOUNDS.askTokens),
  }
  return Object.fromEntries(Object.entries(settings).filter(([, value]) => value !== undefined))
}

/** `loam projects`: how the asks of each project are answered, where that was said. */
export const projectsCommand: Command = async ({ io, host }) => {
  const projects = await (await host()).client.asks.projects()
  for (const project of projects) io.out(`${project.name}  ${settingWords(project)}`)
  if (projects.length === 0) io.note('No project has settings of its own: loam projects set NAME')
  return { projects }
}

/** `loam projects set NAME`: changes what the options say and leaves the rest. */
export const setProject: Command = async ({ args, io, host }) => {
  const name = args.word(2, 'Which project? loam projects set NAME')
  const changes = answerSettings(args)
  if (Object.keys(changes).length === 0)
    throw new UsageError('Set what? --instructions, --temperature, --top-p or --max-tokens')
  const { asks } = (await host()).client
  const before = (await asks.projects()).find((project) => project.name === name)
  const settings = projectSettingsSchema.parse({ ...(before ?? { name }), ...changes })
  await asks.setProject(settings)
  io.out(`${name}  ${settingWords(settings)}`)
  return settings
}

/** `loam projects rename NAME NEW-NAME`. */
export const renameProject: Command = async ({ args, io, host }) => {
  const usage = 'Which project, and how? loam projects rename NAME NEW-NAME'
  const [from, name] = [args.word(2, usage), args.word(3, usage)]
  await (await host()).client.asks.renameProject({ from, name })
  io.out(`${from} is called ${name} now.`)
  return { from, name }
}

/** `loam projects reset NAME`: its asks are answered as those of no project. */
export const resetProject: Command = async ({ args, io, host }) => {
  const name = args.word(2, 'Which project? loam projects reset NAME')
  await (await host()).client.asks.setProject({ name })
  io.out(`${name} has no settings of its own any more.`)
  return { name }
}

function settingWords({ instructions, temperature, topP, maxTokens }: ProjectSettings): string {
  const words = [
    ...(temperature === null ? [] : [`temperature ${temperature}`]),
    ...(topP === null ? [] : [`top-p ${topP}`]),
    ...(maxTokens === null ? [] : [`at most ${maxTokens} tokens`]),
    ...(instructions === '' ? [] : [`instructions: ${instructions.split('\n', 1).join('').slice(0, 80)}`]),
  ]
  return words.length === 0 ? 'as suits the model' : words.join(', ')
}
