import { trialWords, type TrialResult } from '../../shared/domain/soft-prompt'

/** How soft prompts that a run trained did on held-out tasks, a sentence each; nothing where none was tried. */
export function TriedSoftPrompts({ tried = [] }: { tried?: readonly TrialResult[] | undefined }) {
  return tried.map((trial) => (
    <p key={trial.due} className="text-sm text-muted">
      {trialWords(trial)}
    </p>
  ))
}
