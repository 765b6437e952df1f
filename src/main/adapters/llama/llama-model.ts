import type { LlamaContext, LlamaModel, Token } from 'node-llama-cpp'
import type { TeacherDistribution } from '../../../core/soft-prompts/samples'
import type { ChatMessage } from '../../../core/ground/ports'
import type { ModelLoadOptions } from '../../../shared/domain/model'
import { LoamError } from '../../../shared/errors'
import { throwIfAborted } from '../../../core/ground/abort'
import type { ChatTemplate } from '../../../core/chat-templates/chat-template'
import { isLooping, withoutLoop } from '../../../core/ground/replies/loop'
import { chooseTemplate } from './choose-template'
import { openThreadWatch, threadedNativeOf, threadsByWork, threadsFor } from './choose-threads'
import { compileGrammar, type CompiledGrammar } from './grammar'
import { readGgufHere } from '../../gguf/gguf-header'
import { modelTitle, recommendedSampling } from '../../gguf/gguf-words'
import { partsOf } from '../../gguf/gguf-parts'
import { absenceOf } from './gpu-absence'
import { loadError, overflow } from './model-errors'
import type { LlamaRuntime } from './llama-runtime'
import { cacheTypeOf, flashAttentionOf, sizeOf } from './memory-fit'
import { nativeOf, readOutputsInOrder } from './outputs-in-order'
import { PromptTokens, PromptPiece } from './prompt-tokens'
import type {
  EngineGenerateRequest,
  EngineGenerateResult,
  LoadedModelInfo,
  TokenizedReply,
} from '../../ground/engine-protocol'
import { Precedence, type Place } from './precedence'
import { adapted, openPrefixStates, type PrefixStates } from './prefix-states'
import { noteRead, type PooledSequence, REUSE_STEP, SequencePool } from './sequence-pool'
import { StopFilter, TokenText } from './stop-filter'
import { ThoughtWatch } from './thought-watch'

const DEFAULT_MAX_TOKENS = 512
/** A prompt has to leave at least this much room for the reply. */
const LEAST_ROOM = 16
const KEPT_GRAMMARS = 32
/** Tokens after which a reply is looked at again for a loop. */
const LOOP_STEP = 16

export interface EngineCallOptions {
  readonly signal?: AbortSignal
  /** Called with each piece of text as it becomes certain. */
  readonly onText?: (text: string) => void
  /** Called when the reply is held for one that a person waits for, and when it goes on. */
  readonly onHeld?: (held: boolean) => void
}

/** A model and its context inside the engine process. Holds native memory until `dispose`. */
export class EngineModel {
  readonly #prompts: PromptTokens
  readonly #pool: SequencePool
  readonly #piece: PromptPiece
  readonly #grammars = new Map<string, CompiledGrammar>()

  private constructor(
    readonly info: LoadedModelInfo,
    private readonly model: LlamaModel,
    private readonly context: LlamaContext,
    private readonly template: ChatTemplate,
    private readonly precedence: Precedence,
    private readonly lookAgain: ReturnType<typeof openThreadWatch>,
    private readonly states: PrefixStates | null,
    softPrompt?: readonly number[],
  ) {
    this.#prompts = new PromptTokens(model, template, softPrompt)
    this.#pool = new SequencePool(context, canBeCut(model), info.reserve)
    this.#piece = new PromptPiece(model.gpuLayers > 0)
  }

