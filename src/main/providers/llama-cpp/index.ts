import { createHash } from 'node:crypto'
import { defineSettings } from '../../../core/ground/settings'
import { partsOf } from '../../gguf/gguf-parts'
import type { ModelIdentity, ProviderModule, ProviderWorld } from '../provider'
import type {
  CallOptions,
  GenerateRequest,
  GenerateResult,
  LanguageModel,
  ModelAbilities,
} from '../../../core/ground/chat'
import { takeThoughts } from '../../../core/ground/replies/thoughts'
import { generateWithTools } from '../generic-tools'
import { CallsInProgress } from '../live-arguments'
import { withCalls } from '../tool-calls'
import { VisibleText, withoutMarks } from './visible-text'

/** What the engine does for any GGUF. */
const ENGINE_CAN: ModelAbilities = {
  tools: true,
  constraint: 'grammar',
  thinking: true,
  softPrompts: true,
  goesOn: true,
}

/**
 * A model of the engine behind the whole chat port. Tools stand in the prompt as the model's template has them, and what it writes is read in
 * any of the families' forms; where a template has no place for tools, or a call is required, a grammar holds the reply to a form.
 */
export function chatModel(engineModel: LanguageModel): LanguageModel {
  const native = engineModel.can
  /** A reply without thoughts and marks; `read` takes the calls out of it. */
  const generate = async (
    request: GenerateRequest,
    { onToken, onCall, ...rest }: CallOptions = {},
    read = (reply: GenerateResult) => reply,
  ): Promise<GenerateResult> => {
    const tools = request.tools ?? []
    const calls = onCall && tools.length > 0 ? new CallsInProgress(tools, onCall) : null
    const watcher =
      (onToken ?? calls) &&
      new VisibleText(onToken ?? (() => undefined), tools, calls ? (text) => calls.see(text) : undefined)
    const watching = watcher ? { ...rest, onToken: (piece: string) => watcher.push(piece) } : rest
    const { thought: _none, ...reply } = await engineModel.generate(request, watching)
    const { text, thought } = takeThoughts(reply.text)
    const generateResult = read({
      ...reply,
      text: withoutMarks(text, tools.length > 0),
      ...(thought !== null && { thought }),
    })
    watcher?.end(generateResult.text)
    return generateResult
  }
  // A form leaves no place for a thought.
  const formed: LanguageModel['generate'] = (request, options) =>
    request.constraint === undefined ? generate(request, options) : engineModel.generate(request, options)
  return {
    ...engineModel,
    can: { ...ENGINE_CAN, thinking: native?.thinking ?? false },
    async generate(request, options) {
      const { tools = [], toolChoice } = request
      if (tools.length === 0 || native?.tools !== true || toolChoice === 'required')
        return generateWithTools(formed, request, options)
      return generate(request, options, (reply) => withCalls(reply, tools))
    },
  }
}

/** GGUF files, run on this machine by llama.cpp in the engine process. GPU and threads are settings of the whole house. */
export const llamaCpp: ProviderModule = {
  id: 'llama-cpp',
  title: 'On this machine',
  help: 'A GGUF file, run by llama.cpp. Nothing leaves the machine.',
  settings: defineSettings('llama-cpp', 'On this machine', {}),
  can: ENGINE_CAN,
  owns: (reference) => reference === null,
  open: (world) => ({
    list: async (signal) => [...(await world.foundModels(signal))],
    identify: (path, signal) => identify(path, world, signal),
    load: async (path, choice) => chatModel(await world.loadInEngine(path, choice)),
  }),
}

/** Of a file its own hash; of one in parts the hash of the parts' hashes, in order, as hex. */
async function identify(
  path: string,
  { hashFile }: Pick<ProviderWorld, 'hashFile'>,
  signal?: AbortSignal,
): Promise<ModelIdentity> {
  const parts = partsOf(path)
  if (parts.length === 1) return hashFile(path, signal)
  const hash = createHash('sha256')
  let sizeBytes = 0
  for (const part of parts) {
    const { sizeBytes: own, sha256 } = await hashFile(part, signal)
    hash.update(sha256)
    sizeBytes += own
  }
  return { sizeBytes, sha256: hash.digest('hex') }
}
