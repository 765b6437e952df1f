import { stat } from 'node:fs/promises'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { BOUNDS } from '../../shared/domain/bounds'
import type { Settings } from '../../shared/domain/memory-info'
import {
  modelLoadOptionsSchema,
  modelSpeedSchema,
  threadCountsSchema,
  type ModelInfo,
  type ModelLoadOptions,
} from '../../shared/domain/model'
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
  /** Which file and what computes: another file at the same place, or other settings, and nothing of it counts. */
  of: z.string(),
  threads: threadCountsSchema,
  /** Absent where it was not tried, as for tiny models. Counts longer than the rest: it says when it was. */
  speed: modelSpeedSchema.optional(),
  /** Of so many processes at most, how many paid; absent where that was not tried. */
  processes: z.object({ most: z.number(), count: z.number() }).optional(),
  at: z.number(),
  busy: z.boolean(),
})
type Measurement = z.infer<typeof measurementSchema>
const fileSchema = z.object({ machine: z.string(), models: z.record(z.string(), measurementSchema) })

/**
 * What models were found to be fastest with, and how fast, kept in `file`, so that not every start measures anew.
 *
 * @param machine tells machines apart
 * @param place what computes
 */
function openMeasurements(file: string, machine: string, place: () => string) {
  const serial = createSerial()
  const load = async (): Promise<z.infer<typeof fileSchema>> => {
    const record = await readDerived(file, fileSchema)
    return record?.machine === machine ? record : { machine, models: {} }
  }
  const keyOf = async (path: string): Promise<string> => {
    const file = await stat(path).catch(() => null)
    return JSON.stringify([file?.size, file?.mtimeMs, place()])
  }
  const latest = async (path: string, from = load()): Promise<Measurement | null> => {
    const one = (await from).models[path]
    return one !== undefined && one.of === (await keyOf(path)) ? one : null
  }
  /** Null where it was not measured lately, or while the machine was busier or less busy than now. */
  const get = async (path: string): Promise<Measurement | null> => {
    const one = await latest(path)
    return one === null || Math.abs(Date.now() - one.at) > GOOD_FOR_MS || one.busy !== isBusy() ? null : one
  }
  return {
    get,
    /** The same models, with how fast each was when that was last tried. */
    async withSpeeds(models: readonly ModelInfo[]): Promise<ModelInfo[]> {
      const from = load()
      return Promise.all(
        models.map(async (model) => {
          const speed = (await latest(model.path, from))?.speed
          return speed ? { ...model, speed } : model
        }),
      )
    },
    /** What cannot be kept is measured again. */
    keep: (path: string, part: Pick<Measurement, 'threads' | 'speed' | 'processes'>): Promise<void> =>
      serial(async () => {
        const { models } = await load()
        const before = (await latest(path))?.speed
        // What others' work left over says less than what was tried while nobody worked.
        const speed = part.speed && (!part.speed.busy || before?.busy !== false) ? part.speed : before
        const measurement = {
          ...(await get(path)),
          ...part,
          ...(speed && { speed }),
          ...{ of: await keyOf(path), at: Date.now(), busy: isBusy() },
        }
        await writeDerived(file, { machine, models: { ...models, [path]: measurement } })
      }).catch(() => undefined),
  }
}

/** Where engines keep what they worked out of long beginnings of prompts, in a data folder. It may go at any time. */
export const prefixStatesIn = (folder: string): string => join(folder, 'prefix-states')

type Size = Partial<Pick<ModelLoadOptions, 'contextSize' | 'sequences' | 'softPrompt'>>

/**
 * Loads models with the threads and in the processes of the settings. What was measured is kept in `folder`, and so is what was read of long prompts.
 *
 * @param machine tells machines apart: what was measured on another one does not count
 * @param choices what computes, with how many threads and in how many processes, as it is chosen now
 */
export function measuredLoading(
  engine: EngineSupervisor,
  pool: EnginePool,
  folder: string,
  machine: string,
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
  const measurements = openMeasurements(join(folder, 'threads.json'), machine, () => {
    const { promptReuse: _, engineProcesses: __, ...place } = choices()
    return JSON.stringify(place)
  })
  const prefixStates = prefixStatesIn(folder)
  const oneByOne = createSerial()

  const loadOne = async (path: string, choice: Size, options: LoadOptions) => {
    const { promptReuse: reuse, engineProcesses: _, ...place } = choices()
    const measuredThreads = (await measurements.get(path))?.threads ?? null
    const target = { path, ...place, measuredThreads, wantsSpeed: true, prefixStates, ...choice }
    const model = await engine.loadModel(target, { ...options, reuse })
    const resource = engine.state.models?.find((one) => one.path === path)
    if (measuredThreads === null && resource)
      await measurements.keep(path, { threads: resource.threads, speed: resource.speed })
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
    withSpeeds: measurements.withSpeeds,
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