  /**
   * Checks the file, loads it and makes its context, with a sequence for requests that a person waits for where memory allows. Throws `MODEL_*`
   * errors; nothing is left behind on failure. `precedence`: among all models of the engine; default: this one is alone.
   */
  static async load(
    runtime: LlamaRuntime,
    options: ModelLoadOptions,
    signal?: AbortSignal,
    precedence = new Precedence(),
  ): Promise<EngineModel> {
    const { metadata, tensorCount } = await readGgufHere(options.path)
    // llama.cpp maps the later parts itself, so what they say is checked before it does.
    const [, ...later] = partsOf(options.path)
    for (const part of later) await readGgufHere(part)
    if (tensorCount === 0 && later.length === 0)
      throw loadError(options.path, 'it holds a vocabulary but no weights')
    throwIfAborted(signal)
    const llama = await runtime.for(options)
    const { contextSize, reserve } = await sizeOf(runtime, options, signal)
    runtime.takeLines()
    let model: LlamaModel | undefined
    try {
      model = await llama.loadModel({
        modelPath: options.path,
        gpuLayers: options.gpuLayers === 'cpu' ? 0 : options.gpuLayers,
        loadSignal: signal,
      })
      const { threads, speed } = await threadsFor(model, options, signal)
      const context = await model.createContext({
        contextSize,
        sequences: options.sequences + reserve,
        threads: Math.max(threads.reading, threads.writing),
        flashAttention: flashAttentionOf(options),
        ...cacheTypeOf(options),
        ...(options.softPrompt && { lora: options.softPrompt.adapter }),
        // A sliding window forgets the prefix that is to be reused.
        swaFullCache: true,
        createSignal: signal,
      })
      const native = threadsByWork(threadedNativeOf(context), threads)
      readOutputsInOrder(nativeOf(context))
      const template = await chooseTemplate(model.fileInfo, {
        bos: model.tokens.bosString ?? '',
        eos: model.tokens.eosString ?? '',
      })
      const recommended = recommendedSampling(metadata, options.path)
      const info: LoadedModelInfo = {
        name: modelTitle(options.path, metadata),
        ...(recommended && { recommended }),
        path: options.path,
        contextSize: context.contextSize,
        reserve,
        gpu: llama.gpu === false ? 'cpu' : llama.gpu,
        gpuLayers: model.gpuLayers,
        ...(model.gpuLayers > 0 && { cards: await llama.getGpuDeviceNames() }),
        threads,
        ...(speed && { speed }),
        gpuAbsence: absenceOf(options.gpuLayers, model.gpuLayers, runtime.gpuAbsence),
        layout: template.layout,
        templateCan: template.can,
      }
      const lookAgain = openThreadWatch(model, options, native.use.bind(native))
      // What was read under a soft prompt's adapter is of no use without it.
      const states =
        options.prefixStates !== null && options.softPrompt === null && canBeCut(model)
          ? await openPrefixStates(options.prefixStates, options.path, model, context)
          : null
      const softIds = options.softPrompt?.ids
      return new EngineModel(info, model, context, template, precedence, lookAgain, states, softIds)
    } catch (error) {
      await model?.dispose()
      throwIfAborted(signal)
      if (error instanceof LoamError) throw error
      const messages = [
        error instanceof Error ? error.message : String(error),
        ...runtime.takeLines().slice(-3),
      ]
      throw loadError(options.path, messages.join(' | '), error)
    }
  }

  /**
   * Writes a reply. Throws `CONTEXT_OVERFLOW` when the prompt leaves fewer than 16 tokens of room, `GRAMMAR` for a bad
   * constraint and an AbortError when the signal fires.
   */
  async generate(
    request: EngineGenerateRequest,
    options: EngineCallOptions = {},
  ): Promise<EngineGenerateResult> {
    const startTime = performance.now()
    const prompt = this.#prompts.of(request)
    const room = this.info.contextSize - prompt.length
    if (room < LEAST_ROOM) throw overflow(prompt, this.info.contextSize)
    // The last place of the context stays free: filling it would make llama.cpp shift the context.
    const limit = Math.min(request.maxTokens ?? DEFAULT_MAX_TOKENS, room - 1)
    const grammar = request.constraint ? await this.#grammar(request.constraint) : null
    const { first = false, lane = 'run', reuse = 'exact' } = request
    const pooled = await this.#pool.acquire(prompt, { lane, first, reuse }, options.signal)
    let place: Place | null = null
    try {
      place = await this.precedence.enter({ first, signal: options.signal, onHeld: options.onHeld })
      // Nobody waits for it here, and nothing else is worked on.
      if (!first && this.#pool.isAlone) await place.step(() => this.lookAgain(options.signal))
      const reused = await adapted(this.#pool, this.states, pooled, {
        prompt,
        reuse,
        place,
        msPerToken: this.#piece.msPerToken,
      })
      const tail = await this.#evaluatePrompt(pooled, prompt, reused, place, options.signal)
      const output = await this.#write(pooled, prompt, tail, limit, request, grammar, place, options)
      const ms = performance.now() - startTime - place.heldMs
      return {
        text: output.text,
        finish: output.finish,
        usage: {
          promptTokens: prompt.length,
          completionTokens: output.tokens,
          reusedTokens: reused,
          ms,
          ...(output.thoughtTokens > 0 && { thoughtTokens: output.thoughtTokens }),
        },
        tokensPerSecond: output.tokens > 1 ? ((output.tokens - 1) / output.ms) * 1000 : null,
      }
    } catch (error) {
      throwIfAborted(options.signal)
      // Whatever went wrong, the sequence's state is not to be trusted again.
      pooled.exact = 0
      throw error
    } finally {
      place?.leave()
      this.#pool.release(pooled)
    }
  }

