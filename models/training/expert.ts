import type { Fact, HouseRulesTask } from '../../src/core/tasks/house-rules/tasks'
import { toEntry } from '../../src/core/tasks/house-rules/stream'
import type { Finish } from '../../src/shared/domain/trajectory'
import type { Retelling } from '../../src/core/ground/prompt'
import type { ExpertWorld } from './expert-world'

/** An attempt by the expert, with the facts it came to state and which replies are worth learning. */
export interface ExpertAttempt extends Retelling {
  readonly context: string
  /** Facts that can be read off this attempt, in a note or an observation, as `world/key`. */
  readonly stated: ReadonlySet<string>
  /** The same facts with their values, in the order in which they came up. */
  readonly facts: readonly StatedFact[]
  /** Per round: false where the reply was a deliberate slip. */
  readonly learnable: readonly boolean[]
  readonly finish: Finish
  readonly worldName: string
  readonly table: string
  readonly keys: readonly string[]
  readonly unknownAtStart: number
}

export interface StatedFact {
  readonly world: string
  readonly key: string
  readonly value: string
}

export const factId = (world: string, key: string): string => `${world}/${key}`

const operation = (rules: string, sql: string): string =>
  `${rules}\nAction: Operation\n\`\`\`sql\n${sql}\n\`\`\``

/** The fact an expert that errs gets wrong, with what it takes it for; only codes, which can be anything. */
export interface Mistake {
  readonly key: string
  readonly value: string
}

/**
 * How the demo model is meant to behave: note the rules it can read off what was recalled, look up one that
 * is missing per round, act once all are known, then answer with what the database said.
 */
export function attempt(
  environment: ExpertWorld,
  task: HouseRulesTask,
  known: ReadonlySet<string>,
  slip: boolean,
  mistake: Mistake | null = null,
): ExpertAttempt {
  const valueOf = (fact: Fact): string => (fact.key === mistake?.key ? mistake.value : fact.value)
  const mistaken = task.facts.find((fact) => fact.key === mistake?.key)
  const sql = mistaken ? task.sql.replaceAll(`'${mistaken.value}'`, `'${valueOf(mistaken)}'`) : task.sql
  const episode = environment.open(toEntry(task, 0))
  const knows = new Set(
    task.facts.map((fact) => fact.key).filter((key) => known.has(factId(task.worldName, key))),
  )
  const unknownAtStart = task.facts.length - knows.size
  const stated = new Set<string>()
  const state = (fact: Fact): void => {
    if (fact.key !== mistake?.key) stated.add(factId(task.worldName, fact.key))
  }
  const rounds: { completion: string; observation: string | null }[] = []
  const learnable: boolean[] = []
  let reward: 0 | 1 = 0
  let finish: Finish = 'round-limit'
  let answer: string | null = null
  let slipping = slip && unknownAtStart === 0
  for (let round = 0; round < environment.maxRounds; round++) {
    const note = task.facts
      .map((fact) => `${fact.key} ${knows.has(fact.key) ? valueOf(fact) : '?'}`)
      .join(', ')
    const rules = `${task.worldName} rules: ${note}`
    const missing = task.facts.find((fact) => !knows.has(fact.key))
    let completion: string
    if (answer !== null) completion = `Action: Answer\nFinal Answer: ${answer}`
    else if (missing) completion = operation(rules, missing.look)
    else if (slipping) completion = operation(rules, sql.replace(task.table.name, `${task.table.name}_old`))
    else completion = operation(rules, sql)
    for (const fact of task.facts) if (knows.has(fact.key)) state(fact)
    const outcome = episode.step(completion)
    rounds.push({ completion, observation: outcome.observation })
    learnable.push(!slipping || answer !== null)
    if (outcome.done) {
      if (missing && outcome.observation !== null) state(missing)
      reward = outcome.reward
      finish = outcome.finish
      break
    }
    if (missing) {
      knows.add(missing.key)
      state(missing)
    } else if (slipping) slipping = false
    else answer = outcome.observation
  }
  episode.close()
  return {
    instruction: task.instruction,
    context: episode.context,
    rounds,
    reward,
    stated,
    facts: task.facts
      .filter((fact) => stated.has(factId(task.worldName, fact.key)))
      .map(({ key, value }) => ({ world: task.worldName, key, value })),
    learnable,
    finish,
    worldName: task.worldName,
    table: task.table.name,
    keys: task.facts.map((fact) => factId(task.worldName, fact.key)),
    unknownAtStart,
  }
}
