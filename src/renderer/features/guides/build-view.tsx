import { Check, Play, Square, X } from '../../components/icons'
import { useState } from 'react'
import type { ConceptTree } from '../../../shared/domain/guide'
import type { BuildInfo, BuildOutcome, KbScore } from '../../../shared/domain/guide-build'
import type { LoamErrorShape } from '../../../shared/errors'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Figure } from '../../components/figure'
import { formatCount, formatDuration, formatShare, formatWhen, plural } from '../../components/format'
import { Loading } from '../../components/loading'
import { ProgressBar } from '../../components/progress-bar'
import { PageHead } from '../../components/screen'
import { Term } from '../../components/term'
import { useStopJob } from '../../ground/ask-cancel'
import { PlainTable, type PlainColumn } from '../../ground/plain-table'
import { useServices, useStored } from '../../stores/use-services'
import { ConceptsReview } from './concepts-review'
import { TreesView } from './tree-view'
import { buildState, buildTitle, STRATEGY_WORDS } from './words'

/** One build: how far it is, the concepts, and a search tree for each. */
export function BuildView({ buildId }: { buildId: string }) {
  const info = useStored('guides', ({ builds }) => builds.find(({ build }) => build.id === buildId))
  const trees = useStored('guides', (state) => state.trees)
  const failure = useStored('jobs', (state) => {
    const newest = state.data.find(({ kind, subject }) => kind === 'build' && subject === buildId)
    return newest?.status === 'failed' ? newest.problem : null
  })
  const [problem, setProblem] = useState<LoamErrorShape | null>(null)
  if (!info) return <Loading what="the build" />
  const planted = (trees ?? []).filter(({ nodes }) => nodes.length > 0)
  return (
    <article className="mx-auto flex max-w-5xl flex-col gap-5 p-6">
      <Heading info={info} onProblem={setProblem} />
      {problem ? <ErrorNotice problem={problem} /> : null}
      {failure && info.status !== 'running' ? <ErrorNotice problem={failure} /> : null}
      {info.status === 'running' ? <Progress info={info} /> : null}
      <Figures info={info} trees={trees ?? []} />
      {info.outcome ? <OutcomeTable outcome={info.outcome} /> : null}
      {info.outcome ? <Proposals buildId={buildId} onProblem={setProblem} /> : null}
      {info.status === 'concepts' ? (
        <ConceptsReview info={info} onProblem={setProblem} />
      ) : planted.length > 0 ? (
        <TreesView trees={planted} running={info.status === 'running'} />
      ) : info.status === 'running' ? (
        <p className="text-sm text-muted">
          The trees appear here once the training tasks were tried and the first guides are written.
        </p>
      ) : null}
    </article>
  )
}

function Heading(props: { info: BuildInfo; onProblem: (problem: LoamErrorShape | null) => void }) {
  const { info, onProblem } = props
  const { client, guides } = useServices()
  const { build, status } = info
  const { words, tone } = buildState(info)
  const { settings } = build
  const resume = async () =>
    onProblem(
      await guides.getState().act((memoryId) => client.guides.resume({ memoryId, buildId: build.id })),
    )
  const stop = useStopJob()
  const job = useStored('jobs', (state) => state.data.find(({ id }) => id === info.jobId))
  const sizes = [
    plural(settings.iterations, 'round'),
    ...(settings.strategy === 'iterative' ? [] : [plural(settings.width, 'variant')]),
    ...(settings.strategy === 'mcts' ? [`depth ${settings.depth}`] : []),
    `λ ${settings.lambda}`,
  ]
  return (
    <PageHead
      title={`Guides from ${buildTitle(info)}`}
      marks={<Badge tone={tone}>{words}</Badge>}
      lead={
        <>
          <Term name="expand and gather">{STRATEGY_WORDS[settings.strategy]}</Term>, {sizes.join(', ')}; model{' '}
          {build.modelName}, seed {build.seed}; begun {formatWhen(build.startedAt)}
        </>
      }
      actions={
        status === 'running' && job ? (
          <Button icon={Square} onClick={() => stop(job)}>
            Stop
          </Button>
        ) : status === 'concepts' || (status === 'unfinished' && build.stream !== null) ? (
          <Button look="primary" icon={Play} onClick={() => void resume()}>
            {status === 'concepts' ? 'Begin the search' : 'Go on'}
          </Button>
        ) : null
      }
    />
  )
}

