import type { Llama } from 'node-llama-cpp'
import { LoamError } from '../../../shared/errors'
import type { GpuLayers } from '../../../shared/domain/model'

/** What is known after llama.cpp was started and found itself on the CPU. */
interface GpuAbsence {
  /** Kinds of GPU this machine says it has, such as `cuda`. */
  readonly present: readonly string[]
  /** What was said while it was started, line by line. */
  readonly said: readonly string[]
  readonly platform: NodeJS.Platform
}

const NAMES: Readonly<Record<string, string>> = { cuda: 'CUDA', vulkan: 'Vulkan', metal: 'Metal' }
const nameOf = (kind: string): string => NAMES[kind] ?? kind

/** Why the model works on the CPU although a GPU was asked for where there is one, in words for a person. */
export function explainGpuAbsence({ present, said, platform }: GpuAbsence): string {
  if (present.length === 0) return 'No GPU that llama.cpp can use was found, so it works on the CPU.'
  const names = present.map(nameOf).join(' and ')
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

type LogLevel = 'warn' | 'error'

/** llama.cpp itself, loaded once per kind of device. The last log lines explain a failed load. */
export class LlamaRuntime {
  #current: { readonly kind: 'auto' | 'cpu'; readonly llama: Llama } | null = null
  #lines: string[] = []
  #gpuAbsence: string | null = null

  constructor(private readonly log: (level: LogLevel, message: string) => void) {}

  /** `cpu` never touches a GPU driver: it is the way out after a driver took the engine down. */
  async for(gpuLayers: GpuLayers): Promise<Llama> {
    const kind = gpuLayers === 'cpu' ? 'cpu' : 'auto'
    if (this.#current?.kind === kind) return this.#current.llama
    await this.#current?.llama.dispose()
    this.#current = null
    const { getLlama, getLlamaGpuTypes, LlamaLogLevel } = await import('node-llama-cpp')
    try {
      const messages: string[] = []
      const llama = await overhearing(messages, () =>
        getLlama({
          gpu: kind === 'cpu' ? false : 'auto',
          build: 'never',
          skipDownload: true,
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
        }),
      )
      this.#gpuAbsence = null
      if (kind === 'auto' && llama.gpu === false) {
        const present = (await getLlamaGpuTypes('supported')).filter((type) => type !== false)
        this.#gpuAbsence = explainGpuAbsence({ present, said: messages, platform: process.platform })
      }
      this.#current = { kind, llama }
      return llama
    } catch (error) {
      throw new LoamError('MODEL_LOAD', `llama.cpp did not start: ${String(error)}`, {
        suggestion: 'Set the GPU option to CPU, or reinstall Loam for this machine.',
        underlying: error,
      })
    }
  }

  /** What is running already, else llama.cpp without a GPU: for what does not mind. */
  async current(): Promise<Llama> {
    return this.#current?.llama ?? (await this.for('cpu'))
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
