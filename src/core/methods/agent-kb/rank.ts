import {
  RANKING_CRITERIA,
  type Experience,
  type Ranking,
  type RankingVerdict,
} from '../../../shared/domain/experience'
import { addUsage, NO_USAGE, type Usage } from '../../../shared/domain/trajectory'
import type { MethodContext } from '../../ground/method'
import { textField, write, declareForm, type Written } from '../../ground/writing'
import { promptAbout } from '../../ground/prompt'
import { experienceText } from './forms'
import { saidOf } from './trust'
import { exactObject } from '../../ground/exact-object'

export const RANK_ROLE = 'agent-kb-rank'

const PLACES = ['first', 'second', 'tie'] as const
type Place = (typeof PLACES)[number]
type Places = Readonly<Record<(typeof RANKING_CRITERIA)[number], Place>>

const isPlace = (value: string | undefined): value is Place => PLACES.some((place) => place === value)

/** `{"reasoning": "first" | "second" | "tie", ...}` for the three criteria. */
export const RANK_FORM = declareForm<Places>('agent-kb-rank', {
  schema: exactObject(Object.fromEntries(RANKING_CRITERIA.map((name) => [name, { enum: PLACES }]))),
  read(value) {
    const [reasoning, completeness, transferability] = RANKING_CRITERIA.map((name) => textField(value, name))
    return isPlace(reasoning) && isPlace(completeness) && isPlace(transferability)
      ? { reasoning, completeness, transferability }
      : undefined
  },
})

/** Who a place stands for, given who was shown first. */
function verdictOf(places: Places, first: RankingVerdict['first']): RankingVerdict {
  const second = first === 'candidate' ? 'existing' : 'candidate'
  const who = (place: Place) => (place === 'tie' ? 'tie' : place === 'first' ? first : second)
  return {
    first,
    reasoning: who(places.reasoning),
    completeness: who(places.completeness),
    transferability: who(places.transferability),
  }
}

/** Whether an experience says something of a thing that another does not speak of. */
export function saysMore(one: Experience, other: Experience): boolean {
  const knownSet = new Set(saidOf(other).values())
  return [...saidOf(one).values()].some((subject) => !knownSet.has(subject))
}

/**
 * The candidate wins with more votes over both orders and all criteria, and with as many where it is `moreComplete`; otherwise what is
 * there stays.
 */
export function winnerOf(verdicts: readonly RankingVerdict[], moreComplete = false): Ranking['winner'] {
  const votes = verdicts.flatMap((verdict) => RANKING_CRITERIA.map((name) => verdict[name]))
  const count = (who: string): number => votes.filter((vote) => vote === who).length
  const ahead = count('candidate') - count('existing')
  return ahead > 0 || (ahead === 0 && moreComplete) ? 'candidate' : 'existing'
}

const sameText = (a: Experience, b: Experience): boolean =>
  a.question === b.question && experienceText(a) === experienceText(b)

/**
 * Compares two similar experiences by reasoning, completeness and transferability. The model is asked twice, in either
 * order, so that the position decides nothing: a vote for whoever stands first cancels itself out. Two equal texts
 * need no model. Ranking null: a reply was unusable, `failure` says how.
 */
export async function rankExperiences(
  candidate: Experience,
  existing: Experience,
  measurement: { readonly cosine: number; readonly tau: number; readonly taskIndex: number },
  context: Pick<MethodContext, 'model' | 'seed' | 'prompts'>,
  signal?: AbortSignal,
): Promise<{
  ranking: Ranking | null
  failure: Extract<Written<Places>, { value: null }> | null
  usage: Usage
}> {
  const { cosine, tau, taskIndex } = measurement
  const about = { candidateId: candidate.id, existingId: existing.id, cosine, tau }
  if (sameText(candidate, existing))
    return { ranking: { ...about, verdicts: [], winner: 'existing' }, failure: null, usage: NO_USAGE }
  const moreComplete = candidate.meta.outcome === 'success' && saysMore(candidate, existing)
  const verdicts: RankingVerdict[] = []
  let usage = NO_USAGE
  for (const first of ['existing', 'candidate'] as const) {
    const [one, two] = first === 'candidate' ? [candidate, existing] : [existing, candidate]
    const messages = promptAbout(
      context.prompts.text(RANK_ROLE),
      `First experience\n${experienceText(one)}`,
      `Second experience\n${experienceText(two)}`,
    )
    const order = { role: `${RANK_ROLE}/${first}`, messages, form: RANK_FORM, taskIndex, maxTokens: 64 }
    const output = await write(order, context, signal)
    usage = addUsage(usage, output.usage)
    if (output.value === null) return { ranking: null, failure: output, usage }
    verdicts.push(verdictOf(output.value, first))
  }
  return { ranking: { ...about, verdicts, winner: winnerOf(verdicts, moreComplete) }, failure: null, usage }
}
