import type { LlamaModel, Token } from 'node-llama-cpp'
import type { ChatMessage } from '../../../core/ground/ports'
import { LoamError } from '../../../shared/errors'
import type { ChatTemplate, RenderOptions } from '../../../core/chat-templates/chat-template'
import type { PromptSegment } from '../../../core/chat-templates/template-places'
import type { EngineGenerateRequest } from '../../ground/engine-protocol'
import { REUSE_STEP } from './sequence-pool'

/** A cancel is felt within 300 ms: a piece of the prompt that is being read takes this long at most, about. */
const PIECE_MS = 120
/**
 * On a CPU, llama.cpp's attention takes rows from 64 on by another way, whose last bits differ: below that, how long a piece is changes nothing in
 * what comes out. Seen at temperature 1.5: 10 of 30 replies differed between pieces of 32 and 64 tokens, none between 16, 32 and 48.
 */
const CPU_PIECE = 48
/** A GPU wants long ones. */
const GPU_PIECE = 512
/** Shorter ones would make reading a prompt slower. */
const LEAST_PIECE = 32

/**
 * How many tokens of a prompt are read between two looks at whether it is still wanted: as many as a large model on a slow machine reads in a
 * moment. Always a multiple of the reuse step, and on a CPU never long enough to be worked out in another way.
 */
export class PromptPiece {
  readonly #most: number
  #msPerToken: number | null = null

  constructor(onGpu: boolean) {
    this.#most = onGpu ? GPU_PIECE : CPU_PIECE
  }

  /** The next piece's length. The first is short, since nothing is known yet. */
  get tokens(): number {
    if (this.#msPerToken === null) return Math.min(this.#most, 2 * LEAST_PIECE)
    const fitting = PIECE_MS / this.#msPerToken
    const whole = Math.floor(fitting / REUSE_STEP) * REUSE_STEP
    return Math.min(this.#most, Math.max(LEAST_PIECE, whole))
  }

  /** What reading a token takes now; null while nothing was read. */
  get msPerToken(): number | null {
    return this.#msPerToken
  }

  /** Notes what a piece took; the newest counts most, since a machine may get busy. */
  took(tokens: number, ms: number): void {
    const now = ms / Math.max(1, tokens)
    this.#msPerToken = this.#msPerToken === null ? now : (this.#msPerToken + now) / 2
  }
}

/** Marks where a reply ends in a rendered dialog; a private-use character, which no template writes. */
const END_MARK = '\uE002'

/** A form leaves no place for thoughts, and none for calls of tools. */
const renderOptions = ({ tools, thinking = 'off', constraint }: EngineGenerateRequest): RenderOptions => ({
  ...(tools && { tools }),
  thinking: thinking !== 'off' && constraint === undefined,
  form: constraint !== undefined,
})

/** Turns requests into the exact tokens a model reads. */
export class PromptTokens {
  readonly #addsSpace: boolean
  readonly #softPrompt: readonly Token[]

  /** `softPrompt` are the reserved tokens put first where a request asks for it. */
  constructor(
    private readonly model: LlamaModel,
    private readonly template: ChatTemplate,
    softPrompt: readonly number[] = [],
  ) {
    this.#softPrompt = softPrompt as readonly Token[]
    const ggml = model.fileInfo.metadata.tokenizer?.ggml as Record<string, unknown> | undefined
    this.#addsSpace = model.vocabularyType === 'spm' && ggml?.['add_space_prefix'] !== false
  }

  /**
   * BOS is put first when the model wants it and the template did not write it. A soft prompt comes next, before everything
   * else: models rely on BOS being the very first token.
   */
  of(request: EngineGenerateRequest): Token[] {
    const tokens = this.#plain(request)
    if (request.softPrompt !== true) return tokens
    const at = this.softAt(tokens)
    return [...tokens.slice(0, at), ...this.#softPrompt, ...tokens.slice(at)]
  }

  /** Where in a prompt the soft prompt stands. */
  softAt(prompt: readonly Token[]): number {
    return prompt[0] !== undefined && prompt[0] === this.model.tokens.bos ? 1 : 0
  }

  /** The reply as an assistant's turn, with the token that ends it. */
  reply(messages: readonly ChatMessage[], reply: string): Token[] {
    const end = this.#endOfTurn(messages, reply)
    return [...this.#segment({ kind: 'content', text: reply }), ...(end === null ? [] : [end])]
  }

  /** What the template writes behind a reply, if that ends generation; else the model's own end. */
  #endOfTurn(messages: readonly ChatMessage[], reply: string): Token | null {
    const { eot, eos } = this.model.tokens
    const marked = `${reply.trim()}${END_MARK}`
    const segments = this.template.render([...messages, { role: 'assistant', content: marked }])
    const at = segments.findIndex(({ text }) => text.endsWith(END_MARK))
    const [next] = at < 0 ? [] : segments.slice(at + 1)
    const [token] = next ? this.#segment(next) : []
    return token !== undefined && this.model.isEogToken(token) ? token : (eot ?? eos)
  }

  #plain(request: EngineGenerateRequest): Token[] {
    const { beginning = '', ...whole } = request
    if (beginning !== '')
      return [
        ...this.#plain({ ...whole, thinking: 'off' }),
        ...this.#segment({ kind: 'content', text: beginning }),
      ]
    if (request.rawPrompt === undefined && request.messages.length === 0)
      throw new LoamError('BAD_INPUT', 'There is no message to answer.', {
        suggestion: 'Send at least one message.',
      })
    const tokens =
      request.rawPrompt === undefined
        ? this.template
            .render(request.messages, renderOptions(request))
            .flatMap((segment) => this.#segment(segment))
        : this.model.tokenize(request.rawPrompt)
    const { bos, shouldPrependBosToken } = this.model.tokens
    return shouldPrependBosToken && bos !== null && tokens[0] !== bos ? [bos, ...tokens] : tokens
  }

  /** Tokens of plain text as it stands inside a prompt. */
  count(text: string): number {
    return this.#segment({ kind: 'content', text }).length
  }

  #segment({ kind, text }: PromptSegment): Token[] {
    // SentencePiece vocabularies put a memory before every stretch; between segments there is none.
    return this.model.tokenize(text, kind === 'markup', this.#addsSpace ? 'trimLeadingSpace' : undefined)
  }
}
