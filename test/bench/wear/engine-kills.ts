import { setTimeout as sleep } from 'node:timers/promises'
import type { Rng } from '../../../src/core/ground/random'
import type { LoamClient } from '../../../src/renderer/client-type'
import { childOf, loam } from '../../main/cli/loam-process'
import { connectTo, startHeadless, type HeadlessProcess } from '../../main/headless-process'
import { ASK, RUN, type Place } from './folder'
import { freshCopy, lookAfter, training, writeSecondLog, type Kill } from './kills'

/** Milliseconds within which an engine, a trainer and a command are killed once they are there. */
const WITHIN = { ask: 900, run: 2000, training: 1500, command: 2500 } as const
const POLL_MS = 20

/** Waits for a value that is not null. */
async function until<T>(look: () => Promise<T | null>): Promise<T> {
  for (;;) {
    const value = await look()
    if (value !== null) return value
    await sleep(POLL_MS)
  }
}

/** Kills a child of the host `afterMs` after it is there. Answers whether the work was over before. */
async function killChild(
  host: HeadlessProcess,
  entry: 'engine/index' | 'engine/trainer',
  afterMs: number,
  isOver: () => Promise<boolean>,
): Promise<boolean> {
  const pid = await until(
    async () => (await childOf(host.child.pid ?? 0, entry)) ?? ((await isOver()) ? 0 : null),
  )
  await sleep(afterMs)
  if (pid === 0 || (await isOver())) return true
  try {
    process.kill(pid, 'SIGKILL')
    return false
  } catch {
    // It ended by itself.
    return true
  }
}

/** Waits for an ask to end, and answers how. */
const endOfAsk = (client: LoamClient, askId: string): Promise<string> =>
  until(async () => {
    const { ask, attempts } = await client.asks.get({ askId })
    if (ask.status === 'waiting' || ask.status === 'working') return null
    const { finish, reason } = attempts.at(-1)?.trajectory ?? {}
    return ask.problem?.code ?? (ask.status === 'done' ? `done ${reason ?? finish ?? ''}` : ask.status)
  })

/** An engine is killed while an ask or a run has it write. The work ends with words for it or with its result, and the next has an engine. */
export async function killEngine(place: Place, random: Rng): Promise<Kill> {
  const data = await freshCopy(place)
  const host = startHeadless(data)
  const work = random.int(2) === 0 ? 'ask' : 'run'
  const afterMs = random.int(WITHIN[work])
  const wrong: string[] = []
  let wasOver = true
  try {
    const { client, closed } = await connectTo(await host.url)
    closed.catch(() => undefined)
    if (work === 'ask') {
      const { id } = await client.asks.start(ASK)
      const isOver = async () => !/waiting|working/.test((await client.asks.get({ askId: id })).ask.status)
      wasOver = await killChild(host, 'engine/index', afterMs, isOver)
      const end = await endOfAsk(client, id)
      if (!/^(?:done|ENGINE_DIED)/.test(end)) wrong.push(`the ask ended in ${end}`)
      const next = await endOfAsk(client, (await client.asks.start(ASK)).id)
      if (!next.startsWith('done')) wrong.push(`the next ask ended in ${next}`)
    } else {
      const { id: runId } = await client.runs.start(RUN)
      const status = async () => (await client.runs.get({ runId })).status
      wasOver = await killChild(host, 'engine/index', afterMs, async () => (await status()) === 'done')
      const end = await until(async () => {
        const run = await client.runs.get({ runId })
        return run.status === 'done' || run.status === 'paused' || run.status === 'failed' ? run : null
      })
      if (end.status !== 'done' && end.problem?.code !== 'ENGINE_DIED')
        wrong.push(`the run is ${end.status}: ${end.problem?.cause ?? ''}`)
    }
  } finally {
    host.child.kill('SIGTERM')
    await host.ended
  }
  const { lost, wrong: others } = await lookAfter(data, place, 'engine')
  return { work: 'engine', afterMs, wasOver, lost, wrong: [...wrong, ...others] }
}

/** A trainer is killed while it trains. The training ends with words for it, and the same one comes to its end afterwards. */
export async function killTrainer(place: Place, random: Rng): Promise<Kill> {
  const data = await freshCopy(place)
  const host = startHeadless(data)
  const afterMs = random.int(WITHIN.training)
  const wrong: string[] = []
  let wasOver = true
  try {
    const { client, closed } = await connectTo(await host.url)
    closed.catch(() => undefined)
    const endOf = async (jobId: string) => {
      const job = (await client.jobs.list()).find(({ id }) => id === jobId)
      return job === undefined || job.status === 'running' ? null : job
    }
    const { jobId } = await client.softPrompts.start(training(place.memory))
    wasOver = await killChild(host, 'engine/trainer', afterMs, async () => (await endOf(jobId)) !== null)
    const end = await until(() => endOf(jobId))
    if (end.status !== 'done' && end.problem?.code !== 'TRAINER_DIED')
      wrong.push(`the training is ${end.status}: ${end.problem?.cause ?? ''}`)
    const again = await client.softPrompts.start(training(place.memory))
    const next = await until(() => endOf(again.jobId))
    if (next.status !== 'done')
      wrong.push(`the next training is ${next.status}: ${next.problem?.cause ?? ''}`)
  } finally {
    host.child.kill('SIGTERM')
    await host.ended
  }
  const { lost, wrong: others } = await lookAfter(data, place, 'trainer')
  return { work: 'trainer', afterMs, wasOver, lost, wrong: [...wrong, ...others] }
}

/** `loam import` or `loam run` is killed while it works on the folder by itself. */
export async function killCommand(place: Place, random: Rng): Promise<Kill> {
  const data = await freshCopy(place)
  const log = await writeSecondLog(place.folder)
  const { stream, method, tasks, seed, maxTokens } = RUN
  const { child, ended } =
    random.int(2) === 0
      ? loam('import', log, '--memory', 'mine', '--format', 'chat', '--data', data)
      : loam(
          ...['run', '--stream', stream, '--method', method, '--tasks', String(tasks), '--data', data],
          ...['--seed', String(seed), '--max-tokens', String(maxTokens), '--gpu-layers', 'cpu'],
        )
  const afterMs = random.int(WITHIN.command)
  await sleep(afterMs)
  const wasOver = child.exitCode !== null
  child.kill('SIGKILL')
  await ended
  return { work: 'command line', afterMs, wasOver, ...(await lookAfter(data, place, 'command line')) }
}
