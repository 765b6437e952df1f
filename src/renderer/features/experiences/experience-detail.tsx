import { Pencil, Trash2, Undo2 } from 'lucide-react'
import { useStore } from 'zustand'
import { guidanceText, type Experience } from '../../../shared/domain/experience'
import type { ExperienceDetail as Detail } from '../../../shared/domain/experience-view'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { DialogButton } from '../../components/dialog-button'
import { formatWhen, plural } from '../../components/format'
import { Outcome } from '../../components/outcome'
import { Term } from '../../components/term'
import { useServices } from '../../stores/use-services'
import { EditDialog } from './edit-dialog'
import { ExperienceChain } from './experience-chain'
import { ExperienceSource } from './experience-source'
import { ExperienceSteps } from './experience-steps'
import { useDeleteExperience } from './use-delete-experience'
import { WhyFound } from './why-found'
import { DetailPane, PartTabs } from '../../ground/detail-pane'
import { useUndo } from '../../ground/use-undo'
import { standingWords } from '../../ground/story/experience-words'

/** One experience in full: why it was found, what an agent is shown, its steps, where it came from, what it replaced. */
export function ExperienceDetail({ detail }: { detail: Detail }) {
  const { experiences } = useServices()
  const { report } = useUndo()
  const { openMatch, filters } = useStore(experiences)
  const deleteExperience = useDeleteExperience()
  const { experience, standing, daysLeft, chain } = detail
  const { meta } = experience
  const gone = standingWords(standing)
  const restore = async () => report(await experiences.getState().restore(experience.id))
  return (
    <DetailPane
      marks={
        <>
          {meta.outcome === 'unknown' ? (
            <Badge>Outcome unknown</Badge>
          ) : (
            <Outcome reward={meta.outcome === 'success' ? 1 : 0} />
          )}
          {gone ? <Badge tone="notice">{gone}</Badge> : null}
          {daysLeft === null ? null : <Badge tone="notice">{plural(daysLeft, 'day')} left</Badge>}
          <span className="text-sm text-muted">{formatWhen(experience.createdAt)}</span>
        </>
      }
      title={experience.question}
      lead={
        <>
          {meta.framework} · {meta.domain} · <Term name="utility">utility</Term> {standing.utility.toFixed(2)}
          , {plural(standing.uses, 'use')}
          {standing.transfers.length > 0 ? `, helped in ${standing.transfers.join(', ')} too` : ''}
        </>
      }
      actions={
        gone ? (
          <Button icon={Undo2} onClick={() => void restore()}>
            Restore
          </Button>
        ) : (
          <>
            <DialogButton
              icon={Pencil}
              dialog={(close) => <EditDialog experience={experience} onClose={close} />}
            >
              Edit
            </DialogButton>
            <Button look="danger" icon={Trash2} onClick={() => void deleteExperience(experience.id)}>
              Delete
            </Button>
          </>
        )
      }
    >
      {openMatch ? <WhyFound match={openMatch} alpha={filters.alpha} /> : null}
      <PartTabs
        label="Parts of the experience"
        parts={[
          { value: 'shown', label: 'What an agent is shown', content: <Shown experience={experience} /> },
          {
            value: 'steps',
            label: `Steps (${experience.steps.length})`,
            content: <ExperienceSteps experience={experience} />,
          },
          {
            value: 'source',
            label: 'Where it came from',
            content: <ExperienceSource experience={experience} />,
            onOpen: () => {
              if (experience.trajectoryId) void experiences.getState().loadSource()
            },
          },
          {
            value: 'chain',
            label: `Versions (${chain.length})`,
            content: <ExperienceChain detail={detail} />,
          },
        ]}
      />
    </DetailPane>
  )
}

function Shown({ experience }: { experience: Experience }) {
  const { agentPlan, searchAgentPlan, constraints, repair } = experience
  const parts = [
    { title: 'Plan', text: agentPlan },
    { title: 'Experience', text: guidanceText(experience.agentExperience) },
    { title: 'Search plan', text: searchAgentPlan },
    { title: 'Search experience', text: guidanceText(experience.searchAgentExperience) },
  ].filter(({ text }) => text !== '')
  return (
    <>
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
