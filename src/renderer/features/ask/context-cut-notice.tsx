import { Scissors } from 'lucide-react'
import type { ContextCut } from '../../../shared/domain/ask'
import { SmallFold } from '../../components/fold'
import { plural } from '../../components/format'
import { Long } from './collapsible'

/** Says what had to go so that the conversation fits into what the model can read. */
export function Fitted({ fitted: { answers, turns, summary } }: { fitted: ContextCut }) {
  const removals = [
    ...(answers > 0
      ? [`${plural(answers, 'answer')} of tools ${answers === 1 ? 'was' : 'were'} left out`]
      : []),
    ...(turns > 0
      ? [
          `the first ${turns === 1 ? 'message' : `${turns} messages`} ${turns === 1 ? 'was' : 'were'} ${summary === '' ? 'left out' : 'summarised'}`,
        ]
      : []),
  ]
  return (
    <div className="flex flex-col gap-1.5 rounded-md border border-notice/50 bg-notice-soft px-2.5 py-2 text-sm">
      <p className="flex items-center gap-1.5">
        <Scissors size={13} aria-hidden className="shrink-0 text-notice" />
        <span>So that it fits into what the model can read, {removals.join(' and ')}.</span>
      </p>
      {summary === '' ? null : (
        <SmallFold title="The summary it goes on with">
          <div className="mt-1.5">
            <Long label="The summary it goes on with" text={summary} />
          </div>
        </SmallFold>
      )}
    </div>
  )
}
