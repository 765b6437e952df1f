import { findEnvironment } from '../../core/tasks'
import type { RunInfo } from '../../shared/domain/run'
import type { StreamPage, Task, Verification } from '../../shared/domain/task'
import type { SettingChanges } from '../../shared/domain/setting'
import type { Environments } from './environments'
import type { StreamsArea } from './open-streams'
import { hashTasks } from './stream-library'
import { keptVerification } from './verifications'

/** Tasks whose own solutions are played for a page, spread over the stream; `loam verify-env` plays them all. */
const TRIED = 25
/** Characters of the sample task that are shown. */
const SHOWN = 1200

/** What comes with Loam. */
const OWN_LICENCE = "Loam's own, under Loam's licence (Apache-2.0)."

/** What a page is made from besides the stream. */
export interface PageNeeds extends StreamsArea {
  /** The data folder. */
  readonly data: { readonly path: string }
  readonly runs: { list(): readonly RunInfo[] }
}

/** What is known of a stream. @throws LoamError `NOT_FOUND`, `TASK_STREAM` */
export async function streamPage(
  id: string,
  { streams, environments, data, runs }: PageNeeds,
): Promise<StreamPage> {
  const { tasks, info } = await streams.load(id)
  const { words } = findEnvironment(info.environment)
  const sample = tasks[0]?.instruction ?? ''
  return {
    ...{ source: words.source, solved: words.solved },
    licence: info.licence ?? (info.source === 'bundled' ? OWN_LICENCE : null),
    verified:
      (await keptVerification(data.path, info.id, await hashTasks(tasks))) ??
      (await tryPart(tasks, info.environment, environments)),
    worked: workedOn(info.id, runs.list()),
    sample: sample.length > SHOWN ? `${sample.slice(0, SHOWN)}...` : sample,
  }
}

/** Plays the solutions of some tasks, spread over all. */
async function tryPart(
  tasks: readonly Task[],
  environment: string,
  { world }: Pick<Environments, 'world'>,
  settings: SettingChanges = {},
): Promise<Verification> {
  const verify = await findEnvironment(environment).verifier(world, settings)
  const every = Math.max(1, Math.ceil(tasks.length / TRIED))
  const verified = { at: null, settings: [], tried: 0, agree: 0, unknown: 0 }
  for (const task of tasks.filter((_, i) => i % every === 0)) {
    const { kind } = await verify(task)
    verified.tried++
    if (kind === 'agrees') verified.agree++
    if (kind === 'unknown') verified.unknown++
  }
  return verified
}

const modelName = (path: string): string => path.split(/[\\/]/).at(-1) ?? path

/** Runs over a stream, those of one method and model together. */
function workedOn(stream: string, runs: readonly RunInfo[]): StreamPage['worked'] {
  const foundMap = new Map<string, StreamPage['worked'][number]>()
  for (const { config, done, solved } of runs) {
    if (config.stream !== stream) continue
    const model = modelName(config.model)
    const key = JSON.stringify([config.method, model])
    const before = foundMap.get(key) ?? { method: config.method, model, runs: 0, tasks: 0, solved: 0 }
    foundMap.set(key, {
      ...before,
      runs: before.runs + 1,
      tasks: before.tasks + done,
      solved: before.solved + solved,
    })
  }
  return [...foundMap.values()].sort((a, b) => b.tasks - a.tasks)
}
