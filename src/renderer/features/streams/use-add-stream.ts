import { useState } from 'react'
import type { StreamInfo } from '../../../shared/domain/task'
import type { LoamErrorShape } from '../../../shared/errors'
import { errorShape } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'

/** Asks the host for a stream and puts it at the top of the list. `add` resolves to the stream, or null with `problem` set. */
export function useAddStream() {
  const { streams } = useServices()
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<LoamErrorShape | null>(null)
  const add = async (ask: () => Promise<StreamInfo>): Promise<StreamInfo | null> => {
    setBusy(true)
    setProblem(null)
    try {
      const stream = await ask()
      const others = (streams.getState().data ?? []).filter((other) => other.id !== stream.id)
      streams.getState().set([stream, ...others])
      return stream
    } catch (error) {
      setProblem(errorShape(error))
      return null
    } finally {
      setBusy(false)
    }
  }
  return { add, busy, problem }
}
