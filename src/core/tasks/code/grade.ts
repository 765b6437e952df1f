import type { Score } from '../../../shared/domain/trajectory'
import { testRun } from './commands'
import type { CodeEntry } from './entry'
import { patchedFiles } from './patch'
import type { Workspace } from './workspace'

/** The files of a repository as they were when the task was set. */
export type Snapshot = ReadonlyMap<string, Uint8Array>

const encoder = new TextEncoder()
const decoder = new TextDecoder()

/** Seconds a program may take to start for the first time. */
const START_SECONDS = 120

/** Why a system cannot run the tests of a task, in words; null when it can. */
export async function findMissingProgram(
  entry: CodeEntry,
  workspace: Workspace,
  system: string,
): Promise<string | null> {
  for (const { name, check } of testRun(entry).needs) {
    const { exitCode } = await workspace.run(check, START_SECONDS)
    if (exitCode !== 0) return `${name} is not available in the ${system} system.`
  }
  return null
}

/** Puts a patch into the repository. `snapshot`: over the files as they were. Answers with why it does not fit, or null. */
export async function putPatch(
  patch: string,
  workspace: Workspace,
  snapshot?: Snapshot,
): Promise<string | null> {
  const read = async (path: string): Promise<string | null> => {
    if (!snapshot) return workspace.read(path)
    const bytes = snapshot.get(path)
    return bytes ? decoder.decode(bytes) : null
  }
  const files = await patchedFiles(patch, read)
  if ('problem' in files) return files.problem
  for (const [path, content] of files) {
    if (content === null) await workspace.remove(path)
    else await workspace.write([[path, encoder.encode(content)]])
  }
  return null
}

/** What the tests make of a repository; `ungraded` when they cannot be put in. */
export interface CodeGrade {
  readonly reward: 0 | 1
  readonly scores: readonly Score[]
  readonly ungraded?: string
}

/** The end of what the tests wrote, which says what failed. */
const SHOWN = 600

/** Puts the tests in, over whatever the agent made of them, and runs them all. */
export async function gradeRepository(
  entry: CodeEntry,
  workspace: Workspace,
  snapshot: Snapshot,
  seconds: number,
): Promise<CodeGrade> {
  const problem = await putPatch(entry.test_patch, workspace, snapshot)
  if (problem !== null) return { reward: 0, scores: [], ungraded: `The tests cannot be put in: ${problem}.` }
  const { exitCode, output } = await workspace.run(testRun(entry).script, seconds)
  const isPassed = exitCode === 0
  const why = exitCode === null ? `no end within ${seconds} seconds` : output.trim().slice(-SHOWN)
  return {
    reward: isPassed ? 1 : 0,
    scores: [{ name: 'Tests passed', value: isPassed ? 1 : 0, ...(!isPassed && { detail: why }) }],
  }
}
