import { runAttempt } from '../../src/core/agent/actor'
import { learningOf, learnFromAttempt } from '../../src/core/ground/learn-from-attempt'
import type { MethodContext } from '../../src/core/ground/method'
import type { LanguageModel } from '../../src/core/ground/ports'
import { LAB_DB } from '../../src/core/tasks/lab-db/environment'
import { writeAction } from '../../src/core/tasks/lab-db/actions'
import { findMethod } from '../../src/core/methods'
import type { App } from '../../src/main/app'
import type { Task } from '../../src/shared/domain/task'
import type { Trajectory } from '../../src/shared/domain/trajectory'

/** The published solution of a task of LifelongAgentBench's databases. */
export const solutionOf = (task: Task): string =>
  (task.payload as { answer_info: { sql: string } }).answer_info.sql

/** What a method would be given with this memory. `model`: counts tokens; nobody asks it. */
export async function contextOf(app: App, memoryId: string, model: LanguageModel): Promise<MethodContext> {
  return {
    ...{ bank: await app.memories.open(memoryId), embedder: await app.embedder() },
    ...{ prompts: await app.prompts(), settings: {}, k: 2, seed: 1, model },
  }
}

/** Plays one statement as the whole attempt at a task, graded by its database; nobody is asked. */
export async function playStatement(
  app: App,
  task: Task,
  sql: string,
  memoryId: string,
  context: MethodContext,
): Promise<Trajectory> {
  return runAttempt({
    ...{ id: `solution-${task.id}`, runId: 'solutions', memoryId, task, context, method: findMethod('none') },
    environment: await app.environments.acting(LAB_DB),
    ...{ clock: app.clock, temperature: 0, maxTokens: 16 },
    begun: [writeAction('execute_sql', { sql }), writeAction('answer', { answer: '[]' })],
  })
}

/** A memory in which tasks are solved by their published solutions, learned from as any attempt. */
export async function memoryOfSolutions(
  app: App,
  tasks: readonly Task[],
  model: LanguageModel,
): Promise<string> {
  const { id } = await app.memories.create('Solutions')
  const context = await contextOf(app, id, model)
  const caseBank = findMethod('case-bank')
  for (const task of tasks) {
    const attempt = await playStatement(app, task, solutionOf(task), id, context)
    if (attempt.reward !== 1) process.stdout.write(`  not solved by its own solution: ${task.id}\n`)
    await learnFromAttempt(
      attempt,
      learningOf(caseBank, () => context),
      context.bank,
    )
  }
  return id
}
