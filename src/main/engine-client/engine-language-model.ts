import type { TeacherDistribution } from '../../core/soft-prompts/samples'
import type { CallOptions, ChatMessage, GenerateResult, LanguageModel } from '../../core/ground/ports'
import type { EngineGenerateRequest, TokenizedReply } from '../ground/engine-protocol'

/** A loaded model that can also be given a prompt as it stands, without a chat template (for measuring). */
export interface EngineLanguageModel extends LanguageModel {
  generate(request: Omit<EngineGenerateRequest, 'rawPrompt'>, options?: CallOptions): Promise<GenerateResult>
  generateRaw(
    prompt: string,
    request?: Omit<EngineGenerateRequest, 'messages' | 'rawPrompt'>,
    options?: CallOptions,
  ): Promise<GenerateResult>
  /** A dialog and the reply to it as the tokens a model reads, for training. */
  tokenize(
    messages: readonly ChatMessage[],
    reply: string,
    options?: { signal?: AbortSignal },
  ): Promise<TokenizedReply>
  /** For each token of the reply, the `k` tokens the model thought likeliest there, with their probabilities. */
  distributions(
    messages: readonly ChatMessage[],
    reply: string,
    k: number,
    options?: { signal?: AbortSignal },
  ): Promise<readonly TeacherDistribution[]>
}
