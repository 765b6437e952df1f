import type { StreamPage } from '../domain/task'

/** How far a stream's own solutions solve it, in a sentence. */
export function verifiedWords({ at, settings, tried, agree, unknown }: StreamPage['verified']): string {
  const untold = unknown > 0 ? `, ${unknown} cannot be told` : ''
  const tasks = at === null ? 'tried tasks' : 'tasks'
  const how = settings.length > 0 ? ` with ${settings.join(', ')}` : ''
  const when = at === null ? '' : ` (verify-env, ${at.slice(0, 10)}${how})`
  return `${agree} of ${tried} ${tasks} are solved by their own solution${untold}${when}.`
}

/** Who worked on a stream: a line for each method and model, these by what they are called. Default: methods by their ids, models by their files. */
export const workedWords = (
  worked: StreamPage['worked'],
  call: { method(id: string): string; model(file: string): string } = {
    method: (id) => id,
    model: (file) => file,
  },
): string =>
  worked.length === 0
    ? 'Nobody yet.'
    : worked
        .map(
          ({ method, model, runs, tasks, solved }) =>
            `${call.method(method)} with ${call.model(model)}: ${solved} of ${tasks} solved in ${runs} ${runs === 1 ? 'run' : 'runs'}`,
        )
        .join('\n')