  /** A dialog and the reply to it as tokens; the soft prompt is not among them. */
  tokenize(messages: readonly ChatMessage[], reply: string): TokenizedReply {
    const prompt = this.#prompts.of({ messages })
    return { prompt, reply: this.#prompts.reply(messages, reply), softAt: this.#prompts.softAt(prompt) }
  }

  /**
   * The `k` likeliest tokens, with their probabilities, at each token of a reply. Throws `CONTEXT_OVERFLOW` when it does not
   * fit, and an AbortError when the signal fires.
   */
  async distributions(
    messages: readonly ChatMessage[],
    reply: string,
    k: number,
    signal?: AbortSignal,
  ): Promise<TeacherDistribution[]> {
    const prompt = this.#prompts.of({ messages })
    const tokens = this.#prompts.reply(messages, reply)
    if (prompt.length + tokens.length > this.info.contextSize) throw overflow(prompt, this.info.contextSize)
    const pooled = await this.#pool.acquire(prompt, { lane: 'run', first: false, reuse: 'exact' }, signal)
    try {
      const place = await this.precedence.enter({ first: false, signal })
      const reused = await this.#pool.adapt(pooled, prompt)
      const tail = await this.#evaluatePrompt(pooled, prompt, reused, place, signal)
      // The token after the last one is not asked for; each one before predicts its successor.
      const first = tail.length - 1
      const input = [...tail, ...tokens.slice(0, -1)]
      const output = await place.step(() =>
        pooled.sequence.controlledEvaluate(
          input.map((token, index) =>
            index < first ? token : [token, { generateNext: { probabilities: true } }],
          ),
        ),
      )
      throwIfAborted(signal)
      return output
        .slice(first)
        .map((item) => likeliest(item?.next.probabilities ?? new Map<Token, number>(), k))
    } finally {
      pooled.exact = Math.min(pooled.exact, prompt.length)
      this.#pool.release(pooled)
    }
  }

  countTokens(texts: readonly string[]): number[] {
    return texts.map((text) => this.#prompts.count(text))
  }

  async dispose(): Promise<void> {
    await this.context.dispose()
    await this.model.dispose()
  }

  /** Evaluates all of the prompt but a last piece of at least two tokens, which it answers. */
  async #evaluatePrompt(
    pooled: PooledSequence,
    prompt: readonly Token[],
    from: number,
    place: Place,
    signal?: AbortSignal,
  ): Promise<Token[]> {
    let at = from
    while (prompt.length - at > this.#piece.tokens + 1) {
      throwIfAborted(signal)
      const end = at + this.#piece.tokens - (at % REUSE_STEP)
      const piece = prompt.slice(at, end)
      await place.step(async () => {
        const began = performance.now()
        await pooled.sequence.evaluateWithoutGeneratingNewTokens(piece)
        this.#piece.took(piece.length, performance.now() - began)
      })
      at = end
      noteRead(pooled, at)
    }
    throwIfAborted(signal)
    return prompt.slice(at)
  }

  async #write(
    pooled: PooledSequence,
    prompt: readonly Token[],
    tail: Token[],
    limit: number,
    request: EngineGenerateRequest,
    grammar: CompiledGrammar | null,
    place: Place,
    { signal, onText }: EngineCallOptions,
  ): Promise<Written> {
    if (limit <= 0) return { text: '', finish: 'max-tokens', tokens: 0, thoughtTokens: 0, ms: 0 }
    const free = grammar === null && request.rawPrompt === undefined
    const marks = free ? this.template.thoughtMarks : null
    const watch =
      marks &&
      new ThoughtWatch(
        marks,
        request.beginning === undefined ? (request.thinking ?? 'off') : 'off',
        this.model.detokenize(prompt.slice(-8), true),
      )
    // Calls and thoughts are told by marks, which are special tokens in many vocabularies.
    const words = new TokenText(
      this.model,
      prompt,
      free && (marks !== null || (request.tools ?? []).length > 0),
    )
    const ends = [...(grammar?.ends ?? []), ...(free ? this.template.stops : [])]
    const stops = new StopFilter([...(request.stop ?? []), ...ends])
    let text = ''
    const show = (piece: string) => {
      if (piece === '') return
      text += piece
      onText?.(piece)
    }
    show(watch?.opened ?? '')
    let finish: EngineGenerateResult['finish'] | null = null
    let tokens = 0
    let began = performance.now() - place.heldMs
    const { LlamaGrammarEvaluationState } = await import('node-llama-cpp')
    const sampling = {
      temperature: request.temperature ?? 0,
      ...request.sampling,
      seed: request.seed ?? 0,
      ...(grammar && {
        grammarEvaluationState: new LlamaGrammarEvaluationState({
          model: this.model,
          grammar: grammar.grammar,
        }),
      }),
    }
    for (let input: Token[] | null = tail; input !== null;) {
      const evaluated: Token[] = input
      input = null
      for await (const token of place.each(pooled.sequence.evaluate(evaluated, sampling))) {
        if (tokens === 0) {
          noteRead(pooled, prompt.length)
          began = performance.now() - place.heldMs
        }
        throwIfAborted(signal)
        tokens++
        const piece = words.push(token)
        const closing = watch?.push(piece) ?? null
        const { text: label, stop } = stops.push(piece + (closing ?? ''))
        show(label)
        if (tokens % LOOP_STEP === 0 && isLooping(text, request.stopLoops)) finish = 'loop'
        if (stop !== null) finish = ends.includes(stop) ? 'end' : 'stop'
        else if (tokens >= limit) finish = 'max-tokens'
        if (finish !== null) break
        if (closing !== null) {
          // The thought has had its tokens: its end is put in, and the reply goes on from there.
          const end = this.model.tokenize(closing, true)
          tokens += end.length
          input = [token, ...end]
          break
        }
      }
    }
    const ms = performance.now() - place.heldMs - began
    if (finish === null || finish === 'max-tokens') {
      const { text: piece, stop } = stops.push(words.flush())
      show(piece)
      if (stop !== null) finish = 'stop'
      else show(stops.flush())
    }
    if (finish === 'loop') text = withoutLoop(text).text
    return { text, finish: finish ?? 'end', tokens, thoughtTokens: watch?.tokens ?? 0, ms }
  }

