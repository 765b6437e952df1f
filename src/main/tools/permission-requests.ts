import { randomUUID } from 'node:crypto'
import type { AskPermission, PermissionAnswer } from '../../core/agent/tool-permission'
import { abortError } from '../../core/ground/abort'
import { builtInTool } from './server-specs'
import type { ToolRequest } from '../../shared/domain/tool'
import { LoamError } from '../../shared/errors'
import { Feed, type Watch, type WatchOptions } from '../ground/feed'

const MOST_ARGUMENT_CHARACTERS = 4000

/** Tools that wait for a person's word. */
export interface PermissionRequests {
  /** A port for one run: its questions appear to whoever watches, until they are answered or the run ends. */
  askerFor(from: string): AskPermission
  /** @throws LoamError `NOT_FOUND` when it was answered already or its run has ended */
  answer(id: string, answer: PermissionAnswer): void
  watch(options: WatchOptions): Watch<ToolRequest[]>
  /** Answers everything that waits with no. */
  close(): void
}

interface Waiting {
  readonly request: ToolRequest
  readonly settle: (answer: PermissionAnswer) => void
}

export function openPermissionRequests(): PermissionRequests {
  const waitingMap = new Map<string, Waiting>()
  const getBacklog = (): ToolRequest[] => [...waitingMap.values()].map(({ request }) => request)
  const feed = new Feed(getBacklog)
  let isClosed = false
  return {
    askerFor:
      (from) =>
      ({ tool, args, read }, signal) =>
        new Promise<PermissionAnswer>((resolve, reject) => {
          if (signal?.aborted) return reject(abortError())
          if (isClosed) return resolve('no')
          const id = randomUUID()
          const leave = (): void => {
            signal?.removeEventListener('abort', onAbort)
            waitingMap.delete(id)
            feed.changed()
          }
          const onAbort = (): void => {
            leave()
            reject(abortError())
          }
          signal?.addEventListener('abort', onAbort, { once: true })
          const text = argumentLines(args)
          waitingMap.set(id, {
            request: {
              id,
              from,
              server: tool.server,
              tool: tool.name,
              description: tool.description,
              read: [...read],
              needs: builtInTool(tool.server, tool.name)?.needs ?? null,
              args:
                text.length > MOST_ARGUMENT_CHARACTERS
                  ? `${text.slice(0, MOST_ARGUMENT_CHARACTERS)}\n...`
                  : text,
            },
            settle: (answer) => {
              leave()
              resolve(answer)
            },
          })
          feed.changed()
        }),
    answer(id, answer) {
      const match = waitingMap.get(id)
      if (!match) {
        throw new LoamError('NOT_FOUND', 'Nothing waits for this answer any more.', {
          suggestion: 'It was answered elsewhere, or the run has ended.',
        })
      }
      match.settle(answer)
    },
    watch: (options) => feed.watch(options),
    close() {
      isClosed = true
      for (const { settle } of [...waitingMap.values()]) settle('no')
      feed.close()
    },
  }
}

/** Arguments as a person reads them: code keeps its lines, set in so that none can pass for another argument. */
const argumentLines = (args: Readonly<Record<string, unknown>>): string =>
  Object.entries(args)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .map((line) => (line.includes('\n') ? line.replace(': ', ':\n').replaceAll('\n', '\n  ') : line))
    .join('\n')
