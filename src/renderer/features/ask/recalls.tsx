import { History } from '../../components/icons'
import { useState } from 'react'
import type { PastRecall, RecallHistory } from '../../../shared/domain/recall-history'
import { NO_RECALLS, RECALL_WORDS, recallMeaning } from '../../../shared/figures/recall-words'
import { Button } from '../../components/button'
import { SmallFold } from '../../components/fold'
import { RowLink } from '../../components/row-link'
import { RefusedNotice } from '../../ground/refused-notice'
import { useAttempt } from '../../ground/use-attempt'
import { useServices } from '../../stores/use-services'

/** Most asks that are listed, the newest. */
const MOST_LISTED = 200

/** What past asks would be shown now of what the memory held before each, on request. */
export function Recalls({ memoryId }: { memoryId: string }) {
  const { client } = useServices()
  const [history, setHistory] = useState<RecallHistory | null>(null)
  const { problem, busy, clear, attempt } = useAttempt()
  return (
    <section aria-label="What would be recalled" className="flex flex-col gap-3 rounded-lg border p-3">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-60 flex-1 text-sm">
          What would these asks be shown now, of what the memory held before each? And was it right?
        </p>
        <Button
          icon={History}
          disabled={busy}
          onClick={() => void attempt(async () => setHistory(await client.asks.recalls({ memoryId })))}
        >
          {busy ? 'Looking…' : 'Look'}
        </Button>
      </div>
      <RefusedNotice problem={problem} onDismiss={clear} />
      {history === null ? null : <Outcome history={history} memoryId={memoryId} />}
    </section>
  )
}

function Outcome({ history: { asks, unusable }, memoryId }: { history: RecallHistory; memoryId: string }) {
  return (
    <div role="status" className="flex flex-col gap-2 text-sm">
      <p>{asks.length === 0 ? NO_RECALLS : recallMeaning(asks)}</p>
      {asks.length === 0 ? null : (
        <ul aria-label="Judged asks, the newest first, and what each would be shown" className="divide-y">
          {asks
            .slice(-MOST_LISTED)
            .toReversed()
            .map((one) => (
              <Row key={`${one.askId} ${one.attempt}`} one={one} memoryId={memoryId} />
            ))}
        </ul>
      )}
      {asks.length > MOST_LISTED ? <p className="text-muted">The newest {MOST_LISTED} are listed.</p> : null}
      {unusable.length === 0 ? null : (
        <SmallFold title="Left out" look="">
          <ul className="mt-1 list-disc pl-5 text-muted">
            {unusable.map(({ why, count }) => (
              <li key={why}>
                {count}: {why}
              </li>
            ))}
          </ul>
        </SmallFold>
      )}
    </div>
  )
}

function Row({ one, memoryId }: { one: PastRecall; memoryId: string }) {
  const { asks, openItem } = useServices()
  const { askId, title, outcome, shown } = one
  return (
    <li className="py-1.5">
      <div className="flex flex-wrap gap-x-3">
        <RowLink className="min-w-0 flex-1 truncate" onClick={() => asks.getState().open(askId)}>
          {title}
        </RowLink>
        <span className="text-muted">{RECALL_WORDS[outcome]}</span>
      </div>
      <ul className="pl-4">
        {shown.map(({ kind, id, title: name, says }) => (
          <li key={id} className="flex min-w-0 gap-1.5">
            <span className="sr-only">{says ? 'Right: ' : 'Not it: '}</span>
            <span aria-hidden>{says ? '✓' : '–'}</span>
            <RowLink className="min-w-0 truncate text-muted" onClick={() => openItem(memoryId, { kind, id })}>
              {name}
            </RowLink>
          </li>
        ))}
      </ul>
    </li>
  )
}