  async #grammar(constraint: NonNullable<EngineGenerateRequest['constraint']>): Promise<CompiledGrammar> {
    const key = JSON.stringify(constraint)
    const grammar = this.#grammars.get(key)
    if (grammar) return grammar
    const compiled = await compileGrammar(this.model.llama, constraint)
    const oldest = this.#grammars.keys().next().value
    if (this.#grammars.size >= KEPT_GRAMMARS && oldest !== undefined) this.#grammars.delete(oldest)
    this.#grammars.set(key, compiled)
    return compiled
  }
}

/** Whether what a model holds of a prompt can be cut back to its beginning. */
const canBeCut = ({ fileInsights: { isRecurrent, isHybrid } }: LlamaModel): boolean =>
  !isRecurrent && !isHybrid

/** What was written, and how long it took. */
interface Written {
  readonly text: string
  readonly finish: EngineGenerateResult['finish']
  readonly tokens: number
  readonly thoughtTokens: number
  readonly ms: number
}

function likeliest(probabilities: ReadonlyMap<Token, number>, k: number): TeacherDistribution {
  const rankings = [...probabilities].sort(([, a], [, b]) => b - a).slice(0, k)
  return { ids: rankings.map(([id]) => id), probabilities: rankings.map(([, probability]) => probability) }
}
