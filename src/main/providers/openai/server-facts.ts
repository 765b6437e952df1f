import type { ModelAbilities } from '../../../core/ground/chat'
import { readAnswer } from '../../ground/isolate/foreign-answer'
import { MOST_LISTED } from '../../ground/isolate/answers'
import { below, beside } from './address'
import { callServer } from './call-server'

/** Programs that are known to speak OpenAI's protocol and more. */
export type ServerKind = 'llama-server' | 'vllm' | 'ollama' | 'lm-studio' | 'other'

/** What a server says of itself and of one model. */
export interface ServerFacts {
  readonly kind: ServerKind
  /** Models it has; null when it does not list them. */
  readonly models: readonly string[] | null
  /** Tokens the model reads; null when it does not say. */
  readonly contextSize: number | null
  /** Whether it tells how many tokens a text has. */
  readonly tokenizes: boolean
  readonly can: ModelAbilities
}

/** Whom to ask, and how long to wait for each answer. */
export interface FactsOrder {
  readonly base: URL
  readonly key: string | null
  readonly signal?: AbortSignal | undefined
  readonly silenceMs: number
}

type Json = Readonly<Record<string, unknown>>
const record = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {})
const number = (value: unknown): number | null =>
  typeof value === 'number' && Number.isFinite(value) && value > 0 ? Math.floor(value) : null

/** Asks for JSON that may not be there; null for anything but an answer. */
async function ask(order: FactsOrder, url: string, body?: unknown): Promise<Json | null> {
  try {
    const answer = await callServer({
      url,
      method: body === undefined ? 'GET' : 'POST',
      body,
      key: order.key,
      signal: order.signal,
      silenceMs: order.silenceMs,
    })
    const text = await answer.text()
    return answer.status === 200 ? record(await readAnswer(text, order.base.host, MOST_LISTED)) : null
  } catch {
    order.signal?.throwIfAborted()
    return null
  }
}

/** The list of models a server has; the first answer that says whether it is there at all. @throws as `callServer` */
export async function listModels(order: FactsOrder): Promise<readonly Json[] | null> {
  const answer = await callServer({
    url: below(order.base, 'models'),
    method: 'GET',
    key: order.key,
    signal: order.signal,
    silenceMs: order.silenceMs,
  })
  const text = await answer.text()
  if (answer.status !== 200) return null
  try {
    const { data } = record(await readAnswer(text, order.base.host, MOST_LISTED))
    return Array.isArray(data) ? data.map(record) : null
  } catch {
    return null
  }
}

/**
 * Which of a server's models compare texts and write none, as LM Studio and Ollama say of each; null where the server says nothing of it.
 * @throws an AbortError
 */
export async function listEmbeddingModels(
  order: FactsOrder,
  models: readonly string[],
): Promise<readonly string[] | null> {
  const studio = (await ask(order, beside(order.base, 'api/v0/models')))?.['data']
  const typed = Array.isArray(studio)
    ? studio.map(record).filter((one) => typeof one['type'] === 'string')
    : []
  if (typed.length > 0)
    return typed.filter((one) => one['type'] === 'embeddings').map((one) => String(one['id']))
  const answers = models.map((model) => ask(order, beside(order.base, 'api/show'), { model }))
  const views = (await Promise.all(answers)).map((view) => view?.['capabilities'])
  if (!views.some((can) => Array.isArray(can))) return null
  return models.filter((_, i) => has(views[i], 'embedding') && !has(views[i], 'completion'))
}

