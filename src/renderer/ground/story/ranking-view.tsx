import {
  RANKING_CRITERIA,
  type Ranking,
  type Experience,
  type ExperienceStanding,
} from '../../../shared/domain/experience'
import { attemptExperienceSchema } from '../../../shared/domain/experience-view'
import { ErrorNotice } from '../../components/error-notice'
import { TextLink } from '../../components/row-link'
import { Term } from '../../components/term'
import { PlainTable } from '../plain-table'
import { useQuery } from '../use-query'
import { useServices } from '../../stores/use-services'

const VOTES = { candidate: 'new', existing: 'old', tie: 'tie' } as const

/** How the ranker decided between two similar experiences: every vote in both orders. */
export function RankingView({ ranking }: { ranking: Ranking }) {
  const { cosine, tau, verdicts, winner } = ranking
  return (
    <div className="flex flex-col gap-1.5 text-sm">
      <p>
        <Term name="ranker">Ranker</Term>: the {winner === 'candidate' ? 'new' : 'old'} one won.{' '}
        <Term name="cosine">Cosine</Term> {cosine.toFixed(3)}, above tau {tau}.
      </p>
      {verdicts.length === 0 ? (
        <p className="text-muted">Both say the same, so no model was asked.</p>
      ) : (
        <PlainTable
          caption="The votes"
          rows={verdicts}
          keyOf={({ first }) => first}
          columns={[
            { head: 'Shown first', cell: ({ first }) => VOTES[first] },
            ...RANKING_CRITERIA.map((name) => ({
              head: name,
              words: true,
              cell: (verdict: (typeof verdicts)[number]) => VOTES[verdict[name]],
            })),
          ]}
        />
      )}
    </div>
  )
}

/** What an attempt became: the experience, and how the ranker decided when a similar one was there. */
export function BecameExperience({ memoryId, trajectoryId }: { memoryId: string; trajectoryId: string }) {
  const { client, openItem } = useServices()
  const { data: product, problem } = useQuery(`${memoryId}/${trajectoryId}`, async () =>
    attemptExperienceSchema
      .nullable()
      .parse(
        await client.items.view({ memoryId, kind: 'experience', ability: 'became', input: { trajectoryId } }),
      ),
  )
  if (problem) return <ErrorNotice problem={problem} />
  if (!product) return <p className="text-sm text-muted">No experience was saved.</p>
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p>
        {product.standing.why === null ? 'Saved as an experience' : STANDINGS[product.standing.why]}.{' '}
        <TextLink onClick={() => openItem(memoryId, { kind: 'experience', id: product.id })}>
          Open it
        </TextLink>
      </p>
      {product.ranking ? <RankingView ranking={product.ranking} /> : null}
    </div>
  )
}

export const ORIGIN_WORDS: Readonly<Record<Experience['origin'], string>> = {
  log: 'A log as it happened',
  abstraction: 'Written by a model from a log',
  'data-file': 'Read from an Agent KB file',
  submitted: 'Handed in by a program',
}

/** What happened to an experience that does not count any more. */
const STANDINGS: Readonly<Record<NonNullable<ExperienceStanding['why']>, string>> = {
  abstraction: 'Replaced by what a model wrote from it',
  duplicate: 'Replaced by a better, similar one',
  edit: 'Replaced by an edited version',
  budget: 'In the trash: left for want of room',
  deleted: 'In the trash: deleted',
}
