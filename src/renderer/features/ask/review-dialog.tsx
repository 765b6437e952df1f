import { Check, Minus, SkipForward, X } from '../../components/icons'
import { useState } from 'react'
import type { VerdictValue } from '../../../shared/domain/ask'
import type { Review, ReviewEntry } from '../../../shared/domain/review'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { plural } from '../../components/format'
import { Keys } from '../../components/keys'
import { TextLink } from '../../components/row-link'
import { useKeydown } from '../../ground/keys'
import { useServices } from '../../stores/use-services'

const KEYS = [
  { verdict: 'right', label: 'Right', key: 'R', icon: Check },
  { verdict: 'partly', label: 'Partly', key: 'P', icon: Minus },
  { verdict: 'wrong', label: 'Wrong', key: 'W', icon: X },
  { verdict: null, label: 'Later', key: 'L', icon: SkipForward },
] as const

/** Answers that wait for a word, one after the other: one key each. */
export function ReviewDialog({ review, onClose }: { review: Review; onClose(): void }) {
  const { client, asks } = useServices()
  const [at, setAt] = useState(0)
  const [busy, setBusy] = useState(false)
  const entry = review.entries[at]
  const go = async (verdict: VerdictValue | null) => {
    if (!entry || busy) return
    const teaching = { verdict: verdict ?? 'right', answer: null, wrongAt: null, note: null }
    const { askId, attempt } = entry
    setBusy(true)
    if (verdict !== null) await asks.getState().command(() => client.asks.teach({ askId, attempt, teaching }))
    setBusy(false)
    if (at + 1 < review.entries.length) setAt(at + 1)
    else onClose()
  }
  useKeydown((event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return
    const match = KEYS.find(({ key }) => key.toLowerCase() === event.key.toLowerCase())
    if (match) void go(match.verdict)
  })
  if (!entry) return null
  return (
    <Dialog
      title="Was it right?"
      description={`${at + 1} of ${review.entries.length}. What you ask most often comes first. You are asked once a day.`}
      onClose={onClose}
    >
      <Entry key={`${entry.askId}/${entry.attempt}`} entry={entry} onClose={onClose} />
      <div className="flex flex-wrap gap-2 border-t p-3">
        {KEYS.map(({ verdict, label, key, icon }) => (
          <Button
            key={key}
            icon={icon}
            aria-keyshortcuts={key}
            disabled={busy}
            onClick={() => void go(verdict)}
          >
            {label}
            <Keys combo={key} drawn />
          </Button>
        ))}
      </div>
    </Dialog>
  )
}

/** What was asked, what was answered, and what followed. */
function Entry({ entry, onClose }: { entry: ReviewEntry; onClose(): void }) {
  const { openRecord } = useServices()
  const { askId, request, answer, next, supposed, often } = entry
  const parts = [
    ['You asked', request],
    ['The answer', answer],
    ...(next === null ? [] : [['You wrote next', next]]),
  ] as const
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-y-auto p-4">
      {parts.map(([title, text]) => (
        <section key={title} aria-label={title}>
          <h3 className="text-sm font-medium text-muted">{title}</h3>
          <p className="break-words whitespace-pre-wrap">{text}</p>
        </section>
      ))}
      <p className="text-sm text-muted">
        {supposed === null ? '' : `Probably ${supposed.verdict}: ${supposed.because}. `}
        {often > 1 ? `${plural(often, 'request')} of yours are like this. ` : ''}
        <TextLink
          onClick={() => {
            onClose()
            openRecord('ask', askId)
          }}
        >
          Open the ask
        </TextLink>
      </p>
    </div>
  )
}
