import type { ItemMatch } from '../../../shared/domain/item'
import { ScoreBar } from '../../components/score-bar'
import { Term } from '../../components/term'
import { WordChips } from '../../components/word-chips'

/** Why a search found an experience: what its score is made of, and the words it shares with what was asked. */
export function WhyFound({ match, alpha }: { match: ItemMatch; alpha: number }) {
  const { score, textScore, semanticScore, bm25, cosine, utilityPart, terms } = match
  const both = textScore !== null && semanticScore !== null
  return (
    <section aria-label="Why it was found" className="flex flex-col gap-2 rounded-lg border bg-canvas p-4">
      <h2 className="text-sm font-medium">Why it was found</h2>
      {textScore === null ? null : (
        <ScoreBar
          label={both ? `Words × ${alpha}` : 'Words'}
          value={textScore}
          detail={
            <>
              <Term name="bm25">BM25</Term> {bm25 === null ? 'found nothing' : bm25.toFixed(2)}
            </>
          }
        />
      )}
      {semanticScore === null ? null : (
        <ScoreBar
          label={both ? `Likeness × ${(1 - alpha).toFixed(2).replace(/0$/, '')}` : 'Likeness'}
          value={semanticScore}
          detail={
            <>
              <Term name="cosine" /> {cosine === null ? 'unknown' : cosine.toFixed(3)}
            </>
          }
        />
      )}
      <ScoreBar
        tone="sum"
        label="Score"
        value={score}
        detail={
          utilityPart === 0 ? null : (
            <>
              <Term name="utility" /> {utilityPart < 0 ? 'took' : 'added'} {Math.abs(utilityPart).toFixed(3)}
            </>
          )
        }
      />
      <p className="flex flex-wrap items-baseline gap-1.5 text-sm">
        <span className="text-muted">{terms.length > 0 ? 'Words in common:' : 'No words in common.'}</span>
        <WordChips words={terms} look="accent" />
      </p>
    </section>
  )
}
