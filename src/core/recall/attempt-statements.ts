import type { CaseWrite } from '../ground/ports'
import type { Trajectory } from '../../shared/domain/trajectory'
import type { ShownItem } from './value-model'
import { answerOn, lastStatements, questionsOf, statementsOf, taskThings, type Statement } from './statements'

/** The place a task shares with others; tasks that name none share one. */
export const placeOf = (world: string | undefined): string => world ?? ''

/** What an attempt came to say about the things of its task. */
export interface AttemptStatements {
  readonly place: string
  /** The last word about each thing. */
  readonly relied: readonly Statement[]
  /** Those of them that it came to while it was acting: it did not say so at first. */
  readonly seen: readonly Statement[]
}

/** Reads the statements off an attempt's replies. */
export function statementsFrom({
  task,
  rounds,
}: {
  readonly task: Pick<Trajectory['task'], 'instruction' | 'context' | 'world'>
  readonly rounds: readonly Pick<Trajectory['rounds'][number], 'completion' | 'observation'>[]
}): AttemptStatements {
  const { all } = taskThings(task.instruction, task.context ?? '')
  const statementMap = rounds.map(({ completion }) => lastStatements(statementsOf(completion), all))
  const last = new Map<string, Statement>()
  for (const each of statementMap) for (const [subject, statement] of each) last.set(subject, statement)
  const first = statementMap[0] ?? new Map<string, Statement>()
  const relied = [...last.values()]
  // An answer that names the thing itself says it better than the agent, who may read it wrongly.
  const answered = new Map<string, Statement>()
  for (const { completion, observation } of rounds)
    for (const { subject, lead } of questionsOf(completion)) {
      const value = all.has(subject) ? answerOn(subject, observation ?? '') : null
      if (value !== null) answered.set(subject, { subject, value, lead })
    }
  const statements = relied.filter(
    ({ subject, value }) => !answered.has(subject) && first.get(subject)?.value !== value,
  )
  return { place: placeOf(task.world), relied, seen: [...answered.values(), ...statements] }
}

/** Whether an attempt's failure says something about what it was shown: one that ran out of rounds before it answered does not. */
export const isTelling = ({ reward, finish }: Pick<Trajectory, 'reward' | 'finish'>): boolean =>
  reward === 1 || finish === 'completed'

/** What an attempt was shown by this policy, with the features of then; null where another method chose. */
export function shownItems({ recalled, choice }: Trajectory): ShownItem[] | null {
  if (!choice) return null
  return recalled.map(({ kind, id, why }) => ({ key: itemKey(kind, id), features: why?.features ?? {} }))
}

export const itemKey = (kind: string, id: string): string => `${kind} ${id}`

/** A case as the policy holds it ready. */
export interface HeldCase {
  readonly index: number
  readonly write: CaseWrite
  readonly statements: readonly Statement[]
}

export const heldCase = (index: number, write: CaseWrite): HeldCase => ({
  index,
  write,
  statements: statementsOf(`${write.case.state}\n${write.case.plan}`),
})