/** What is known of a server and one of its models. Whatever it does not say stays unknown. @throws as `callServer` when nobody is there */
export async function serverFacts(order: FactsOrder, model: string): Promise<ServerFacts> {
  const list = await listModels(order)
  const own = list?.find((one) => sameModel(String(one['id']), model)) ?? {}
  const models = list?.map((one) => String(one['id'])) ?? null
  const owner = String(own['owned_by'] ?? list?.[0]?.['owned_by'] ?? '')
  const facts = (kind: ServerKind, contextSize: number | null, images: boolean): ServerFacts => ({
    kind,
    models,
    contextSize,
    tokenizes: kind === 'llama-server' || kind === 'vllm',
    can: {
      tools: true,
      constraint: kind === 'llama-server' || kind === 'vllm' ? 'grammar' : 'json-schema',
      thinking: true,
      softPrompts: false,
      images,
    },
  })
  const messageCount =
    number(own['max_model_len']) ??
    number(own['context_length']) ??
    number(own['context_window']) ??
    number(own['max_context_length'])
  if (owner === 'vllm') return facts('vllm', messageCount, seesByName(model))
  if (owner === 'llamacpp') {
    const props = await ask(order, beside(order.base, 'props'))
    const size = number(record(props?.['default_generation_settings'])['n_ctx'])
    return facts(
      'llama-server',
      size ?? number(record(own['meta'])['n_ctx_train']),
      record(props?.['modalities'])['vision'] === true,
    )
  }
  const studio = await ask(order, beside(order.base, `api/v0/models/${encodeURIComponent(model)}`))
  if (studio !== null && 'max_context_length' in studio)
    return facts(
      'lm-studio',
      number(studio['loaded_context_length']) ?? number(studio['max_context_length']),
      studio['type'] === 'vlm',
    )
  // Ollama names the owner by where a model is from, so that it is told by what else it answers.
  const view = model === '' ? null : await ask(order, beside(order.base, 'api/show'), { model })
  if (owner === 'library' || owner === 'ollama' || (view !== null && 'details' in view))
    return facts('ollama', await ollamaContext(order, model, view), has(view?.['capabilities'], 'vision'))
  return facts('other', messageCount, takesImages(own) || seesByName(model))
}

const has = (list: unknown, word: string): boolean => Array.isArray(list) && list.includes(word)

/** Whether a list of models says that one takes pictures, as OpenRouter's and Mistral's do. */
const takesImages = (own: Json): boolean =>
  has(record(own['architecture'])['input_modalities'], 'image') ||
  record(own['capabilities'])['vision'] === true

/** Names of families that take pictures, where a server says nothing of it. */
const SEEING =
  /(?:^|[-_/.:])(?:vl|vision|llava|gpt-4o|gpt-4\.1|gpt-5|pixtral|moondream|minicpm-v|internvl)(?:[-_/.:]|\d|$)/i
const seesByName = (model: string): boolean => SEEING.test(model)

/** Tokens that Ollama reads where nothing else is set; what is beyond it leaves out of the prompt without a word. */
const OLLAMA_CONTEXT = 4096

/**
 * Ollama loads a model with a context of its own choice, mostly far less than it was trained for: `num_ctx` of the model where it is set, else what
 * it says of the loaded model. A model that is not loaded is: it will be asked next anyway.
 */
async function ollamaContext(order: FactsOrder, model: string, view: Json | null): Promise<number | null> {
  if (model === '') return null
  const set = /num_ctx\s+(\d+)/.exec(String(view?.['parameters'] ?? ''))?.[1]
  if (set !== undefined) return number(Number(set))
  const info = record(view?.['model_info'])
  const key = Object.keys(info).find((name) => name.endsWith('.context_length'))
  const trained = (key === undefined ? null : number(info[key])) ?? OLLAMA_CONTEXT
  const getResource = async (): Promise<Json | undefined> => {
    const { models } = (await ask(order, beside(order.base, 'api/ps'))) ?? {}
    const running = Array.isArray(models) ? models.map(record) : []
    return running.find((one) => sameModel(String(one['model'] ?? one['name']), model))
  }
  let match = await getResource()
  if (!match) {
    await ask(order, beside(order.base, 'api/generate'), { model, stream: false })
    match = await getResource()
  }
  return Math.min(trained, number(match?.['context_length']) ?? OLLAMA_CONTEXT)
}

/** Whether two names mean the same model: Ollama takes a name without a tag for its latest. */
export const sameModel = (listed: string, question: string): boolean =>
  listed === question || listed === `${question}:latest`

/** Tokens of a text, asked of the server; null when it does not say. */
export async function askTokens(
  order: FactsOrder,
  kind: ServerKind,
  model: string,
  text: string,
): Promise<number | null> {
  const body = kind === 'vllm' ? { model, prompt: text, add_special_tokens: false } : { content: text }
  const answer = await ask(order, beside(order.base, 'tokenize'), body)
  if (answer === null) return null
  const tokens = answer['tokens']
  return number(answer['count']) ?? (Array.isArray(tokens) ? tokens.length : null)
}
