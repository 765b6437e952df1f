import { TriangleAlert } from '../../../../components/icons'
import type { ReactNode } from 'react'
import {
  guidanceText,
  storedExperienceSchema,
  type StoredExperience,
  type Experience,
} from '../../../../../shared/domain/experience'
import { Badge } from '../../../../components/badge'
import { plural, formatCount } from '../../../../components/format'
import { Term } from '../../../../components/term'
import { FactList } from '../../../../ground/detail-pane'
import { Mono } from '../../../../ground/story/mono'
import { ORIGIN_WORDS } from '../../../../ground/story/ranking-view'
import { useQuery } from '../../../../ground/use-query'
import { useServices, useStored } from '../../../../stores/use-services'
import type { KindPanel } from '../panel'
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
  const { client } = useServices()
  const memoryId = useStored('items', (state) => state.memoryId)
  const { data, unread } = useQuery(
    `${memoryId}/${id}`,
    memoryId === null
      ? null
      : async () =>
          storedExperienceSchema.parse(
            await client.items.view({ memoryId, kind: 'experience', ability: 'whole', input: { id } }),
          ),
  )
  return data ? children(data) : unread('the experience')
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

/** Provenance: framework, version, file, model. */
function ExperienceSource({ experience }: { experience: Experience }) {
  const { meta, origin } = experience
  const tokens = meta.promptTokens === null ? null : meta.promptTokens + (meta.completionTokens ?? 0)
  const extra = Object.keys(meta.extra).length > 0 ? JSON.stringify(meta.extra, null, 2) : null
  const rows: [string, string | null][] = [
    ['Kind', ORIGIN_WORDS[origin]],
    ['Framework', [meta.framework, meta.frameworkVersion].filter((part) => part !== null).join(' ')],
    ['Model', meta.model],
    ['Tools', meta.tools.length > 0 ? meta.tools.join(', ') : null],
    ['File', meta.sourceFile],
    ['Task or session', meta.sourceId],
    ['Handed in by', meta.client],
    ['Tokens', tokens === null ? null : formatCount(tokens)],
    ['Name', experience.id],
    ['Metadata', extra],
  ]
  return (
    <FactList
      rows={rows.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))}
      className="whitespace-pre-wrap"
    />
  )
}

/** The action-reasoning pairs, in the standard vocabulary, with what came back. */
function ExperienceSteps({ experience }: { experience: Experience }) {
  const { steps, omittedSteps } = experience
  if (steps.length === 0) return <p className="text-muted">No steps were recorded, only what was learned.</p>
  return (
    <>
      {omittedSteps > 0 ? (
        <p className="mb-3 text-sm text-muted">
          {plural(omittedSteps, 'step')} from the middle were left out.
        </p>
      ) : null}
      <ol className="flex flex-col gap-4">
        {steps.map((step, i) => (
          <li key={i} className="flex flex-col gap-1">
            <p className="flex items-center gap-2 text-sm">
              <span className="w-5 text-right text-muted">{i + 1}</span>
              <Badge>{step.verb}</Badge>
              {step.tool !== '' && step.tool !== step.verb ? (
                <span className="font-mono text-xs text-muted">{step.tool}</span>
              ) : null}
              {step.failed ? (
                <span className="flex items-center gap-1 text-failed">
                  <TriangleAlert size={14} aria-hidden /> failed
                </span>
              ) : null}
            </p>
            <div className="flex flex-col gap-1 pl-7">
              {step.reason === '' ? null : <p className="text-sm text-muted">{step.reason}</p>}
              <Mono text={step.content} />
              {step.observation === null ? null : <Mono text={step.observation} />}
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}
