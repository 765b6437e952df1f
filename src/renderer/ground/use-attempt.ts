import { useState } from 'react'
import type { LoamErrorShape } from '../../shared/errors'
import { refusalOf } from '../stores/error-shape'

/** Asks the host for one thing after another, and holds why the last one was refused. */
export function useAttempt() {
  const [problem, setProblem] = useState<LoamErrorShape | null>(null)
  const [busy, setBusy] = useState(false)
  return {
    problem,
    busy,
    clear: () => setProblem(null),
    /** Resolves to whether it was done; never rejects. */
    async attempt(act: () => Promise<unknown>): Promise<boolean> {
      setBusy(true)
      setProblem(null)
      const refusal = await refusalOf(act())
      setProblem(refusal)
      setBusy(false)
      return refusal === null
    },
  }
}
