import { EngineModel } from '../adapters/llama/llama-model'
import { LlamaRuntime } from '../adapters/llama/llama-runtime'
import { hasRoomFor, measureFit } from '../adapters/llama/memory-fit'
import { Precedence, type Place } from '../adapters/llama/precedence'
import {
  ENCODER_DEVICE,
  type EngineAnswers,
  type EngineCallKind,
  type EngineEvent,
  type EngineRequest,
} from '../ground/engine-protocol'
import { isGguf } from '../embedders/gguf-embedder'
import { GgufEmbedders } from '../adapters/llama/gguf-embedders'
import { encoderDeviceOf, SentenceEmbedders } from '../adapters/embed/sentence-embedder'
import { LoamError, toErrorShape } from '../../shared/errors'

type Call = Extract<EngineRequest, { kind: EngineCallKind }>

/** Carries out the host's requests. Holds the models it was told to and no state that must survive. */
export class EngineDispatcher {
  readonly #send: (event: EngineEvent) => void
  readonly #running = new Map<
    number,
    { readonly abort: AbortController; readonly trail: string | undefined }
  >()
  readonly #runtime: LlamaRuntime
  readonly #encoders: SentenceEmbedders
  readonly #models = new Map<number, EngineModel>()
  readonly #precedence = new Precedence()
  readonly #ggufEncoders: GgufEmbedders
  #generating = new Set<Promise<unknown>>()
  #changes: Promise<unknown> = Promise.resolve()
  #memorySent = 0
  #elsewhere: Promise<Place> | null = null

  constructor(send: (event: EngineEvent) => void) {
    this.#send = send
    this.#runtime = new LlamaRuntime((level, message) => this.#log(level, message, this.#trails()))
    this.#encoders = new SentenceEmbedders({
      card: encoderDeviceOf(process.env[ENCODER_DEVICE]),
      log: (message) => this.#log('warn', message, this.#trails()),
    })
    this.#ggufEncoders = new GgufEmbedders(this.#runtime, (message) =>
      this.#log('warn', message, this.#trails()),
    )
  }

  /** Takes one request; its answer comes back as an event. `shutdown` is the entry's business. */
  handle(request: EngineRequest): void {
    if (request.kind === 'abort') this.#running.get(request.target)?.abort.abort()
    else if (request.kind === 'hold') this.#hold(request.held)
    else if (request.kind !== 'shutdown') void this.#answer(request)
  }

  /** What is waited for in another process goes before everything here. */
  #hold(isHeld: boolean): void {
    if (isHeld) this.#elsewhere ??= this.#precedence.enter({ first: true })
    else {
      void this.#elsewhere?.then((place) => place.leave())
      this.#elsewhere = null
    }
  }

  async #answer(call: Call): Promise<void> {
    const controller = new AbortController()
    this.#running.set(call.id, { abort: controller, trail: call.trail })
    try {
      const value = await this.#carryOut(call, controller.signal)
      this.#send({ kind: 'answer', id: call.id, value })
    } catch (error) {
      const shape = toErrorShape(error)
      if (!controller.signal.aborted)
        this.#log(
          'warn',
          `The engine could not do it: ${call.kind}, ${shape.code}`,
          call.trail ? [call.trail] : [],
        )
      this.#send({ kind: 'error', id: call.id, error: shape })
    } finally {
      this.#running.delete(call.id)
      this.#reportMemory(call.kind === 'load' || call.kind === 'unload')
    }
  }

  /** The work of all calls under way: what the library says does not tell whose it is. */
  #trails(): string[] {
    return [...new Set([...this.#running.values()].flatMap(({ trail }) => trail ?? []))]
  }

  #log(level: 'warn' | 'error', message: string, trails: readonly string[]): void {
    this.#send({ kind: 'log', level, message, trails })
  }

  async #carryOut(call: Call, signal: AbortSignal): Promise<EngineAnswers[EngineCallKind]> {
    switch (call.kind) {
      case 'load':
        return await this.#change(async () => {
          await this.#drop([...this.#models.keys()].filter((slot) => !call.keep.includes(slot)))
          const model = await EngineModel.load(this.#runtime, call.options, signal, this.#precedence)
          this.#models.set(call.slot, model)
          return model.info
        })
      case 'room':
        return await this.#change(() => hasRoomFor(this.#runtime, call.options, signal))
      case 'fit':
        return await measureFit(this.#runtime, call.options, signal)
      case 'unload':
        return await this.#change(async () => {
          await this.#drop([...this.#models.keys()])
          return null
        })
      case 'generate': {
        const model = this.#loaded(call.slot)
        const batcher = call.stream
          ? new TextBatcher((text) => this.#send({ kind: 'text', id: call.id, text }))
          : null
        const writing = model.generate(call.request, {
          signal,
          onHeld: (isHeld) => this.#send({ kind: 'held', id: call.id, held: isHeld }),
          ...(batcher && { onText: (text: string) => batcher.push(text) }),
        })
        this.#generating.add(writing)
        try {
          return await writing
        } finally {
          this.#generating.delete(writing)
          batcher?.flush()
        }
      }
      case 'count-tokens':
        return this.#loaded(call.slot).countTokens(call.texts)
      case 'tokenize':
        return this.#loaded(call.slot).tokenize(call.messages, call.reply)
      case 'distributions': {
        const scoring = this.#loaded(call.slot).distributions(call.messages, call.reply, call.k, signal)
        this.#generating.add(scoring)
        try {
          return await scoring
        } finally {
          this.#generating.delete(scoring)
        }
      }
      case 'embed':
        return await (isGguf(call.folder) ? this.#ggufEncoders : this.#encoders).embed(
          call.folder,
          call.texts,
          signal,
        )
    }
  }

  /** Loads and unloads happen one after another. */
  #change<T>(work: () => Promise<T>): Promise<T> {
    const next = this.#changes.then(work, work)
    this.#changes = next
    return next
  }

  async #drop(slots: readonly number[]): Promise<void> {
    const models = slots.flatMap((slot) => this.#models.get(slot) ?? [])
    for (const slot of slots) this.#models.delete(slot)
    if (models.length === 0) return
    await Promise.allSettled(this.#generating)
    for (const model of models) await model.dispose()
  }

  #loaded(slot: number): EngineModel {
    const model = this.#models.get(slot)
    if (model) return model
    throw new LoamError('CONFLICT', 'No model is loaded.', { suggestion: 'Load a model first.' })
  }

  #reportMemory(always: boolean): void {
    const now = performance.now()
    if (!always && now - this.#memorySent < 1000) return
    this.#memorySent = now
    this.#send({ kind: 'memory', bytes: process.memoryUsage.rss() })
  }
}

/** Milliseconds between two streamed pieces: smooth to the eye, cheap on the wire. */
const INTERVAL_MS = 30

/** Gathers written text and passes it on at most every 30 ms. */
class TextBatcher {
  readonly #send: (text: string) => void
  #text = ''
  #timer: NodeJS.Timeout | null = null

  constructor(send: (text: string) => void) {
    this.#send = send
  }

  push(text: string): void {
    this.#text += text
    this.#timer ??= setTimeout(() => this.flush(), INTERVAL_MS)
  }

  /** Sends what is left; call it when the writing ends. */
  flush(): void {
    if (this.#timer) clearTimeout(this.#timer)
    this.#timer = null
    if (this.#text === '') return
    const text = this.#text
    this.#text = ''
    this.#send(text)
  }
}
