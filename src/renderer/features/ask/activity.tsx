import { Activity, FlaskConical } from '../../components/icons'
import { useState } from 'react'
import type { Review } from '../../../shared/domain/review'
import { formatCount, formatShare, formatWhen, plural } from '../../components/format'
import { TextLink } from '../../components/row-link'
import { statusWords } from '../../components/status-words'
import { useOwnRuns } from '../../ground/own-runs'
import { runTitle } from '../../ground/run-title'
import { TitledSection } from '../../ground/titled-section'
import { useQuery } from '../../ground/use-query'
import { useServices, useStored } from '../../stores/use-services'
import { ReviewDialog } from './review-dialog'

/** Something that waits: what, and what a person can do. */
interface Waiting {
  readonly words: string
  readonly link: string
  run(): void
  /** Is told of it no more today; not there where it stays. */
  readonly later?: () => void
}

/** What goes on only once a person has said something; nothing while nothing waits. */
export function NeedsAttention() {
  const { client, openRecord } = useServices()
  const askList = useStored('asks', (state) => state.asks)
  const presumed = askList.reduce((sum, ask) => sum + ask.presumed, 0)
  const unjudged = askList.filter(({ status, verdict }) => status === 'done' && verdict === null).length
  const query = useQuery('review', () => client.asks.review(), `${presumed}/${unjudged}`)
  const [review, setReview] = useState<Review | null>(null)
  const putOff = () => void client.asks.putOffReview().then(query.reload, query.reload)
  const paused = useOwnRuns().filter(({ status }) => status === 'paused')
  const resting = useStored('experiments', (state) => state.heads).filter(({ status }) => status === 'paused')
  const things: readonly Waiting[] = [
    ...(query.data?.due === true
      ? [
          {
            words: `${plural(query.data.total, 'answer')} ${query.data.total === 1 ? 'waits' : 'wait'} for your word: the memory learns once you say whether it was right. One key each, and you are asked once a day.`,
            link: 'Go through them',
            run: () => {
              setReview(query.data)
              putOff()
            },
            later: putOff,
          },
        ]
      : []),
    ...paused.map(({ id, done, total }) => ({
      words: `A run rests after ${done} of ${plural(total, 'task')}.`,
      link: 'Go on with it',
      run: () => openRecord('run', id),
    })),
    ...resting.map(({ id, name, done, total }) => ({
      words: `The experiment “${name}” rests after ${done} of ${plural(total, 'task')}.`,
      link: 'Go on with it',
      run: () => openRecord('experiment', id),
    })),
  ]
  return (
    <>
      {things.length === 0 ? null : (
        <TitledSection title="Waits for you">
          <ul className="divide-y rounded-lg border bg-surface">
            {things.map(({ words, link, run, later }) => (
              <li key={words} className="px-4 py-3">
                {words} <TextLink onClick={run}>{link}</TextLink>
                {later ? (
                  <>
                    {' '}
                    <TextLink onClick={later}>Not today</TextLink>
                  </>
                ) : null}
              </li>
            ))}
          </ul>
        </TitledSection>
      )}
      {review === null ? null : <ReviewDialog review={review} onClose={() => setReview(null)} />}
    </>
  )
}

const MOST_SHOWN = 4

const ICONS = { run: Activity, experiment: FlaskConical } as const

/** The newest runs and experiments with how they went; nothing before the first. */
export function LabActivity() {
  const { openRecord } = useServices()
  const runList = useOwnRuns()
  const heads = useStored('experiments', (state) => state.heads)
  const methodList = useStored('methods', (state) => state.data)
  const streamList = useStored('streams', (state) => state.data)
  const things = [
    ...runList.map((run) => ({
      ...{ kind: 'run' as const, id: run.id, createdAt: run.createdAt },
      title: runTitle(run, methodList, streamList),
      detail: `Run, ${statusWords(run).toLowerCase()}${run.done > 0 ? `, ${formatShare(run.solved / run.done)} of ${plural(run.done, 'task')} solved` : ''}`,
    })),
    ...heads.map((head) => ({
      ...{ kind: 'experiment' as const, id: head.id, title: head.name, createdAt: head.createdAt },
      detail: `Experiment, ${statusWords(head).toLowerCase()}, ${
        head.done === head.total ? '' : `${formatCount(head.done)} of `
      }${plural(head.total, 'task')}`,
    })),
  ].sort((a, b) => b.createdAt.localeCompare(a.createdAt))
  if (things.length === 0) return null
  return (
    <TitledSection title="In the Lab lately">
      <ul className="divide-y rounded-lg border bg-surface">
        {things.slice(0, MOST_SHOWN).map(({ kind, id, title, detail, createdAt }) => {
          const Icon = ICONS[kind]
          return (
            <li key={id}>
              <button
                type="button"
                onClick={() => openRecord(kind, id)}
                className="flex w-full items-center gap-3 px-4 py-2.5 text-left transition-colors duration-100 -outline-offset-2 hover:bg-hover"
              >
                <Icon size={16} strokeWidth={1.75} aria-hidden className="shrink-0 text-muted" />
                <span className="min-w-0 flex-1">
                  <span className="block truncate">{title}</span>
                  <span className="block truncate text-xs text-muted">{detail}</span>
                </span>
                <span className="shrink-0 text-xs text-muted">{formatWhen(createdAt)}</span>
              </button>
            </li>
          )
        })}
      </ul>
    </TitledSection>
  )
}
