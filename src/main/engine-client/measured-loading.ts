import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { BOUNDS } from '../../shared/domain/bounds'
import type { Settings } from '../../shared/domain/memory-info'
import { modelLoadOptionsSchema, threadCountsSchema, type ModelLoadOptions } from '../../shared/domain/model'
import { createSerial } from '../../shared/serial'
import { readDerived, writeDerived } from '../ground/derived-file'
import { isBusy } from '../ground/machine'
import type { EngineLanguageModel } from './engine-language-model'
import type { EnginePool } from './engine-pool'
import type { LoadOptions } from './held-model'
import type { EngineSupervisor } from './supervisor'

/** How long a measurement counts, in ms: a machine that was busy then may be idle now. */
const GOOD_FOR_MS = 24 * 3_600_000
/** Bytes of weights up to which processes work side by side without being asked to: larger ones wait for memory, whoever works. */
const SMALL = 1e9

const measurementSchema = z.object({
  threads: threadCountsSchema,
  /** Of so many processes at most, how many paid; absent where that was not tried. */
  processes: z.object({ most: z.number(), count: z.number() }).optional(),
  at: z.number(),
  busy: z.boolean(),
})
type Measurement = z.infer<typeof measurementSchema>
const fileSchema = z.object({ processors: z.number(), models: z.record(z.string(), measurementSchema) })

/** What models were found to be fastest with, kept in `file` for a day, so that not every start measures anew. */
function openMeasurements(file: string) {
  const serial = createSerial()
  const load = async (): Promise<z.infer<typeof fileSchema>> => {
    const nothing = { processors: availableParallelism(), models: {} }
    const record = await readDerived(file, fileSchema)
    return record?.processors === nothing.processors ? record : nothing
  }
  /** Null where it was not measured lately, or while the machine was busier or less busy than now. */
  const get = async (path: string): Promise<Measurement | null> => {
    const one = (await load()).models[path]
    return one === undefined || Math.abs(Date.now() - one.at) > GOOD_FOR_MS || one.busy !== isBusy()
      ? null
      : one
  }
  return {
    get,
    /** What cannot be kept is measured again. */
    keep: (path: string, part: Pick<Measurement, 'threads' | 'processes'>): Promise<void> =>
      serial(async () => {
        const { processors, models } = await load()
        const measurement = { ...(await get(path)), ...part, at: Date.now(), busy: isBusy() }
        await writeDerived(file, { processors, models: { ...models, [path]: measurement } })
      }).catch(() => undefined),
  }
}

/** Where engines keep what they worked out of long beginnings of prompts, in a data folder. It may go at any time. */
export const prefixStatesIn = (folder: string): string => join(folder, 'prefix-states')

type Size = Partial<Pick<ModelLoadOptions, 'contextSize' | 'sequences' | 'softPrompt'>>

/**
 * Loads models with the threads and in the processes of the settings. What was measured is kept in `folder`, and so is what was read of long prompts.
 *
 * @param choices what computes, with how many threads and in how many processes, as it is chosen now
 */
export function measuredLoading(
  engine: EngineSupervisor,
  pool: EnginePool,
  folder: string,
  choices: () => Pick<
    Settings,
    | 'gpuLayers'
    | 'gpuBackend'
    | 'flashAttention'
    | 'cacheType'
    | 'threads'
    | 'engineProcesses'
    | 'promptReuse'
  >,
) {
  const measurements = openMeasurements(join(folder, 'threads.json'))
  const prefixStates = prefixStatesIn(folder)
  const oneByOne = createSerial()

  const loadOne = async (path: string, choice: Size, options: LoadOptions) => {
    const { promptReuse: reuse, engineProcesses: _, ...place } = choices()
    const isAuto = place.threads === 'auto'
    const measuredThreads = isAuto ? ((await measurements.get(path))?.threads ?? null) : null
    const target = { path, ...place, measuredThreads, prefixStates, ...choice }
    const model = await engine.loadModel(target, { ...options, reuse })
    const resource = engine.state.models?.find((one) => one.path === path)
    if (isAuto && measuredThreads === null && resource)
      await measurements.keep(path, { threads: resource.threads })
    return { model, resource, target }
  }

  /** `apart`: no two dialogs share a process at a time. */
  const loadSpread = async (path: string, choice: Size, apart: boolean, options: LoadOptions) => {
    const { sequences = 1, ...size } = choice
    const { signal } = options
    const { engineProcesses } = choices()
    const isAuto = engineProcesses === 'auto'
    const most = Math.min(sequences, isAuto ? availableParallelism() : engineProcesses)
    const key = JSON.stringify([path, sequences, apart, engineProcesses, size])
    const before = isAuto ? (await measurements.get(path))?.processes : undefined
    const isKnown = before?.most === most
    let count = pool.countOf(key) ?? (isKnown ? before.count : most)
    for (;;) {
      const own = { ...size, sequences: apart ? 1 : Math.ceil(sequences / count) }
      const { model, resource, target } = await loadOne(path, own, options)
      // A graphics card works on all dialogs in one batch.
      if (count > 1 && (resource?.gpuLayers ?? 0) > 0) count = 1
      else {
        // As much context in each as in the first, and nothing written to the disk by several.
        const { contextSize } = model
        const other = modelLoadOptionsSchema.parse({
          ...{ ...target, contextSize, prefixStates: null },
          measuredThreads: resource?.threads ?? null,
        })
        const isMeasured = !isAuto || isKnown || count < most || most === 1
        const result = await pool.spread(key, model, other, { most: count, isMeasured, signal })
        if (!isMeasured && resource)
          await measurements.keep(path, {
            threads: resource.threads,
            processes: { most, count: result.count },
          })
        if (apart || result.count === count) return result.model
        count = result.count
      }
    }
  }

  return {
    /** Loads one, or answers the loaded one. `apart`: its dialogs at a time never share a batch, so that replies are as if each was alone. */
    async load(
      path: string,
      options: LoadOptions & Size & { readonly apart?: boolean } = {},
    ): Promise<EngineLanguageModel> {
      const { signal, retryAfterCrash, beside, first, lane, apart = false, ...choice } = options
      const own = { signal, retryAfterCrash, beside, first, lane }
      if ((choice.sequences ?? 1) === 1 || first === true || beside === true)
        return (await loadOne(path, choice, own)).model
      return oneByOne(() => loadSpread(path, choice, apart, own))
    },
    /** How many dialogs of one work may go on at a time with a file of so many bytes, so that every processor that helps has one. */
    async atATime(path: string, sizeBytes: number): Promise<number> {
      const { engineProcesses } = choices()
      if (engineProcesses !== 'auto') return engineProcesses
      const most = sizeBytes > SMALL ? 1 : Math.min(availableParallelism(), BOUNDS.engineProcesses[1])
      const before = (await measurements.get(path))?.processes
      return before?.most === most ? before.count : most
    },
  }
}
