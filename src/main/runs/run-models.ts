import { inRole, otherModels, readRoles, type RoleName } from '../../core/agent/roles'
import type { LanguageModel } from '../../core/ground/ports'
import type { SettingChanges } from '../../shared/domain/setting'
import { LoamError } from '../../shared/errors'
import { readReference } from '../ground/model-reference'

/** The models of one run. */
export type RunModels = Awaited<ReturnType<typeof openRunModels>>

export interface RunModelsInput {
  /** The run's own model. */
  readonly model: string
  readonly settings: SettingChanges
  /** Loads one of them; `beside`: without taking the place of the run's others, where there is memory for all. */
  load(path: string, signal: AbortSignal | undefined, beside: boolean): Promise<LanguageModel>
  /** Runs that use the engine at a time. */
  readonly sequences: number
  readonly signal: AbortSignal
}

/**
 * Loads what actor and roles are to ask. Files share the engine: they stay loaded together where memory allows, and take turns where it
 * does not.
 *
 * @throws LoamError `BAD_INPUT` when several runs at a time would each want several files; what loading a model fails with
 */
export async function openRunModels(input: RunModelsInput) {
  const { model, settings, signal } = input
  const roles = readRoles(settings)
  const others = otherModels(model, settings)
  const files = [model, ...others].filter((path) => readReference(path) === null)
  if (files.length > 1 && input.sequences > 1)
    throw new LoamError('BAD_INPUT', 'Runs side by side share one loaded model, and these want several.', {
      suggestion: 'Work on one cell at a time (in flight 1), or use one model.',
    })
  const several = files.length > 1
  const load: LoadByPath = (path, own = signal) => input.load(path, own, several)
  const open = (path: string): Promise<LanguageModel> =>
    several && files.includes(path) ? shareModel(path, load, signal) : load(path, signal)
  const own = new Map<string, LanguageModel>()
  for (const path of others) own.set(path, await open(path))
  return {
    /** The run's own, as it was loaded first. */
    run: await open(model),
    /** Loads the run's own anew, after what it is loaded with has changed. */
    again: (own: AbortSignal): Promise<LanguageModel> => load(model, own),
    /** The run's own as its actor asks it. */
    acting: (run: LanguageModel): LanguageModel => inRole(run, roles.actor),
    /** As a role asks: its own, else the run's. */
    of(role: RoleName, run: LanguageModel): LanguageModel {
      const { model: path } = roles[role]
      return inRole((path === null ? undefined : own.get(path)) ?? run, roles[role])
    },
  }
}

/** Loads a model, or answers the loaded one at once. */
type LoadByPath = (path: string, signal?: AbortSignal) => Promise<LanguageModel>

/**
 * A model that shares the engine's one place with others: each call loads it first where another took its place. Planner and executor may so
 * be different models on a machine that holds one at a time.
 */
async function shareModel(path: string, load: LoadByPath, signal?: AbortSignal): Promise<LanguageModel> {
  const { name, contextSize, can } = await load(path, signal)
  return {
    name,
    path,
    contextSize,
    ...(can && { can }),
    generate: async (request, options) => (await load(path, options?.signal)).generate(request, options),
    countTokens: async (texts, options) => (await load(path, options?.signal)).countTokens(texts, options),
  }
}
