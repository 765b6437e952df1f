import type { LlamaModel, Token } from 'node-llama-cpp'
import { LoamError } from '../../../shared/errors'
import type { ChatTemplate, PromptSegment } from './chat-template'
import type { EngineGenerateRequest } from './protocol'

/** Turns requests into the exact tokens a model reads. */
export class PromptTokens {
  readonly #model: LlamaModel
  readonly #template: ChatTemplate
  readonly #addsSpace: boolean

  constructor(model: LlamaModel, template: ChatTemplate) {
    this.#model = model
    this.#template = template
    const ggml = model.fileInfo.metadata.tokenizer?.ggml as Record<string, unknown> | undefined
    this.#addsSpace = model.vocabularyType === 'spm' && ggml?.['add_space_prefix'] !== false
  }

  /** BOS is put first when the model wants it and the template did not write it. */
  of(request: EngineGenerateRequest): Token[] {
    if (request.rawPrompt === undefined && request.messages.length === 0)
      throw new LoamError('BAD_INPUT', 'There is no message to answer.', {
        suggestion: 'Send at least one message.',
      })
    const tokens =
      request.rawPrompt === undefined
        ? this.#template.render(request.messages).flatMap((segment) => this.#segment(segment))
        : this.#model.tokenize(request.rawPrompt)
    const { bos, shouldPrependBosToken } = this.#model.tokens
    return shouldPrependBosToken && bos !== null && tokens[0] !== bos ? [bos, ...tokens] : tokens
  }

  /** Tokens of plain text as it stands inside a prompt. */
  count(text: string): number {
    return this.#segment({ kind: 'content', text }).length
  }

  #segment({ kind, text }: PromptSegment): Token[] {
    // SentencePiece vocabularies put a space before every stretch; between segments there is none.
    return this.#model.tokenize(text, kind === 'markup', this.#addsSpace ? 'trimLeadingSpace' : undefined)
  }
}
