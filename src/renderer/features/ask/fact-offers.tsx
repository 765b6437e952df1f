import { BookmarkPlus } from '../../components/icons'
import type { AskAttempt, AskInfo } from '../../../shared/domain/ask'
import { Button } from '../../components/button'
import { Keys } from '../../components/keys'
import { useLetter } from '../../ground/keys'
import { useServices } from '../../stores/use-services'

/** What the message told in passing: a fact where the person says so, and nothing else. M and N answer the first of several. */
export function FactOffers(props: {
  ask: AskInfo
  attempt: AskAttempt
  /** Whether M and N answer it. */
  keys: boolean
}) {
  const { ask, attempt, keys } = props
  const { client, asks } = useServices()
  const open = attempt.offers.filter(({ state }) => state === 'open')
  const answer = (statement: string, keep: boolean) =>
    void asks
      .getState()
      .command(() => client.asks.keepFact({ askId: ask.id, attempt: attempt.index, statement, keep }))
  const [first] = open
  useLetter(keys && first ? 'mn' : '', (letter) => {
    if (first) answer(first.statement, letter === 'm')
  })
  if (!first) return null
  return (
    <section aria-label="Told in passing" className="flex flex-col gap-2 print:hidden">
      {open.map(({ statement }, index) => (
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
              aria-keyshortcuts={keys && index === 0 ? 'M' : undefined}
              onClick={() => answer(statement, true)}
            >
              Remember <span className="sr-only">{statement}</span>
              {keys && index === 0 ? <Keys combo="M" drawn /> : null}
            </Button>
            <Button
              size="small"
              look="quiet"
              aria-keyshortcuts={keys && index === 0 ? 'N' : undefined}
              onClick={() => answer(statement, false)}
            >
              No <span className="sr-only">do not remember: {statement}</span>
              {keys && index === 0 ? <Keys combo="N" drawn /> : null}
            </Button>
          </span>
        </div>
      ))}
    </section>
  )
}
