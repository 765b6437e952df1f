import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import type { Settings } from '../../shared/domain/memory-info'
import { threadCountsSchema, type ModelLoadOptions, type ThreadCounts } from '../../shared/domain/model'
import { createSerial } from '../../shared/serial'
import { readDerived, writeDerived } from '../ground/derived-file'
import { isBusy } from '../ground/machine'
import type { LoadOptions } from './held-model'
import type { EngineSupervisor } from './supervisor'

/** How long a measurement counts, in ms: a machine that was busy then may be idle now. */
const GOOD_FOR_MS = 24 * 3_600_000

const fileSchema = z.object({
  processors: z.number(),
  models: z.record(z.string(), z.object({ threads: threadCountsSchema, at: z.number(), busy: z.boolean() })),
})
type Measurements = z.infer<typeof fileSchema>

/** The threads that models were found to be fastest with, kept in `file` for a day, so that not every start measures anew. */
function openMeasuredThreads(file: string) {
  const serial = createSerial()
  const load = async (): Promise<Measurements> => {
    const nothing = { processors: availableParallelism(), models: {} }
    const record = await readDerived(file, fileSchema)
    return record?.processors === nothing.processors ? record : nothing
  }
  return {
    /** Null where it was not measured lately, or while the machine was busier or less busy than now. */
    async get(path: string): Promise<ThreadCounts | null> {
      const one = (await load()).models[path]
      return one === undefined || Math.abs(Date.now() - one.at) > GOOD_FOR_MS || one.busy !== isBusy()
        ? null
        : one.threads
    },
    keep: (path: string, threads: ThreadCounts): Promise<void> =>
      serial(async () => {
        const { processors, models } = await load()
        await writeDerived(file, {
          processors,
          models: { ...models, [path]: { threads, at: Date.now(), busy: isBusy() } },
        })
      }),
  }
}

/** Where engines keep what they worked out of long beginnings of prompts, in a data folder. It may go at any time. */
export const prefixStatesIn = (folder: string): string => join(folder, 'prefix-states')

/**
 * Loads models with the threads of the settings. What was measured is kept in `folder`, and so is what was read of long prompts.
 *
 * @param choices what computes, and with how many threads, as it is chosen now
 */
export function threadedLoading(
  engine: EngineSupervisor,
  folder: string,
  choices: () => Pick<
    Settings,
    'gpuLayers' | 'gpuBackend' | 'flashAttention' | 'cacheType' | 'threads' | 'promptReuse'
  >,
) {
  const measurements = openMeasuredThreads(join(folder, 'threads.json'))
  const prefixStates = prefixStatesIn(folder)
  return async (
    path: string,
    {
      signal,
      retryAfterCrash,
      beside,
      first,
      lane,
      ...choice
    }: LoadOptions & Partial<Pick<ModelLoadOptions, 'contextSize' | 'sequences' | 'softPrompt'>> = {},
  ) => {
    const { promptReuse: reuse, ...place } = choices()
    const { threads } = place
    const measuredThreads = threads === 'auto' ? await measurements.get(path) : null
    const model = await engine.loadModel(
      { path, ...place, measuredThreads, prefixStates, ...choice },
      { signal, retryAfterCrash, beside, first, lane, reuse },
    )
    const now = engine.state.models?.find((one) => one.path === path)?.threads
    // What cannot be kept is measured again.
    if (threads === 'auto' && measuredThreads === null && now !== undefined)
      await measurements.keep(path, now).catch(() => undefined)
    return model
  }
}
