import { attemptExperienceSchema } from '../../../shared/domain/experience-view'
import { ErrorNotice } from '../../components/error-notice'
import { useQuery } from '../use-query'
import { TextLink } from '../../components/text-link'
import { useServices } from '../../stores/use-services'
import { RankingView } from './ranking-view'
import { standingWords } from './experience-words'

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
        {standingWords(product.standing) ?? 'Saved as an experience'}.{' '}
        <TextLink onClick={() => openItem(memoryId, { kind: 'experience', id: product.id })}>
          Open it
        </TextLink>
      </p>
      {product.ranking ? <RankingView ranking={product.ranking} /> : null}
    </div>
  )
}
