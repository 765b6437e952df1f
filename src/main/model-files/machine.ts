import { existsSync, readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
import { availableParallelism, cpus, totalmem } from 'node:os'
import { setImmediate as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Machine } from '../../shared/domain/model-advice'
import { LoamError } from '../../shared/errors'
import { readDerived, writeDerived } from '../ground/derived-file'
import { partsOf } from '../gguf/gguf-parts'
import { isBusy } from '../ground/machine'
import { nameOfModel } from '../ground/model-file'

/** What can be told of a machine without starting anything. */
export type BareMachine = Omit<Machine, 'vramBytes' | 'gpu' | 'bandwidth' | 'busy'>

/** Memory of all graphics cards, and what computes on them. */
export interface GraphicsCard {
  readonly bytes: number
  readonly name: string | null
}

/** What the engine says of graphics cards; null where there is none. */
export type GraphicsMemory = () => Promise<GraphicsCard | null>

/** Devices of which Linux has one at least where there is a graphics card that computes. */
const CARD_DEVICES = ['/dev/nvidia0', '/dev/dri', '/dev/kfd', '/dev/dxg']

/** Whether it is worth starting the engine to ask for graphics cards. */
export const mayHaveCard = (
  platform: NodeJS.Platform = process.platform,
  isThere: (path: string) => boolean = existsSync,
): boolean => platform !== 'linux' || CARD_DEVICES.some(isThere)

/** Sets of instructions that make a difference to llama.cpp. */
const INSTRUCTIONS = [
  'avx',
  'avx2',
  'avx512f',
  'avx512_vnni',
  'avx_vnni',
  'amx_tile',
  'fma',
  'asimd',
  'i8mm',
  'sve',
]

/** This machine, as the system tells it. */
export function thisBareMachine(): BareMachine {
  return {
    ramBytes: totalmem(),
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? '',
    instructions: instructionsIn(process.platform === 'linux' ? cpuInfo() : ''),
  }
}

function cpuInfo(): string {
  try {
    return readFileSync('/proc/cpuinfo', 'utf8')
  } catch {
    return ''
  }
}

/** The sets of instructions that matter, of what Linux says of its first processor. */
export function instructionsIn(text: string): string[] {
  const line = text.split('\n').find((one) => /^(?:flags|Features)\s/.test(one)) ?? ''
  const flags = new Set(line.split(/[\s:]+/))
  return INSTRUCTIONS.filter((name) => flags.has(name))
}

const SAMPLE_BYTES = 64 * 1024 * 1024
const SLICE_BYTES = 2 * 1024 * 1024
const SAMPLE_MS = 300
/** The share of slices that are slower than what is told: most are where others work, since they wait for the processor in between. */
const QUANTILE = 0.9

/**
 * Bytes that are read from memory in a second, tried out by copying for a third of a second; others' work goes on in between. Slice by slice, each
 * shorter than the time that a busy processor gives at once, through more than its caches hold.
 */
export async function measureBandwidth(): Promise<number> {
  const [from, to] = [Buffer.alloc(SAMPLE_BYTES, 1), Buffer.alloc(SAMPLE_BYTES)]
  const speeds: number[] = []
  for (const begin = performance.now(); performance.now() - begin < SAMPLE_MS; await pause()) {
    for (let offset = 0; offset < SAMPLE_BYTES; offset += SLICE_BYTES) {
      const at = performance.now()
      from.copy(to, offset, offset, offset + SLICE_BYTES)
      // What is copied is read once and written once.
      speeds.push((2 * SLICE_BYTES * 1000) / (performance.now() - at))
    }
  }
  return speeds.toSorted((a, b) => a - b)[Math.floor(speeds.length * QUANTILE)] ?? 0
}

/** What is known of the machine that models are for. Read once. */
export type MachineFacts = ReturnType<typeof openMachine>

const paceSchema = z.object({
  of: z.string(),
  bandwidth: z.number().positive(),
  /** Whether other programs worked meanwhile. */
  busy: z.boolean(),
})
type MemoryPace = Pick<z.infer<typeof paceSchema>, 'bandwidth' | 'busy'>

/** How it is tried out, and whether other programs work now. */
export interface MemoryTrial {
  measure(): Promise<number>
  isBusy(): boolean
}

/**
 * What was tried out, kept in `file`, so that what is advised does not change from start to start; anew on another machine, where a person asks, and once
 * nobody works where others did.
 */
function openPace(file: string | null, bare: BareMachine, { measure, isBusy }: MemoryTrial) {
  const of = JSON.stringify(bare)
  const isGood = ({ busy }: MemoryPace): boolean => !busy || isBusy()
  let current: Promise<MemoryPace> | null = null
  const anew = async (): Promise<MemoryPace> => {
    const busy = isBusy()
    const pace = { bandwidth: await measure(), busy }
    if (file !== null) await writeDerived(file, { of, ...pace })
    return pace
  }
  const get = async (): Promise<MemoryPace> => {
    const record = file === null ? null : await readDerived(file, paceSchema)
    return record?.of === of && isGood(record) ? record : anew()
  }
  return (isAnew: boolean): Promise<MemoryPace> => {
    if (isAnew) current = anew()
    else current = current?.then((pace) => (isGood(pace) ? pace : get()), get) ?? get()
    return current
  }
}

/**
 * Opens it; nothing is asked before it is needed.
 *
 * @param file where it is kept how fast memory is read; null: nowhere
 */
export function openMachine(
  bare: BareMachine,
  graphics: GraphicsMemory,
  file: string | null = null,
  trial: MemoryTrial = { measure: measureBandwidth, isBusy },
) {
  let cards: ReturnType<GraphicsMemory> | null = null
  const getPace = openPace(file, bare, trial)
  // An engine that cannot be asked is no graphics card.
  const getCards: GraphicsMemory = () => (cards ??= graphics().catch(() => null))
  return {
    /** Memory that models could be in at most, as far as that is known by now. */
    bytes: bare.ramBytes,
    /** `isAnew`: how fast memory is read is tried out again. */
    async read(isAnew = false): Promise<Machine> {
      const card = await getCards()
      const { bandwidth, busy } = await getPace(isAnew)
      return { ...bare, vramBytes: card?.bytes ?? null, gpu: card?.name ?? null, bandwidth, busy }
    },
    /**
     * Refuses a model whose weights alone are more than this machine has memory for: told by sizes, before anything is read.
     * @throws LoamError `MODEL_LOAD`
     */
    async requireRoom(path: string): Promise<void> {
      const sizes = await Promise.all(
        partsOf(path).map(async (part) => (await stat(part).catch(() => null))?.size ?? 0),
      )
      const sizeBytes = sizes.reduce((sum, size) => sum + size, 0)
      if (sizeBytes <= bare.ramBytes * MOST_OF_MEMORY) return
      const vram = (await getCards())?.bytes ?? 0
      if (sizeBytes <= bare.ramBytes * MOST_OF_MEMORY + vram) return
      const has = `${gigabytes(bare.ramBytes)} of memory${vram > 0 ? ` and ${gigabytes(vram)} on the graphics card` : ''}`
      throw new LoamError(
        'MODEL_LOAD',
        `${nameOfModel(path)} does not fit: its weights alone are ${gigabytes(sizeBytes)}, and this machine has ${has}.`,
        {
          suggestion:
            'Choose a smaller model, or a smaller quantization of it; "loam models advise" names some that fit.',
        },
      )
    },
  }
}

/** The system itself needs some. */
const MOST_OF_MEMORY = 0.95

const gigabytes = (bytes: number): string => `${(bytes / 1e9).toFixed(1)} GB`
