import type { AskInfo, AskEnvironment } from '../../../shared/domain/ask'
import { IMPORTED_MODEL } from '../../../shared/domain/ask-origin'
import type { MethodInfo } from '../../../shared/domain/method'
import type { ModelInfo } from '../../../shared/domain/model'
import type { StreamInfo } from '../../../shared/domain/task'
import type { ToolServerInfo } from '../../../shared/domain/tool'
import { isServed } from '../../ground/model-choice'
import type { StartAsk } from '../../../shared/domain/ask'
import type { AskDraft } from '../../stores/asks'

/** What can be chosen, and the asks that say what was chosen last. */
export interface AskChoices {
  readonly asks: readonly AskInfo[]
  readonly memoryId: string | null
  readonly models: readonly ModelInfo[]
  readonly methods: readonly MethodInfo[]
  /** What asks use where nobody chose a method; null: not known yet. */
  readonly automatic: string | null
  readonly servers: readonly ToolServerInfo[]
  readonly streams: readonly StreamInfo[]
}

/** What counts of a draft: what was chosen, else what the newest ask of the same memory had, else a sensible default. */
export interface Chosen {
  /** The file it is, where it is one. */
  readonly model: ModelInfo | null
  /** What the model is asked for by: its path, or the name of a model at a server. */
  readonly reference: string | null
  readonly method: MethodInfo | null
  /** Whether Loam chooses it. */
  readonly automatic: boolean
  readonly way: 'straight' | 'plan'
  /** Null: those that each message needs. */
  readonly tools: readonly string[] | null
  readonly world: AskEnvironment | null
}

export function chosenOf(draft: AskDraft, choices: AskChoices): Chosen {
  // What was imported was asked of a model that is not here.
  const own = choices.asks.filter(
    ({ spec }) => spec.memoryId === choices.memoryId && spec.model !== IMPORTED_MODEL,
  )
  const lastAsk = newest(own)
  const last = lastAsk?.spec
  const models = choices.models.filter(({ problem }) => problem === null)
  const modelAt = (path: string | null | undefined) => models.find((one) => one.path === path)
  const usual = models.find(({ usual }) => usual === true) ?? null
  // What was asked of the demo or of a base model is no choice of either for everything after it; a fact was asked of nobody.
  const lastModel = modelAt(last?.model)
  const isSpecial = lastModel?.demo === true || lastModel?.base === true
  const keeps = !isSpecial || (lastModel === usual && lastAsk?.isFact !== true)
  const candidates = [draft.model, keeps ? last?.model : null]
  const name = candidates.find((one) => isServed(one) || modelAt(one) !== undefined) ?? null
  const choice = name === null ? null : (modelAt(name) ?? null)
  const world = draft.world === undefined ? (last?.world ?? demoWorld(choice, choices.streams)) : draft.world
  // The demo model answers in the worlds it was made for, and nowhere else unless a person chooses it.
  const others = [usual, ...models].filter((one) => one !== null)
  const fallback = others.find(({ demo }) => !demo) ?? (world === null ? null : (others[0] ?? null))
  const model = name === null ? fallback : choice
  // Who has nothing else than a base model is asked first whether it is to answer.
  const reference = name ?? (model?.base === true ? null : (model?.path ?? null))
  const methodAt = (id: string | null | undefined) => choices.methods.find((one) => one.id === id)
  const recommended = choices.methods.find(({ suggested }) => suggested?.includes('run')) ?? null
  const ownMethod = everydayMethods(choices.methods).find(
    ({ id }) => id === (draft.method ?? methodOfLast(last, recommended)),
  )
  const method = ownMethod ?? methodAt(choices.automatic) ?? recommended
  const on = choices.servers.filter(({ enabled }) => enabled).map(({ id }) => id)
  const tools = draft.tools?.filter((id) => on.includes(id)) ?? null
  return {
    model,
    reference,
    method,
    automatic: ownMethod === undefined,
    way: draft.way ?? last?.way ?? 'straight',
    tools,
    world,
  }
}

/** Stands where the id of a method does while Loam chooses it. */
export const AUTOMATIC = 'automatic'

/** Methods that a person can choose for everyday asks. */
export const everydayMethods = (methods: readonly MethodInfo[]): readonly MethodInfo[] =>
  methods.filter(({ everyday }) => everyday !== 'never')

/** What was chosen for the last ask. Of one asked before that was kept, the recommended method was nobody's choice. */
function methodOfLast(last: AskInfo['spec'] | undefined, recommended: MethodInfo | null): string {
  if (last === undefined || last.automatic === true) return AUTOMATIC
  return last.automatic === null && last.method === recommended?.id ? AUTOMATIC : last.method
}

const newest = (asks: readonly AskInfo[]): AskInfo | null =>
  asks.reduce<AskInfo | null>((a, b) => (a && a.createdAt > b.createdAt ? a : b), null)

/** The demo model only knows the worlds it was made for. */
function demoWorld(model: ModelInfo | null, streams: readonly StreamInfo[]): AskEnvironment | null {
  const demo = model?.demo === true ? streams.find((stream) => stream.demo) : undefined
  return demo ? { stream: demo.id, index: 0 } : null
}

/** The call that asks what a draft says; null while there is nothing to ask, or a person has to say first that a base model is to answer. */
export function startInput(draft: AskDraft, choice: Chosen, memoryId: string | null): StartAsk | null {
  const { model, reference, method, automatic, way, tools, world } = choice
  const asksFirst = reference === null && model !== null
  if (draft.text.trim() === '' || asksFirst || !method) return null
  return {
    text: draft.text,
    way,
    world,
    // Without one, what is to be remembered is kept, and the host says what else needs a model.
    ...(reference !== null && { model: reference }),
    ...(memoryId !== null && { memoryId }),
    remember: draft.remember,
    temporary: draft.temporary,
    ownFiles: draft.ownFiles,
    project: draft.project,
    ...(world === null && { instructions: draft.instructions }),
    temperature: draft.temperature,
    topP: draft.topP,
    maxTokens: draft.maxTokens,
    ...(!automatic && { method: method.id }),
    tools: world ? [] : tools && [...tools],
    files: world ? [] : draft.files.map(({ name, base64 }) => ({ name, base64 })),
  }
}
