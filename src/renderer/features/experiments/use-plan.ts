import type { Study } from '../../../shared/domain/experiment'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'

const TYPING_PAUSE_MS = 200

/** What a definition would come to. The last answer stays until the next one is here. */
export function usePlan(definition: Study | null) {
  const { client } = useServices()
  const { data: plan, problem } = useQuery(
    'plan',
    definition && (() => client.experiments.plan(definition)),
    JSON.stringify(definition),
    TYPING_PAUSE_MS,
  )
  return { plan, problem }
}
