import type { Task } from '../../../shared/domain/task'
import type { Verdict } from '../../ground/environment-module'
import { fill, readCodeTask, type CodeOptions } from './environment'
import { gradeRepository, putPatch } from './grade'

/** Whether the tests fail before a task's own solution and pass after it; `unknown` where the system cannot run them. */
export async function verifyEntry(
  task: Task,
  { driver, snapshot, testSeconds }: Pick<CodeOptions, 'driver' | 'snapshot' | 'testSeconds'>,
): Promise<Verdict> {
  const entry = readCodeTask(task)
  if (entry.patch.trim() === '') return { kind: 'unknown', why: 'It brings no solution.' }
  const files = snapshot(entry)
  const machine = await driver.open()
  try {
    const { workspace, problem } = await fill(machine, entry, files, driver.id)
    if (problem !== null) return { kind: 'unknown', why: problem }
    const before = await gradeRepository(entry, workspace, files, testSeconds)
    if (before.reward === 1) return { kind: 'disagrees', why: 'The tests pass before anything is mended.' }
    const misfit = await putPatch(entry.patch, workspace)
    if (misfit !== null) return { kind: 'disagrees', why: `Its solution does not fit: ${misfit}.` }
    const { reward, ungraded, scores } = await gradeRepository(entry, workspace, files, testSeconds)
    if (reward === 1) return { kind: 'agrees' }
    return { kind: 'disagrees', why: ungraded ?? scores[0]?.detail ?? 'The tests fail.' }
  } finally {
    await machine.close()
  }
}
