import { calibrated } from '../../core/retrieval/calibration'
import { join } from 'node:path'
import { specOf, type AskDetail } from '../../shared/domain/ask'
import type { AskCurve } from '../../shared/domain/ask-curve'
import type { RecallHistory } from '../../shared/domain/recall-history'
import { LoamError } from '../../shared/errors'
import type { Host } from '../host/host'
import { memorySourceOf } from '../items/memory-items'
import type { JudgePorts } from './judge-ask'
import { askCurve } from './ask-curve'
import type { AskStore } from './ask-store'
import type { Asks } from './asks'
import { asksToStreams, type AskStreams } from './asks-to-stream'
import type { AskNeeds } from './play-ask'
import { recallHistory } from './recall-history'

/** What past asks say together. */
export type AskHistory = ReturnType<typeof createAskHistory>

/** Looks at the asks of a host. */
export function createAskHistory(
  host: Host,
  needs: AskNeeds,
  asks: Pick<Asks, 'list' | 'get'>,
  ports: { readonly store: Pick<AskStore, 'givenFolder'> } & Pick<JudgePorts, 'actOut'>,
) {
  const details = (): AskDetail[] => asks.list({ text: '', deleted: false }).map(({ id }) => asks.get(id))
  return {
    /** Everyday work with one memory over time. */
    async curve(memoryId: string, signal?: AbortSignal): Promise<AskCurve> {
      const memory = await needs.memories.open(memoryId)
      const embedder = await calibrated(await host.embedder(), memory, signal)
      return askCurve(details(), memory.id, memorySourceOf(memory), embedder, signal)
    },
    /** What the judged asks of a memory would be shown now of what it held before each. */
    async recalls(memoryId: string, signal?: AbortSignal): Promise<RecallHistory> {
      return recallHistory(details(), await needs.memories.open(memoryId), host, signal)
    },
    /** Makes streams of judged asks, of one memory or all (null). @throws LoamError `BAD_INPUT` when none can be a task */
    async toStreams(title: string, memoryId: string | null): Promise<AskStreams> {
      const own = details().filter(
        ({ ask }) => !ask.temporary && (memoryId === null || ask.spec.memoryId === memoryId),
      )
      const streams = await asksToStreams(own, title, {
        ...needs,
        folder: join(host.data.path, 'streams'),
        givenFolder: ports.store.givenFolder,
        actOut: ({ ask }, attempt, answer) => ports.actOut({ ...ask, spec: specOf(ask, attempt) }, answer),
      })
      if (streams.streams.length > 0) return streams
      const [first] = streams.leftOut
      throw new LoamError(
        'BAD_INPUT',
        first
          ? `None of ${streams.leftOut.length} asks can be a task: ${first.why}`
          : 'Nothing was asked yet.',
        { suggestion: 'Say of some answers whether they were right, then try again.' },
      )
    },
  }
}
