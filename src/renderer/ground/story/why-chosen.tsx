import type { RecallChoice, RecalledItem } from '../../../shared/domain/trajectory'
import { SmallFold } from '../../components/fold'
import { formatShare, plural } from '../../components/format'

/** What a learned policy looks at, in words; what adds to an item's value and what takes from it. */
const WORDS: Readonly<Record<string, string>> = {
  meaning: 'alike in meaning',
  words: 'alike in words',
  says: 'says what is needed',
  doubtful: 'says what is in doubt',
  aside: 'says other things',
  helped: 'helped before',
  pair: 'helped with tasks like this',
  age: 'age',
  trust: 'where it is from',
  byPerson: 'by a person',
  elsewhere: 'made elsewhere',
  otherEnvironment: 'of another kind of task',
  outcome: 'how it ended then',
  contradicted: 'contradicted since',
  redundancy: 'said already',
  redundancySquared: 'said already, all of it',
  item: 'one more item to read',
  own: 'its own record',
}
const wordsOf = (feature: string): string =>
  WORDS[feature] ?? (feature.startsWith('kind:') ? `being a ${feature.slice(5)}` : feature)

/** Parts of a value that are told; smaller ones change nothing. */
const TOLD = 3
const SMALLEST = 0.05

const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(2)}`

/** What mattered most in a value, the largest first: `+0.81 says what is needed, −0.20 age`. */
const mattered = (parts: Readonly<Record<string, number>>): string =>
  Object.entries(parts)
    .filter(([, value]) => Math.abs(value) >= SMALLEST)
    .sort(([, a], [, b]) => Math.abs(b) - Math.abs(a))
    .slice(0, TOLD)
    .map(([feature, value]) => `${signed(value)} ${wordsOf(feature)}`)
    .join(', ')

/** Why an item was chosen, where a learned policy chose it. */
export function WhyItem({ why }: { why: NonNullable<RecalledItem['why']> }) {
  const words = mattered(why.parts)
  return words === '' ? null : <p className="text-xs text-muted">{words}</p>
}

/** How a learned policy chose, and what came close. */
export function WhyChosen({ choice }: { choice: RecallChoice }) {
  const { budget, tokens, candidates, without, expected, runnersUp } = choice
  return (
    <div className="mt-1.5 flex flex-col gap-1 text-sm">
      <p className="text-xs text-muted">
        {plural(candidates, 'candidate')} looked at; {tokens} of {plural(budget, 'token')} used. Success was
        expected with {formatShare(expected)}, with nothing shown with {formatShare(without)}.
      </p>
      {runnersUp.length === 0 ? null : (
        <SmallFold title="What came close" look="text-sm text-muted hover:text-ink">
          <ul className="mt-1 divide-y rounded-md border">
            {runnersUp.map(({ kind, id, title, value, tokens: long, parts }) => (
              <li key={`${kind} ${id}`} className="flex flex-col px-2.5 py-1">
                <p className="truncate">{title}</p>
                <p className="text-xs text-muted">
                  {kind} · would have added {signed(value)} · {plural(long, 'token')}
                </p>
                <p className="text-xs text-muted">{mattered(parts)}</p>
              </li>
            ))}
          </ul>
        </SmallFold>
      )}
    </div>
  )
}
