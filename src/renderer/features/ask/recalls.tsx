import { History } from 'lucide-react'
import { useState } from 'react'
import type { PastRecall, RecallHistory } from '../../../shared/domain/recall-history'
import { NO_RECALLS, RECALL_WORDS, recallMeaning } from '../../../shared/figures/recall-words'
import { Button } from '../../components/button'
import { SmallFold } from '../../components/fold'
import { RowLink } from '../../components/row-link'
import { PlainTable } from '../../ground/plain-table'
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
        <PlainTable
          caption="Judged asks, the newest first, and what each would be shown"
          rows={asks.slice(-MOST_LISTED).toReversed()}
          keyOf={({ askId, attempt }) => `${askId} ${attempt}`}
          columns={[
            { head: 'Ask', cell: (one) => <Asked one={one} /> },
            { head: 'Shown', cell: ({ outcome }) => RECALL_WORDS[outcome] },
            { head: 'Which', cell: (one) => <Shown one={one} memoryId={memoryId} /> },
          ]}
        />
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

function Asked({ one: { askId, title } }: { one: PastRecall }) {
  const { asks } = useServices()
  return (
    <RowLink className="block max-w-64 truncate" onClick={() => asks.getState().open(askId)}>
      {title}
    </RowLink>
  )
}

function Shown({ one: { shown }, memoryId }: { one: PastRecall; memoryId: string }) {
  const { openItem } = useServices()
  return (
    <ul>
      {shown.map(({ kind, id, title, says }) => (
        <li key={id} className="flex max-w-80 gap-1">
          <span className="sr-only">{says ? 'Right: ' : 'Not it: '}</span>
          <span aria-hidden>{says ? '✓' : '–'}</span>
          <RowLink className="min-w-0 truncate" onClick={() => openItem(memoryId, { kind, id })}>
            {title}
          </RowLink>
        </li>
      ))}
    </ul>
  )
}
