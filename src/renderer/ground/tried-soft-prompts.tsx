import { trialWords, type TrialResult, type Untrained } from '../../shared/domain/soft-prompt'
import { plural } from '../components/format'

/** How soft prompts that a run trained did on held-out tasks, and which could not be trained, a sentence each; nothing where none fell due. */
export function TriedSoftPrompts(props: {
  tried?: readonly TrialResult[] | undefined
  untrained?: readonly Untrained[] | undefined
}) {
  const { tried = [], untrained = [] } = props
  return (
    <>
      {untrained.map(({ due, problem }) => (
        <p key={due} className="text-sm text-notice">
          No soft prompt was trained after {plural(due, 'task')}, and the run went on without: {problem.cause}
        </p>
      ))}
      {tried.map((trial) => (
        <p key={trial.due} className="text-sm text-muted">
          {trialWords(trial)}
        </p>
      ))}
    </>
  )
}
