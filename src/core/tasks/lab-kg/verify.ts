import type { Task } from '../../../shared/domain/task'
import { openEpisode, type Environment, type StepOutcome } from '../../ground/environment'
import type { Verdict } from '../../ground/environment-module'
import { graphName, readLabKgTask } from './environment'

/** Plays an entry's list of actions as an agent would, and answers with the last variable. The share that agrees is told by where the graph comes from. */
export async function verifyEntry(environment: Environment, task: Task, isShared: boolean): Promise<Verdict> {
  const entry = readLabKgTask(task)
  const { action_list: actions } = entry
  if (actions.length === 0) return { kind: 'unknown', why: 'the entry has no list of actions' }
  const getVerdict = (why: string): Verdict => ({
    ...{ kind: 'disagrees', why },
    scores: [{ name: `exact match on ${graphName(entry, isShared)}`, value: 0 }],
  })
  const episode = await openEpisode(environment, task)
  try {
    let newest = -1
    for (const action of actions) {
      const outcome = await episode.step(`Action: ${action}`)
      if (outcome.done) return verdict(outcome, `${action} ended the attempt`)
      if (outcome.failed === true) return getVerdict(outcome.observation)
      const match = /^`[\s\S]*` executes successfully\. Observation: Variable #(\d+),/.exec(
        outcome.observation,
      )
      if (match) newest = Number(match[1])
    }
    const outcome = await episode.step(`Final Answer: #${newest}`)
    return outcome.done
      ? verdict(outcome, 'the list of actions comes to another answer')
      : getVerdict(outcome.observation)
  } finally {
    episode.close()
  }
}

function verdict(outcome: Extract<StepOutcome, { done: true }>, why: string): Verdict {
  if (outcome.ungraded !== undefined) return { kind: 'unknown', why: outcome.ungraded }
  const scores = outcome.scores ?? []
  return outcome.reward === 1 ? { kind: 'agrees', scores } : { kind: 'disagrees', why, scores }
}
