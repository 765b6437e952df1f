import type { Llama } from 'node-llama-cpp'
import { LoamError } from '../../../shared/errors'
import type { GpuLayers } from '../../../shared/domain/model'

type LogLevel = 'warn' | 'error'

/** llama.cpp itself, loaded once per kind of device. The last log lines explain a failed load. */
export class LlamaRuntime {
  readonly #log: (level: LogLevel, message: string) => void
  #current: { readonly kind: 'auto' | 'cpu'; readonly llama: Llama } | null = null
  #lines: string[] = []

  constructor(log: (level: LogLevel, message: string) => void) {
    this.#log = log
  }

  /** `cpu` never touches a GPU driver: it is the way out after a driver took the engine down. */
  async for(gpuLayers: GpuLayers): Promise<Llama> {
    const kind = gpuLayers === 'cpu' ? 'cpu' : 'auto'
    if (this.#current?.kind === kind) return this.#current.llama
    await this.#current?.llama.dispose()
    this.#current = null
    const { getLlama, LlamaLogLevel } = await import('node-llama-cpp')
    try {
      const llama = await getLlama({
        gpu: kind === 'cpu' ? false : 'auto',
        build: 'never',
        skipDownload: true,
        progressLogs: false,
        // No limit of its own: the context's thread count is then exactly what was asked for.
        maxThreads: 0,
        logLevel: LlamaLogLevel.warn,
        logger: (level, message) => {
          const line = message.trim()
          if (line === '') return
          this.#lines = [...this.#lines, line].slice(-20)
          this.#log(level === LlamaLogLevel.warn ? 'warn' : 'error', line)
        },
      })
      this.#current = { kind, llama }
      return llama
    } catch (error) {
      throw new LoamError('MODEL_LOAD', `llama.cpp did not start: ${String(error)}`, {
        suggestion: 'Set the GPU option to CPU, or reinstall Loam for this machine.',
        underlying: error,
      })
    }
  }

  /** The latest log lines, oldest first; reading them clears them. */
  takeLines(): string[] {
    const lines = this.#lines
    this.#lines = []
    return lines
  }
}
