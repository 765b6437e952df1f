import { Shuffle } from '../components/icons'
import type { MethodChoice } from '../../shared/domain/method-choice'
import { Button } from '../components/button'
import { useServices, useStored } from '../stores/use-services'
import { RefusedNotice } from './refused-notice'
import { useAttempt } from './use-attempt'

/** What would be worth changing to in everyday asks, as replays say, and both answers to it; nothing where nothing is offered. */
export function MethodOffer() {
  const { client, methodChoice } = useServices()
  const choice = useStored('methodChoice', ({ data }) => data)
  const methods = useStored('methods', ({ data }) => data)
  const { problem, busy, clear, attempt } = useAttempt()
  const offer = choice?.offer ?? null
  if (choice === null || offer === null) return null
  const { method } = offer
  const title = methods?.find(({ id }) => id === method)?.title ?? method
  const answer = (act: (input: { method: string }) => Promise<MethodChoice>) =>
    void attempt(async () => methodChoice.getState().set(await act({ method })))
  return (
    <section aria-label="A better way to learn" className="rounded-lg border bg-surface p-3">
      <p>{choice.sentence}</p>
      <p className="mt-1 text-sm text-muted">
        Loam answered these asks again, one after the other, from an empty memory. Your own memory was not
        touched.
      </p>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button icon={Shuffle} disabled={busy} onClick={() => answer(client.methods.choose)}>
          Switch to {title}
        </Button>
        <Button disabled={busy} onClick={() => answer(client.methods.decline)}>
          Not now
        </Button>
      </div>
      <RefusedNotice problem={problem} onDismiss={clear} />
    </section>
  )
}
