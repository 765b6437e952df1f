import { Check, CircleHelp, X } from 'lucide-react'
import { useStore } from 'zustand'
import type { ExperienceRow } from '../../../shared/domain/experience-view'
import { classNames } from '../../components/class-names'
import { plural } from '../../components/format'
import { StateIcon } from '../../components/row-icons'
import { PagedRecords } from '../../ground/record-browser'
import { RecordWords } from '../../ground/record-list'
import { useServices } from '../../stores/use-services'
import { useDeleteExperience } from './use-delete-experience'
import { OUTCOME_WORDS } from '../../ground/story/experience-words'

/** The list, however long: only what is visible is read. Arrows move, Delete puts into the trash. */
export function ExperienceList() {
  const { experiences } = useServices()
  const list = useStore(experiences)
  const { show, need } = experiences.getState()
  const remove = useDeleteExperience()
  return (
    <PagedRecords
      label="Experiences"
      list={list}
      isOpen={({ id }) => id === list.open?.experience.id}
      onOpen={({ id }) => void show(id)}
      onLook={need}
      onDelete={({ id, standing }) => {
        if (standing.state === 'live') void remove(id)
      }}
      row={(row) => <Row row={row} />}
    />
  )
}

const OUTCOMES = {
  success: { icon: Check, look: 'text-solved' },
  failure: { icon: X, look: 'text-failed' },
  unknown: { icon: CircleHelp, look: 'text-muted' },
} as const

function Row({ row }: { row: ExperienceRow }) {
  const { match, standing, daysLeft } = row
  return (
    <>
      <StateIcon {...OUTCOMES[row.outcome]} word={OUTCOME_WORDS[row.outcome]} />
      <RecordWords title={row.question}>
        {[
          row.framework,
          row.domain,
          daysLeft === null
            ? `utility ${standing.utility.toFixed(2)}, ${plural(standing.uses, 'use')}`
            : `${plural(daysLeft, 'day')} left`,
        ].join(' · ')}
      </RecordWords>
      {match ? (
        <div className="flex w-16 shrink-0 flex-col gap-1 pt-1">
          <span className="text-right text-xs leading-3">{match.score.toFixed(2)}</span>
          <MiniBar label="Words" value={match.textScore} colour="bg-accent" />
          <MiniBar label="Likeness" value={match.semanticScore} colour="bg-line-strong" />
        </div>
      ) : null}
    </>
  )
}

function MiniBar(props: { label: string; value: number | null; colour: string }) {
  if (props.value === null) return null
  return (
    <span
      role="img"
      aria-label={`${props.label} ${props.value.toFixed(2)}`}
      title={`${props.label} ${props.value.toFixed(2)}`}
      className="h-1 overflow-hidden rounded-full bg-hover"
    >
      <span
        className={classNames('block h-full rounded-full', props.colour)}
        style={{ width: `${100 * props.value}%` }}
      />
    </span>
  )
}
