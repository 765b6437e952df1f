import { useState } from 'react'
import { answerOf, type AskAttempt, type AskInfo } from '../../../shared/domain/ask'
import { formatCount, formatDuration, plural } from '../../components/format'
import { Summary } from '../../components/fold'
import type { BranchPlace } from './branch-dialog'
import { WhyButton } from '../../ground/why-view'
import { FileList } from './file-list'
import { Fitted, Recalled } from './recalled'
import { Learned, RememberedFacts } from './learned'
import { Long } from './collapsible'
import { Markdown } from './markdown'
import { Plans, Steps, Thought } from './steps'
import { VerdictForm } from './verdict-form'
import { usePictures } from './picture'

const FINISH_WORDS = {
  completed: null,
  'round-limit': 'It found no answer within its rounds.',
  'invalid-action': 'It wrote something that is no action.',
  'context-overflow': 'What it had to read was longer than its model can read.',
  'output-limit': 'Its answer was cut at its length limit.',
  budget: 'Its tokens or its time were used up.',
} as const

/** Small models are often quicker than a second. */
const timeOf = (ms: number): string => (ms < 1000 ? `${ms} ms` : formatDuration(ms))

/** One try that is over: how it went, the answer, what it made, what a person says of it, and what was learned. */
export function AttemptView(props: {
  ask: AskInfo
  attempt: AskAttempt
  /** Whether R, P and W judge it. */
  keys: boolean
  onBranch(place: BranchPlace): void
}) {
  const { ask, attempt, keys, onBranch } = props
  const { trajectory, made, judgement } = attempt
  const { rounds, cycles, recalled, finish, reason, usage } = trajectory
  const picture = usePictures(ask, attempt)
  const [wrongAt, setWrongAt] = useState<number | null>(judgement?.wrongAt ?? null)
  const last = rounds.at(-1)
  const answer = answerOf(attempt)
  const branching = { branch: (step: number) => onBranch({ attempt, step }) }
  const problem = reason ?? FINISH_WORDS[finish]
  const doubted = judgement !== null && judgement.verdict !== 'right'
  const steps = rounds.filter(({ action }) => action.kind !== 'answer')
  return (
    <>
      {attempt.fitted ? <Fitted fitted={attempt.fitted} /> : null}
      <Recalled
        items={recalled}
        memoryId={trajectory.memoryId}
        inWorld={ask.spec.world !== null}
        version={judgement?.learned ? judgement.id : ''}
      />
      {cycles ? (
        <Plans
          cycles={cycles}
          {...branching}
          {...(doubted && { picking: { at: wrongAt, onPick: setWrongAt } })}
        />
      ) : doubted ? (
        <Steps rounds={rounds} picking={{ at: wrongAt, onPick: setWrongAt }} {...branching} />
      ) : steps.length > 0 ? (
        <details className="group" open={ask.spec.world !== null}>
          <Summary>{plural(steps.length, 'step')}</Summary>
          <div className="mt-2">
            <Steps rounds={rounds} {...branching} />
          </div>
        </details>
      ) : null}
      <section aria-label="The answer" className="flex flex-col gap-3">
        <h3 className="text-xs font-medium text-muted">The answer</h3>
        {last?.thought !== undefined && steps.length === 0 ? <Thought text={last.thought} /> : null}
        {answer === null ? null : ask.spec.world ? (
          <Long label="The answer" text={answer} />
        ) : (
          <Markdown text={answer} picture={picture} />
        )}
        {problem === null ? null : <p className="text-sm text-notice">{problem}</p>}
        {made.length > 0 ? <FileList ask={ask} attempt={attempt.index} files={made} /> : null}
        <p className="text-xs text-muted">
          Read {plural(usage.promptTokens, 'token')}, wrote {formatCount(usage.completionTokens)}, in{' '}
          {timeOf(Date.parse(trajectory.finishedAt) - Date.parse(trajectory.startedAt))}.
        </p>
      </section>
      {doubted || finish !== 'completed' ? (
        <WhyButton
          place={{ kind: 'ask', askId: ask.id, attempt: attempt.index }}
          version={judgement?.id ?? ''}
          onAgain={() => onBranch({ attempt, step: null })}
        />
      ) : null}
      <VerdictForm
        key={judgement?.id ?? 'unjudged'}
        ask={ask}
        attempt={attempt}
        wrongAt={wrongAt}
        keys={keys}
        onAgain={() => onBranch({ attempt, step: null })}
      />
      <RememberedFacts items={attempt.facts} memoryId={trajectory.memoryId} />
      {judgement ? <Learned ask={ask} judgement={judgement} /> : null}
    </>
  )
}
