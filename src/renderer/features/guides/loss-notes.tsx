import { TriangleAlert, Undo2 } from 'lucide-react'
import type { GuideVersion } from '../../../shared/domain/guide'
import { Term } from '../../components/term'
import { WordChips } from '../../components/word-chips'

/** What the zero-loss check flagged, and what was done to keep a person's edits. */
export function LossNotes({ version }: { version: Pick<GuideVersion, 'lost' | 'putBack' | 'restored'> }) {
  const { lost, putBack = [], restored } = version
  return (
    <>
      {lost.length > 0 ? (
        <div className="flex gap-2.5 rounded-lg border bg-notice-soft px-3 py-2 text-sm">
          <TriangleAlert size={14} aria-hidden className="mt-0.75 shrink-0 text-notice" />
          <div className="min-w-0">
            <p>
              The <Term name="zero loss">zero-loss check</Term> misses this, for which there was no room:
            </p>
            <p className="mt-1 flex flex-wrap gap-1.5">
              <WordChips words={lost} look="code" />
            </p>
          </div>
        </div>
      ) : null}
      <PutBack words="The model had left these out; they were put back word for word:" sentences={putBack} />
      <PutBack words="Your edits were kept; the model had changed these sentences:" sentences={restored} />
    </>
  )
}

function PutBack({ words, sentences }: { words: string; sentences: readonly string[] }) {
  if (sentences.length === 0) return null
  return (
    <div className="flex gap-2.5 rounded-lg border px-3 py-2 text-sm">
      <Undo2 size={14} aria-hidden className="mt-0.75 shrink-0 text-muted" />
      <div className="min-w-0">
        <p>{words}</p>
        <ul className="mt-1 list-disc pl-4 text-muted">
          {sentences.map((one) => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      </div>
    </div>
  )
}
