import type { ReactNode } from 'react'
import { useStore } from 'zustand'
import {
  guidanceText,
  storedExperienceSchema,
  type StoredExperience,
} from '../../../../../shared/domain/experience'
import { ErrorNotice } from '../../../../components/error-notice'
import { plural } from '../../../../components/format'
import { Loading } from '../../../../components/loading'
import { Term } from '../../../../components/term'
import { useQuery } from '../../../../ground/use-query'
import { useServices } from '../../../../stores/use-services'
import type { KindPanel } from '../panel'
import { ExperienceSource } from './experience-source'
import { ExperienceSteps } from './experience-steps'
import { KbWork } from './kb-work'

/** Experiences: what an agent is shown, the steps, where it was made, and the work on logs. */
export const experiencePanel: KindPanel = {
  kind: 'experience',
  parts: ({ id }) => [
    {
      value: 'text',
      label: 'What an agent is shown',
      content: <Whole id={id}>{(record) => <Shown stored={record} />}</Whole>,
    },
    {
      value: 'steps',
      label: 'Steps',
      content: <Whole id={id}>{({ experience }) => <ExperienceSteps experience={experience} />}</Whole>,
    },
  ],
  origin: ({ id }) => (
    <Whole id={id}>{({ experience }) => <ExperienceSource experience={experience} />}</Whole>
  ),
  Work: KbWork,
}

/** An experience with everything that is kept of it. */
function Whole({ id, children }: { id: string; children(record: StoredExperience): ReactNode }) {
  const { client, items } = useServices()
  const memoryId = useStore(items, (state) => state.memoryId)
  const { data, problem, reload } = useQuery(
    `${memoryId}/${id}`,
    memoryId === null
      ? null
      : async () =>
          storedExperienceSchema.parse(
            await client.items.view({ memoryId, kind: 'experience', ability: 'whole', input: { id } }),
          ),
  )
  if (problem) return <ErrorNotice problem={problem} alwaysRetry onRetry={reload} />
  return data ? children(data) : <Loading what="the experience" />
}

function Shown({ stored: { experience, standing } }: { stored: StoredExperience }) {
  const { agentPlan, searchAgentPlan, constraints, repair } = experience
  const parts = [
    { title: 'Plan', text: agentPlan },
    { title: 'Experience', text: guidanceText(experience.agentExperience) },
    { title: 'Search plan', text: searchAgentPlan },
    { title: 'Search experience', text: guidanceText(experience.searchAgentExperience) },
  ].filter(({ text }) => text !== '')
  return (
    <>
      <p className="text-sm text-muted">
        <Term name="utility">utility</Term> {standing.utility.toFixed(2)}, {plural(standing.uses, 'use')}
        {standing.transfers.length > 0 ? `, helped in ${standing.transfers.join(', ')} too` : ''}
      </p>
      {parts.length === 0 ? <p className="text-muted">Nothing beyond the task itself.</p> : null}
      {parts.map(({ title, text }) => (
        <section key={title}>
          <h2 className="mb-1 text-sm font-medium">{title}</h2>
          <p className="rounded-lg border bg-canvas px-4 py-3 [overflow-wrap:anywhere] whitespace-pre-line">
            {text}
          </p>
        </section>
      ))}
      {constraints.length > 0 ? (
        <section>
          <h2 className="mb-1 text-sm font-medium">Constraints of the goal</h2>
          <ul className="flex flex-wrap gap-1.5">
            {constraints.map((each, i) => (
              <li key={i} className="rounded bg-sunken px-1.5 font-mono text-xs leading-5">
                {each.predicate}({each.arguments.join(', ')})
              </li>
            ))}
          </ul>
        </section>
      ) : null}
      {repair && (repair.keywords.length > 0 || repair.summary !== '') ? (
        <p className="text-sm text-muted">
          {[repair.category, repair.summary, repair.keywords.join(', ')]
            .filter((part) => part !== '')
            .join(' · ')}
        </p>
      ) : null}
    </>
  )
}
