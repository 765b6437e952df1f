import { Check, X } from 'lucide-react'
import type { AskAttempt, AskInfo, VerdictValue } from '../../../shared/domain/ask'
import { reasonsOf } from '../../../shared/domain/verdict'
import { Button } from '../../components/button'
import { useServices } from '../../stores/use-services'

/** What the next message tells of an answer, and a key to say so or otherwise; nothing where it tells nothing or a person has spoken. */
export function RuledLine({ ask, attempt }: { ask: AskInfo; attempt: AskAttempt }) {
  const { client, asks } = useServices()
  const { ruled, judgement } = attempt
  const words = ruled
    ? `Probably ${ruled.value === 'solved' ? 'right' : 'wrong'}: ${reasonsOf(ruled)}.`
    : judgement?.by === 'rule'
      ? `Taken for ${judgement.verdict}${judgement.probation === null ? '' : ' until you say so'}: ${judgement.note ?? ''}.`
      : null
  if (words === null) return null
  const teach = (verdict: VerdictValue) =>
    void asks.getState().command(() =>
      client.asks.teach({
        askId: ask.id,
        attempt: attempt.index,
        teaching: { verdict, answer: null, wrongAt: null, note: null },
      }),
    )
  return (
    <div
      role="group"
      aria-label="What the next message tells"
      className="flex flex-wrap items-center gap-1.5 text-sm"
    >
      <p className="mr-1 text-muted">{words}</p>
      <Button size="small" icon={Check} onClick={() => teach('right')}>
        It was right
      </Button>
      <Button size="small" icon={X} onClick={() => teach('wrong')}>
        It was wrong
      </Button>
    </div>
  )
}
