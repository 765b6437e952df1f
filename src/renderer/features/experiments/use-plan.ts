import { useEffect, useState } from 'react'
import type { ExperimentDefinition, ExperimentPlan } from '../../../shared/domain/experiment'
import type { LoamErrorShape } from '../../../shared/errors'
import { errorShape } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'

const TYPING_PAUSE_MS = 200

/** What a definition would come to. The last answer stays until the next one is here. */
export function usePlan(definition: ExperimentDefinition | null) {
  const { client } = useServices()
  const [plan, setPlan] = useState<ExperimentPlan | null>(null)
  const [problem, setProblem] = useState<LoamErrorShape | null>(null)
  const key = definition === null ? null : JSON.stringify(definition)
  useEffect(() => {
    if (key === null) {
      setProblem(null)
      return undefined
    }
    let gone = false
    const timer = setTimeout(() => {
      client.experiments.plan(JSON.parse(key) as ExperimentDefinition).then(
        (found) => {
          if (gone) return
          setPlan(found)
          setProblem(null)
        },
        (error: unknown) => {
          if (!gone) setProblem(errorShape(error))
        },
      )
    }, TYPING_PAUSE_MS)
    return () => {
      gone = true
      clearTimeout(timer)
    }
  }, [client, key])
  return { plan: definition === null ? null : plan, problem }
}
