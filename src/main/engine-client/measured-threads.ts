import { readFile } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { z } from 'zod'
import type { Settings } from '../../shared/domain/memory-info'
import type { ModelLoadOptions } from '../../shared/domain/model'
import { createSerial } from '../../shared/serial'
import { replaceJson } from '../ground/atomic-file'
import type { LoadOptions } from './held-model'
import type { EngineSupervisor } from './supervisor'

/** How long a measurement counts, in ms: a machine that was busy then may be idle now. */
const GOOD_FOR_MS = 24 * 3_600_000

const fileSchema = z.object({
  processors: z.number(),
  models: z.record(z.string(), z.object({ threads: z.number().int().min(1), at: z.number() })),
})
type Measurements = z.infer<typeof fileSchema>

/** The threads that models were found to be fastest with, kept in `file` for a day, so that not every start measures anew. */
function openMeasuredThreads(file: string) {
  const serial = createSerial()
  const load = async (): Promise<Measurements> => {
    const nothing = { processors: availableParallelism(), models: {} }
    try {
      const record = fileSchema.parse(JSON.parse(await readFile(file, 'utf8')))
      return record.processors === nothing.processors ? record : nothing
    } catch {
      return nothing
    }
  }
  return {
    /** Null where it was not measured lately. */
    async get(path: string): Promise<number | null> {
      const one = (await load()).models[path]
      return one === undefined || Date.now() - one.at > GOOD_FOR_MS ? null : one.threads
    },
    keep: (path: string, threads: number): Promise<void> =>
      serial(async () => {
        const { processors, models } = await load()
        await replaceJson(file, { processors, models: { ...models, [path]: { threads, at: Date.now() } } })
      }),
  }
}

/**
 * Loads models with the threads of the settings, and keeps what was measured in `file`.
 *
 * @param choices GPU layers and threads as they are chosen now
 */
export function threadedLoading(
  engine: EngineSupervisor,
  file: string,
  choices: () => Pick<Settings, 'gpuLayers' | 'threads'>,
) {
  const measurements = openMeasuredThreads(file)
  return async (
    path: string,
    {
      signal,
      retryAfterCrash,
      beside,
      first,
      ...choice
    }: LoadOptions & Partial<Pick<ModelLoadOptions, 'contextSize' | 'sequences' | 'softPrompt'>> = {},
  ) => {
    const { threads, gpuLayers } = choices()
    const measuredThreads = threads === 'auto' ? await measurements.get(path) : null
    const model = await engine.loadModel(
      { path, gpuLayers, threads, measuredThreads, ...choice },
      { signal, retryAfterCrash, beside, first },
    )
    const now = engine.state.models?.find((one) => one.path === path)?.threads
    // What cannot be kept is measured again.
    if (threads === 'auto' && measuredThreads === null && now !== undefined)
      await measurements.keep(path, now).catch(() => undefined)
    return model
  }
}
