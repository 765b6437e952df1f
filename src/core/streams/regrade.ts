import { LoamError } from '../../shared/errors'
import { placeWords, reading } from '../../shared/domain/reading'
import type { Task } from '../../shared/domain/task'
import { openEpisode, type Environment } from '../ground/environment'
import type { RegradeReport } from '../ground/environment-module'
import type { LanguageModel } from '../ground/ports'
import type { ReadRecordings, Recording } from '../ground/recording'

/** Makes a model that plays recordings. */
export type PlayRecordings = (recordings: readonly Recording[]) => LanguageModel

interface Replayed {
  readonly reward: 0 | 1
  readonly finish: string
  /** Observations that could be compared, and how many of them were the same. */
  readonly compared: number
  readonly same: number
  /** The first answer of the world that differs from the recorded one; null when none does. */
  readonly differs: string | null
}

/** One recorded attempt, played through the environment by a model that says what was said then. */
async function replay(
  environment: Environment,
  task: Task,
  recording: Recording,
  model: LanguageModel,
): Promise<Replayed> {
  const episode = await openEpisode(environment, task, { model, seed: 0 })
  let [compared, same] = [0, 0]
  let differs: string | null = null
  try {
    // An empty reply, behind the last recorded one, is no action: it ends the attempt, graded on what is there.
    for (let call = 0; call <= recording.replies.length; call++) {
      const { text } = await model.generate({ messages: [], about: { task: task.id, call } })
      const outcome = await episode.step(text)
      if (outcome.done) return { reward: outcome.reward, finish: outcome.finish, compared, same, differs }
      const recorded = recording.observations[call + 1]
      if (recorded === undefined || recorded === null) continue
      compared++
      if (recorded === outcome.observation) same++
      else
        differs ??= `in round ${call + 1} the world answers ${short(outcome.observation)} where ${short(recorded)} was recorded`
    }
    return { reward: 0, finish: 'no end', compared, same, differs }
  } finally {
    episode.close()
  }
}

const short = (text: string): string => JSON.stringify(text.length > 80 ? `${text.slice(0, 80)}...` : text)

/**
 * Replays recorded attempts through their environment and compares the rewards. An attempt that ends before the environment does (its model was cut
 * off) is graded on what is there, as LifelongAgentBench does. Throws `TASK_STREAM` for unusable files.
 */
export async function regradeRecordings(
  environment: Environment,
  read: ReadRecordings,
  dataset: readonly Task[],
  play: PlayRecordings,
): Promise<RegradeReport> {
  const tasks = new Map(dataset.map((task) => [task.id, task]))
  const { recordings } = read
  const rest = [...read.left]
  const disagreements: { id: string; why: string }[] = []
  const observations = { total: 0, agree: 0 }
  let total = 0
  for (const recording of recordings) {
    const task = tasks.get(recording.task)
    if (task === undefined || recording.reward === null) {
      const why = task ? 'it was not graded' : `the data set has no task ${recording.task}`
      rest.push({ line: recording.line, why })
      continue
    }
    total++
    const now = await replay(environment, task, recording, play([recording]))
    observations.total += now.compared
    observations.agree += now.same
    if (now.reward === recording.reward) continue
    const graded = `graded ${recording.reward} then and ${now.reward} now (${now.finish})`
    const world = now.differs ?? 'with the same answers of the world'
    disagreements.push({ id: `${recording.line}:${task.id}`, why: `${graded}: ${world}` })
  }
  if (total === 0) {
    const [first] = rest
    throw new LoamError(
      'TASK_STREAM',
      `The file holds no recorded session; ${first ? `${placeWords(first)}: ${first.why}` : 'it is empty'}.`,
      { suggestion: 'Choose a JSONL file of recorded sessions, and the data set they were made with.' },
    )
  }
  const agree = total - disagreements.length
  return { total, agree, disagreements, observations, reading: reading(total, rest) }
}