function Progress({ info }: { info: BuildInfo }) {
  const job = useStored('jobs', (state) => state.data.find(({ id }) => id === info.jobId))
  if (!job) return null
  const restText = job.etaMs === null ? '' : `, about ${formatDuration(job.etaMs)} left`
  return (
    <div className="flex flex-col gap-1.5" role="status" aria-label="Progress of the build">
      <ProgressBar label={job.title} done={job.done} total={job.done === 0 ? null : job.total} />
      <p className="text-sm text-muted">
        {job.activity}
        {restText}. It goes on when you leave this screen.
      </p>
    </div>
  )
}

/** What was counted so far. */
function Figures({ info, trees }: { info: BuildInfo; trees: readonly ConceptTree[] }) {
  const { build, concepts, outcome, nodes } = info
  const allNodes = trees.flatMap((tree) => tree.nodes)
  const scored = allNodes.reduce((sum, { evaluations }) => sum + evaluations.length, 0)
  const rounds = allNodes.reduce((most, { iteration }) => Math.max(most, iteration), 0)
  const { writings, unusable = 0 } = outcome ?? {}
  const figures: readonly (readonly [string, string | undefined])[] = [
    ['Training tasks', formatCount(build.train.length)],
    ['Held-out tasks', formatCount(build.evaluation.length)],
    ['Concepts', concepts.length === 0 ? '–' : formatCount(concepts.length)],
    ['Rounds', `${outcome?.iterations ?? rounds} of ${build.settings.iterations}`],
    ['Guides tried', formatCount(nodes)],
    ['Attempts that scored', formatCount(scored)],
    ['Answered from cache', outcome ? formatCount(outcome.cacheHits) : undefined],
    ['Tokens', outcome ? formatCount(outcome.tokens) : undefined],
    ['Texts that failed', writings === undefined ? undefined : `${unusable} of ${formatCount(writings)}`],
  ]
  return (
    <dl className="flex flex-wrap gap-x-8 gap-y-3 rounded-lg border px-4 py-3">
      {figures.map(
        ([term, text]) =>
          text !== undefined && (
            <Figure key={term} name={term}>
              {text}
            </Figure>
          ),
      )}
    </dl>
  )
}

/** What the build proposes and nobody decided about yet. */
function Proposals(props: { buildId: string; onProblem: (problem: LoamErrorShape | null) => void }) {
  const { client, guides } = useServices()
  const { buildId, onProblem } = props
  const documents = useStored('guides', (state) => state.documents)
  const waiters = documents.filter(({ proposed }) => proposed?.buildId === buildId)
  if (waiters.length === 0) return null
  const decide = async (accepted: boolean) =>
    onProblem(
      await guides.getState().act((memoryId) => client.guides.decideAll({ memoryId, buildId, accepted })),
    )
  return (
    <section
      aria-label="Proposed"
      className="flex flex-wrap items-center gap-3 rounded-lg border bg-notice-soft px-4 py-3"
    >
      <p className="min-w-56 flex-1 text-sm">
        {plural(waiters.length, 'guide')} wait for you: {waiters.map(({ concept }) => concept).join(', ')}.
        Agents read them once they are accepted.
      </p>
      <Button look="danger" icon={X} onClick={() => void decide(false)}>
        Reject all
      </Button>
      <Button look="primary" icon={Check} onClick={() => void decide(true)}>
        Accept all
      </Button>
    </section>
  )
}

interface Outcome {
  readonly name: string
  readonly score: KbScore
  readonly hasGuides: boolean
}

/** Held-out tasks without documents, with the first ones, and with the winners. */
function OutcomeTable({ outcome }: { outcome: BuildOutcome }) {
  const rows: readonly Outcome[] = [
    { name: 'Without guides', score: outcome.without, hasGuides: false },
    ...(outcome.standing
      ? [{ name: 'With what was read before', score: outcome.standing, hasGuides: true }]
      : []),
    { name: 'Before the search', score: outcome.before, hasGuides: true },
    { name: 'After the search', score: outcome.after, hasGuides: true },
  ]
  const columns: readonly PlainColumn<Outcome>[] = [
    {
      head: `Held-out tasks${outcome.stopped === 'budget' ? ' (the budget was spent)' : ''}`,
      cell: ({ name }) => name,
    },
    { head: 'Solved', cell: ({ score }) => formatShare(score.correctness) },
    {
      head: <Term name="MRR" />,
      cell: ({ score, hasGuides }) => (hasGuides ? score.mrr.toFixed(2) : '–'),
    },
  ]
  return (
    <section aria-label="Result" className="max-w-lg">
      <PlainTable caption="Held-out tasks" columns={columns} rows={rows} keyOf={({ name }) => name} />
    </section>
  )
}
