import type { StreamInfo } from '../../../shared/domain/task'
import type { LoamErrorShape } from '../../../shared/errors'
import { plural } from '../../components/format'
import { errorShape } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'

/** Asks the host for a stream and puts it at the top of the list. `ask` resolves to the problem, or to null once it is there,
 * which a toast says with `done` behind the stream's title. */
export function useAddStream() {
  const { streams, toasts } = useServices()
  const ask = async (
    question: () => Promise<StreamInfo>,
    outcomeText?: string,
  ): Promise<LoamErrorShape | null> => {
    try {
      const stream = await question()
      const others = (streams.getState().data ?? []).filter((other) => other.id !== stream.id)
      streams.getState().set([stream, ...others])
      if (outcomeText !== undefined)
        toasts.getState().tell(`${stream.title} ${outcomeText}`, plural(stream.tasks, 'task'))
      return null
    } catch (error) {
      return errorShape(error)
    }
  }
  return { ask }
}
