import { findMethod } from '../../../core/methods'
import type { LoadedPrompts } from '../../ground/prompts'
import { requireTemplates } from '../../ground/prompts'
import type { Space } from '../../memory-store/space'
import type { GivenTerms } from '../../../shared/domain/sharing'
import type { ClientTerms } from './memory-proxy'

/** Where attempts go that no environment of Loam's grades, in a space that knows none or several. */
const OTHER_WORLD = 'agent'
const DEFAULT_BUDGET = 2000

/** Opens what the terms name. @throws LoamError for a space, a method or templates that are not there */
export async function openTerms(
  given: GivenTerms,
  {
    open,
    space: otherwise,
    defaultMethod,
    prompts,
  }: {
    readonly open: (folder: string) => Promise<Space>
    readonly space: string
    readonly defaultMethod: string
    readonly prompts: LoadedPrompts
  },
): Promise<ClientTerms> {
  const space = await open(given.space ?? otherwise)
  const method = findMethod(given.method ?? defaultMethod)
  const environment = given.environment ?? onlyEnvironment(space) ?? OTHER_WORLD
  requireTemplates(method, environment, prompts)
  return {
    space,
    method,
    environment,
    mode: given.mode ?? 'both',
    budget: given.budget ?? DEFAULT_BUDGET,
    k: given.k ?? method.info.defaultK,
    judge: given.judge ?? false,
  }
}

/** The one environment that a space's cases are from; null when there is none, or several. */
function onlyEnvironment({ memorySource: { state } }: Space): string | null {
  const found = new Set(Array.from(state.cases.values(), ({ environment }) => environment))
  const [first] = found
  return found.size === 1 && first !== undefined ? first : null
}
