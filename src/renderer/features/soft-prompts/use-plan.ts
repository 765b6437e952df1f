import type { TrainInput } from '../../../shared/domain/soft-prompt-training'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'

const TYPING_PAUSE_MS = 250

/** What a training would come to; asked again when `of` changes. The last answer stays until the next one is here. */
export function usePlan(input: TrainInput | null, of: number | undefined) {
  const { client } = useServices()
  const { data: plan, problem } = useQuery(
    'plan',
    input && (() => client.softPrompts.plan(input)),
    `${of}/${JSON.stringify(input)}`,
    TYPING_PAUSE_MS,
  )
  return { plan, problem }
}
