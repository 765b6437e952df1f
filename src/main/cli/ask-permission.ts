import type { PermissionAnswer, ToolRequest } from '../../shared/domain/tool'
import { statesOf } from '../../shared/feed'
import type { ConsoleIo } from './console-io'
import type { ReachedHost } from './own-host'

const MOST_ARGUMENT_CHARACTERS = 400

/** What a person is asked before a tool is used: what it needs, and what it would be given. */
export const questionOf = ({ tool, server, needs, args, read }: ToolRequest): string =>
  [
    `Use ${tool} (${server})?`,
    ...(needs === null ? [] : [`  It needs: ${needs}`]),
    ...(read.length === 0
      ? []
      : [`  It changes something, and text that nobody checked was read before: ${read.join(', ')}`]),
    ...args
      .slice(0, MOST_ARGUMENT_CHARACTERS)
      .split('\n')
      .map((line) => `  ${line}`),
    '[o]nce, [a]lways in this run, [N]o: ',
  ].join('\n')

/**
 * Answers what the tools of some runs ask (`isOurs` by the run's id), besides whoever sits at the window of a Loam that is open elsewhere. Where nobody sits
 * at this terminal and there is no window, the answer is no, and how to allow it is said once per tool.
 */
export function answerRequests(
  { client }: Pick<ReachedHost, 'client'>,
  isOurs: (runId: string) => boolean,
  io: Pick<ConsoleIo, 'ask' | 'note'>,
): { stop(): Promise<void> } {
  const over = new AbortController()
  const seenSet = new Set<string>()
  const refused = new Set<string>()
  const answer = async (request: ToolRequest): Promise<PermissionAnswer> => {
    if (io.ask !== null) return answerOf(await io.ask(questionOf(request), over.signal))
    if (!refused.has(request.tool))
      io.note(
        request.read.length > 0
          ? `The tool ${request.tool} was not used: it changes something, and text that nobody checked was read before (${request.read.join(', ')}). Ask at a terminal or in the window, where you can allow it.`
          : `The tool ${request.tool} was not used: nobody allowed it. To allow it: --allow-tools ${request.tool}`,
      )
    refused.add(request.tool)
    return 'no'
  }
  const watch = async (): Promise<void> => {
    if (io.ask === null && (await client.app.info()).host !== 'terminal') return
    for await (const all of statesOf(await client.tools.requests({}, { signal: over.signal }))) {
      for (const request of all.filter(({ id, from }) => isOurs(from) && !seenSet.has(id))) {
        seenSet.add(request.id)
        // Somebody at the window may have answered first; the run itself tells what came of it.
        await client.tools.answer({ id: request.id, answer: await answer(request) }).catch(() => undefined)
      }
    }
  }
  const watching = watch().catch(() => undefined)
  return {
    stop() {
      over.abort()
      return watching
    },
  }
}

function answerOf(text: string): PermissionAnswer {
  switch (text.trim().toLowerCase()[0]) {
    case 'o':
    case 'y':
      return 'once'
    case 'a':
      return 'run'
    default:
      return 'no'
  }
}
