import { SendHorizontal, X } from '../../components/icons'
import type { AskInfo } from '../../../shared/domain/ask'
import { IconButton } from '../../components/icon-button'
import { useServices } from '../../stores/use-services'

/** Messages that are sent one after another once the answer is there; each can be taken out, and after a stop the first be sent. */
export function QueueList(props: {
  ask: AskInfo
  queue: readonly string[]
  active: boolean
  after: number | null
}) {
  const { ask, queue, active, after } = props
  const { client, asks } = useServices()
  const { command } = asks.getState()
  const askId = ask.id
  if (queue.length === 0) return null
  const takeOut = (text: string, index: number) => client.asks.unqueue({ askId, index, text })
  return (
    <section aria-label="Sent next" className="mb-2 flex flex-col gap-1">
      <h3 className="px-1 text-xs text-muted">
        {active ? 'Sent next, in this order' : 'Not sent, since the work was stopped'}
      </h3>
      <ol className="max-h-32 divide-y overflow-y-auto rounded-md border">
        {queue.map((text, index) => (
          <li key={`${index} ${text}`} className="flex items-center gap-1 py-0.5 pr-1 pl-2.5">
            <span className="min-w-0 flex-1 truncate text-sm">{text}</span>
            {active || index > 0 ? null : (
              <IconButton
                icon={SendHorizontal}
                label={`Send “${text}”`}
                onClick={() =>
                  void command(async () => {
                    await takeOut(text, index)
                    await client.asks.say({ askId, text, after })
                  })
                }
              />
            )}
            <IconButton
              icon={X}
              label={`Take out “${text}”`}
              onClick={() => void command(() => takeOut(text, index))}
            />
          </li>
        ))}
      </ol>
    </section>
  )
}
