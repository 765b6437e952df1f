import { BookmarkPlus } from 'lucide-react'
import type { AskAttempt, AskInfo } from '../../../shared/domain/ask'
import { Button } from '../../components/button'
import { useServices } from '../../stores/use-services'

/** What the message told in passing: a fact where the person says so, and nothing else. */
export function FactOffers({ ask, attempt }: { ask: AskInfo; attempt: AskAttempt }) {
  const { client, asks } = useServices()
  const open = attempt.offers.filter(({ state }) => state === 'open')
  if (open.length === 0) return null
  const answer = (statement: string, keep: boolean) =>
    void asks
      .getState()
      .command(() => client.asks.keepFact({ askId: ask.id, attempt: attempt.index, statement, keep }))
  return (
    <section aria-label="Told in passing" className="flex flex-col gap-2 print:hidden">
      {open.map(({ statement }) => (
        <div
          key={statement}
          className="flex flex-wrap items-center justify-between gap-2 rounded-md border px-3 py-2"
        >
          <p className="min-w-0 flex-1 basis-64 [overflow-wrap:anywhere]">
            Remember <q>{statement.replace(/\.$/, '')}</q>?
          </p>
          <span className="flex gap-2">
            <Button
              size="small"
              icon={BookmarkPlus}
              aria-label={`Remember: ${statement}`}
              onClick={() => answer(statement, true)}
            >
              Remember
            </Button>
            <Button
              size="small"
              look="quiet"
              aria-label={`No, do not remember: ${statement}`}
              onClick={() => answer(statement, false)}
            >
              No
            </Button>
          </span>
        </div>
      ))}
    </section>
  )
}
