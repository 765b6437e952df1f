import { findMethod } from '../../../core/methods'
import { tellingBeforeCalls } from '../../../core/recall/with-beliefs'
import type { LoadedPrompts } from '../../ground/prompts'
import { requireTemplates } from '../../ground/prompts'
import type { StoredMemory } from '../../memory-store/memory'
import type { GivenTerms } from '../../../shared/domain/sharing'
import type { ClientTerms } from './request'

/** Where attempts go that no environment of Loam's grades, in a memory that knows none or several. */
const OTHER_WORLD = 'agent'
const DEFAULT_BUDGET = 2000

/** Opens what the terms name. @throws LoamError for a memory, a method or templates that are not there */
export async function openTerms(
  input: GivenTerms,
  {
    open,
    memory: otherwise,
    defaultMethod,
    prompts,
  }: {
    readonly open: (folder: string) => Promise<StoredMemory>
    readonly memory: string
    readonly defaultMethod: string
    readonly prompts: LoadedPrompts
  },
): Promise<ClientTerms> {
  const memory = await open(input.memory ?? otherwise)
  const method = tellingBeforeCalls(findMethod(input.method ?? defaultMethod))
  const environment = input.environment ?? onlyEnvironment(memory) ?? OTHER_WORLD
  requireTemplates(method, environment, prompts)
  return {
    memory,
    method,
    environment,
    mode: input.mode ?? 'both',
    budget: input.budget ?? DEFAULT_BUDGET,
    k: input.k ?? method.info.defaultK,
    judge: input.judge ?? false,
    // Where a world of its own is named, it answers the agent in the user's name.
    speaker: input.environment === undefined || input.environment === OTHER_WORLD ? 'person' : 'environment',
  }
}

/** The one environment that a memory's cases are from; null when there is none, or several. */
function onlyEnvironment({ memorySource: { state } }: StoredMemory): string | null {
  const foundSet = new Set(Array.from(state.cases.values(), ({ environment }) => environment))
  const [first] = foundSet
  return foundSet.size === 1 && first !== undefined ? first : null
}
