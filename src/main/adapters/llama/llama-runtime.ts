import type { Llama } from 'node-llama-cpp'
import { LoamError } from '../../../shared/errors'
import type { GpuBackend, ModelLoadOptions } from '../../../shared/domain/model'
import { findLibraries, useFetchedLibraries } from '../ggml/fetched-libraries'
import { compareWithProcessor, LARGEST_DIFFERENCE } from './gpu-self-test'

/** What is known after llama.cpp was started and found itself on the CPU. */
interface GpuAbsence {
  /** Kinds of GPU this machine says it has, such as `cuda`. */
  readonly present: readonly string[]
  /** What was said while it was started, line by line. */
  readonly said: readonly string[]
  readonly platform: NodeJS.Platform
  /** Kinds of GPU whose libraries are here. Default: all that are present. */
  readonly equipped?: readonly string[]
}

const NAMES: Readonly<Record<string, string>> = { cuda: 'CUDA', vulkan: 'Vulkan', metal: 'Metal' }
const nameOf = (kind: string): string => NAMES[kind] ?? kind

/** Why the model works on the CPU although a GPU was asked for where there is one, in words for a person. */
export function explainGpuAbsence({ present, said, platform, equipped = present }: GpuAbsence): string {
  if (present.length === 0) return 'No GPU that llama.cpp can use was found, so it works on the CPU.'
  const names = present.map(nameOf).join(' and ')
  if (present.every((kind) => !equipped.includes(kind)))
    return `This machine has ${names}, but the libraries for it are not here, so it works on the CPU. They are fetched on the Models screen, or by "loam models gpu ${present[0] ?? ''}".`
  const reason = reasonIn(said)
  const advice =
    platform === 'win32'
      ? ' Updating the graphics driver and the Visual C++ runtime often helps; then start Loam again.'
      : ' Updating the graphics driver often helps; then start Loam again.'
  return `This machine has ${names}, but llama.cpp could not use it${reason === null ? '' : ` (${reason})`}, so it works on the CPU.${advice}`
}

/** The line that says what failed, without what stands before every line and the words for a fallback. */
function reasonIn(messages: readonly string[]): string | null {
  const line =
    messages.find((text) => /failed to load|not compatible|timed out|error/i.test(text)) ?? messages.at(-1)
  if (line === undefined) return null
  const plain = line
    .replace(/\[node-llama-cpp\]\s*/g, '')
    .replace(/,? falling back to using no GPU\.?/i, '')
    .replace(/\s+/g, ' ')
    .trim()
  return plain === '' ? null : plain.slice(0, 240)
}

/** Whether llama.cpp's libraries for a kind of GPU are here; Metal's are part of the Mac's. */
const hasLibraries = (kind: string): boolean =>
  kind === 'metal' ||
  findLibraries(`${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}-${kind}`) !== null

/** Why a graphics card that llama.cpp can use is not used: what came of its self-test, or the reason why nothing did. Null where it may be. */
export function explainGpuRefusal(kind: string, difference: number | string): string | null {
  if (typeof difference === 'number' && difference <= LARGEST_DIFFERENCE) return null
  const what =
    typeof difference === 'number'
      ? `computes something else than the processor (${Math.round(difference * 100)} % of probability lie elsewhere)`
      : `could not be tried out (${difference.slice(0, 240)})`
  return `${nameOf(kind)} ${what}, so models work on the CPU. Updating the graphics driver often helps; then start Loam again.`
}

/** Why the kind of card that a person chose cannot be used, in words. */
function explainBackendRefusal(backend: string, { present, said, equipped = present }: GpuAbsence): string {
  const name = nameOf(backend)
  if (!present.includes(backend)) return `This machine has no ${name} that llama.cpp can use.`
  if (!equipped.includes(backend))
    return `The libraries for ${name} are not here. They are fetched on the Models screen, or by "loam models gpu ${backend}".`
  return `llama.cpp could not use ${name} (${reasonIn(said) ?? 'it does not say why'}).`
}

type LogLevel = 'warn' | 'error'

/** llama.cpp, and why it uses no GPU. */
interface Start {
  readonly llama: Llama
  readonly absence: string | null
}

/** llama.cpp itself, loaded once per kind of device. The last log lines explain a failed load. */
export class LlamaRuntime {
  #current: { readonly kind: GpuBackend | 'cpu'; readonly llama: Llama } | null = null
  #lines: string[] = []
  #gpuAbsence: string | null = null

  constructor(private readonly log: (level: LogLevel, message: string) => void) {}

