import { findEnvironment } from '../../core/tasks'
import type { Task } from '../../shared/domain/task'
import { LoamError } from '../../shared/errors'

/** Why a person's words cannot be acted out. */
export const cannotAct = (cause: string): LoamError =>
  new LoamError('BAD_INPUT', cause, {
    suggestion: 'Write it as the world takes it, or leave it empty and only say whether it was right.',
  })

/** Writes what a world's action takes, and its answer. @throws LoamError `BAD_INPUT` for a world whose actions take more than one thing */
export function writerOf(task: Task): { act(text: string): string; end(text: string): string } {
  const module = findEnvironment(task.environment)
  const single = module.actions(task).flatMap(({ name, inputSchema }) => {
    const [key, ...more] = keysOf(inputSchema)
    return key === undefined || more.length > 0 ? [] : [{ name, key }]
  })
  const act = single.find(({ name }) => name !== 'answer')
  const end = single.find(({ name }) => name === 'answer')
  if (!act || !end)
    throw cannotAct(`In ${module.words.title.toLowerCase()} an answer cannot be written by hand yet.`)
  return {
    act: (text) => module.writeAction(act.name, { [act.key]: text }),
    end: (text) => module.writeAction(end.name, { [end.key]: text }),
  }
}

/** What a person wrote as a reply in the world; who knows the world's own form may write in it. */
export const inWorldForm = (task: Task, text: string): string =>
  /^Action: /m.test(text) ? text : writerOf(task).act(text)

const keysOf = (schema: Readonly<Record<string, unknown>>): string[] => {
  const { properties } = schema
  return typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
}