  /** Layers `cpu` never touch a GPU driver: that is the way out after a driver took the engine down. */
  async for({ gpuLayers, gpuBackend }: Pick<ModelLoadOptions, 'gpuLayers' | 'gpuBackend'>): Promise<Llama> {
    const kind = gpuLayers === 'cpu' ? 'cpu' : gpuBackend
    if (this.#current?.kind === kind) return this.#current.llama
    await this.#current?.llama.dispose()
    this.#current = null
    useFetchedLibraries()
    try {
      const { llama, absence } = kind === 'cpu' ? await this.#onProcessor() : await this.#onCard(kind)
      this.#gpuAbsence = absence
      this.#current = { kind, llama }
      return llama
    } catch (error) {
      if (error instanceof LoamError) throw error
      const { NoBinaryFoundError } = await import('node-llama-cpp')
      if (error instanceof NoBinaryFoundError) throw notHere(error)
      throw new LoamError('MODEL_LOAD', `llama.cpp did not start: ${String(error)}`, {
        suggestion: 'Set the GPU option to CPU, or reinstall Loam for this machine.',
        underlying: error,
      })
    }
  }

  async #onProcessor(absence: string | null = null): Promise<Start> {
    return { llama: await this.#start(false), absence }
  }

  /** On the graphics card where there is one that computes what the processor does; else on the processor. */
  async #onCard(backend: GpuBackend): Promise<Start> {
    const messages: string[] = []
    const starting = overhearing(messages, () => this.#start(backend))
    const llama = backend === 'auto' ? await starting : await this.#chosen(backend, starting, messages)
    if (llama.gpu !== false) {
      const difference = await compareWithProcessor(llama).catch((error: unknown) => String(error))
      const absence = explainGpuRefusal(llama.gpu, difference)
      if (absence === null) return { llama, absence }
      this.log('error', absence)
      await llama.dispose()
      return this.#onProcessor(absence)
    }
    return { llama, absence: explainGpuAbsence(await whatIsThere(messages)) }
  }

  /** What a person chose: nothing else takes its place. */
  async #chosen(backend: string, starting: Promise<Llama>, messages: readonly string[]): Promise<Llama> {
    let reason: unknown = null
    const llama = await starting.catch((error: unknown) => {
      reason = error
      return null
    })
    if (llama?.gpu === backend) return llama
    await llama?.dispose()
    const lines = reason === null ? messages : [...messages, String(reason)]
    throw new LoamError('MODEL_LOAD', explainBackendRefusal(backend, await whatIsThere(lines)), {
      suggestion: `Under Settings, set “Graphics card by” to Automatic, or “GPU layers” to the processor only.`,
      underlying: reason,
    })
  }

  async #start(gpu: GpuBackend | false): Promise<Llama> {
    const { getLlama, LlamaLogLevel } = await import('node-llama-cpp')
    return getLlama({
      ...{ gpu, build: 'never', skipDownload: true },
      // Says why a GPU's part was passed over; nothing is ever built.
      progressLogs: 'stderr',
      // No limit of its own: the context's thread count is then exactly what was asked for.
      maxThreads: 0,
      logLevel: LlamaLogLevel.warn,
      logger: (level, message) => {
        const line = message.trim()
        if (line === '') return
        this.#lines = [...this.#lines, line].slice(-20)
        this.log(level === LlamaLogLevel.warn ? 'warn' : 'error', line)
      },
    })
  }

  /** What is running already, else llama.cpp without a GPU: for what does not mind. */
  async current(): Promise<Llama> {
    return this.#current?.llama ?? (await this.for({ gpuLayers: 'cpu', gpuBackend: 'auto' }))
  }

  /** Why no GPU is used although one was to be; null when one is, or none was wanted. */
  get gpuAbsence(): string | null {
    return this.#gpuAbsence
  }

  /** The latest log lines, oldest first; reading them clears them. */
  takeLines(): string[] {
    const lines = this.#lines
    this.#lines = []
    return lines
  }
}

/** What this machine says it has for models, and what llama.cpp said of it. */
async function whatIsThere(lines: readonly string[]): Promise<GpuAbsence> {
  const { getLlamaGpuTypes } = await import('node-llama-cpp')
  const present = (await getLlamaGpuTypes('supported')).filter((type) => type !== false)
  return { present, said: lines, platform: process.platform, equipped: present.filter(hasLibraries) }
}

const notHere = (error: Error): LoamError =>
  new LoamError(
    'NOT_FOR_THIS_MACHINE',
    `There is no build of llama.cpp for ${process.platform}-${process.arch}, so model files are not worked on here.`,
    {
      suggestion:
        'Connect a server that has a model (Ollama, llama-server, another machine): asks, memory and everything else work with it.',
      underlying: error,
    },
  )

/** Runs something and keeps what it writes to the console meanwhile: node-llama-cpp says there, and only there, what it passed over. */
async function overhearing<T>(messages: string[], work: () => Promise<T>): Promise<T> {
  const own = { error: globalThis.console.error, warn: globalThis.console.warn }
  const hear = (...parts: unknown[]): void =>
    void messages.push(parts.map((part) => (part instanceof Error ? part.message : String(part))).join(' '))
  Object.assign(globalThis.console, { error: hear, warn: hear })
  try {
    return await work()
  } finally {
    Object.assign(globalThis.console, own)
  }
}
