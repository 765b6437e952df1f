import { plural } from '../../../shared/figures/plural'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { basename, resolve } from 'node:path'
import { answerOf, askName, type AskDetail, type AskInfo } from '../../../shared/domain/ask'
import { plannedSteps } from '../../../shared/domain/plan'
import { abortError } from '../../../core/ground/abort'
import { LoamError } from '../../../shared/errors'
import { refuseSpecialFile } from '../../ground/plain-file'
import { UsageError, type Arguments } from '../arguments'
import { answerRequests } from '../ask-permission'
import { untilOver } from '../follow-job'
import type { ConsoleIo } from '../console-io'
import type { ReachedHost } from '../own-host'
import type { SwitchName } from '../options'
import { openTyping } from '../typed-answer'
import type { Command } from './command'
import { answerSettings } from './projects'
import { promptNamed } from './prompts'
import { BOUNDS } from '../../../shared/domain/bounds'

/** How often an ask is looked at, in ms. */
const LOOK_MS = 150

/** `loam ask "TASK"`: one task, worked on to its end; the answer on stdout. */
export const askCommand: Command = async ({ args, io, host }) => {
  const words = args.positionals.slice(1).join(' ')
  const prompt = args.text('prompt')
  if (words.trim() === '' && prompt === undefined) throw new UsageError('Ask what? loam ask "TASK"')
  const stream = args.text('stream')
  const task = args.whole('task', BOUNDS.tasks)
  if (task !== undefined && stream === undefined) throw new UsageError('--task needs --stream')
  const earlier = args.text('in')
  if (earlier !== undefined && args.flag('continue')) throw new UsageError('Either --in or --continue')
  const goesOn = earlier !== undefined || args.flag('continue')
  const fresh = goesOn
    ? FRESH.find((name) => args.text(name) !== undefined || args.flag(name as SwitchName))
    : undefined
  if (fresh !== undefined)
    throw new UsageError(`A message goes on with what the ask was asked with; leave --${fresh} out`)
  const handed = await Promise.all(args.many('file').map(readGiven))
  const reached = await host()
  const { asks, memories } = reached.client
  const text = prompt === undefined ? words : `${(await promptNamed(prompt, asks)).text}\n\n${words}`.trim()
  const files = [...handed, ...(await otherAsks(args.many('with-ask'), asks))]
  const ask = goesOn
    ? await asks.say({ askId: earlier ?? (await newest(asks)), text, files })
    : await asks.start(await specOf(args, text, files, memories))
  return answerOnConsole(ask, reached, io)
}

/** Waits until an ask has its answer, tells it, and answers what its tools ask for meanwhile. Ctrl-C stops the work on it. */
export function answerOnConsole(ask: AskInfo, reached: ReachedHost, io: ConsoleIo) {
  const { asks } = reached.client
  const typing = openTyping(io)
  const answering = answerRequests(reached, (from) => from === askName(ask), io)
  return untilOver(reached, io, {
    everyMs: LOOK_MS,
    async look() {
      const detail = await asks.get({ askId: ask.id })
      const { status, problem } = detail.ask
      if (status === 'done') return getNotice(detail, { ...io, out: typing.end })
      if (status === 'failed' && problem) throw LoamError.fromShape(problem)
      if (status === 'stopped') throw problem ? LoamError.fromShape(problem) : abortError()
      if (isPlain(detail)) typing.grow(detail.live?.streaming ?? '')
      if (!typing.begun())
        io.status(status === 'waiting' ? 'Waiting for the model' : workingWords(stepsSoFar(detail)))
      return undefined
    },
    cancel: () => asks.stop({ askId: ask.id }),
  }).finally(() => answering.stop())
}

/** What only a new ask is asked with. */
const FRESH = [
  ...(['memory', 'model', 'tools', 'method', 'k', 'stream', 'task', 'project'] as const),
  ...(['instructions', 'temperature', 'top-p', 'max-tokens'] as const),
  ...(['plan', 'no-memory', 'no-own-files', 'temporary'] as const),
]

type AsksClient = ReachedHost['client']['asks']

/** The ask that changed last. @throws LoamError `NOT_FOUND` where there is none */
async function newest(asks: AsksClient): Promise<string> {
  const match = (await asks.list()).reduce<AskInfo | null>(
    (last, one) => (last === null || one.changedAt > last.changedAt ? one : last),
    null,
  )
  if (match) return match.id
  throw new LoamError('NOT_FOUND', 'Nothing was asked yet.', { suggestion: 'Ask without --continue.' })
}

/** A new ask as the options say it. */
async function specOf(
  args: Arguments,
  text: string,
  files: { name: string; base64: string }[],
  memories: ReachedHost['client']['memories'],
): Promise<Parameters<AsksClient['start']>[0]> {
  const [stream, model, memory] = [args.text('stream'), args.text('model'), args.text('memory')]
  const task = args.whole('task', BOUNDS.tasks)
  return {
    text,
    files,
    way: args.flag('plan') ? 'plan' : 'straight',
    world:
      stream === undefined
        ? null
        : { stream: existsSync(stream) ? resolve(stream) : stream, index: (task ?? 1) - 1 },
    ...(model !== undefined && { model: existsSync(model) ? resolve(model) : model }),
    ...(memory !== undefined && { memoryId: await memoryOf(memory, () => memories.list()) }),
    ...optional('project', args.text('project')),
    ...optional('method', args.text('method')),
    ...optional('k', args.whole('k', BOUNDS.k)),
    ...answerSettings(args),
    tools: args.list('tools') ?? null,
    remember: !args.flag('no-memory'),
    ownFiles: !args.flag('no-own-files'),
    temporary: args.flag('temporary'),
  }
}

/** Whether what is written is the answer itself, as far as can be known by now. */
const isPlain = ({ ask, live }: AskDetail): boolean =>
  live !== null && live.cycles === undefined && live.rounds.length === 0 && !ask.spec.world

const workingWords = (steps: number): string =>
  steps === 0 ? 'Working' : `Working, ${plural(steps, 'step')} so far`

const stepsSoFar = ({ live }: AskDetail): number =>
  live?.cycles ? plannedSteps(live.cycles).length : (live?.rounds.length ?? 0)

const optional = <K extends string, V>(key: K, value: V | undefined): Partial<Record<K, V>> =>
  value === undefined ? {} : ({ [key]: value } as Record<K, V>)

async function readGiven(path: string): Promise<{ name: string; base64: string }> {
  const full = resolve(path)
  await refuseSpecialFile(full, 'BAD_INPUT')
  const bytes = await readFile(full).catch((error: unknown) => {
    throw new LoamError('NOT_FOUND', `${full} cannot be read: ${(error as Error).message}`, {
      suggestion: 'Check the path.',
    })
  })
  return { name: basename(full), base64: bytes.toString('base64') }
}

/** What was said in other asks, a file each; where two have one title, the later gets a number. */
async function otherAsks(ids: readonly string[], asks: AsksClient) {
  const texts = await Promise.all(ids.map((askId) => asks.export({ askId })))
  return texts.map(({ name, text }, i) => ({
    name: texts.findIndex((one) => one.name === name) === i ? name : `${i + 1}-${name}`,
    base64: Buffer.from(text).toString('base64'),
  }))
}

/** The id of a memory of the data folder in the place of its folder. */
async function memoryOf(
  inputText: string,
  list: () => Promise<readonly { id: string; path: string }[]>,
): Promise<string> {
  return (await list()).find(({ path }) => path === inputText)?.id ?? inputText
}

function getNotice(detail: AskDetail, io: { out(text: string): void; note(text: string): void }) {
  const attempt = detail.attempts.at(-1)
  if (!attempt) throw new Error('An ask that is done has an attempt.')
  const { trajectory, made } = attempt
  const answer = answerOf(attempt)
  io.out(answer ?? `No answer: ${trajectory.reason ?? trajectory.finish}`)
  if (answer !== null && trajectory.reason !== undefined) io.note(trajectory.reason)
  const { length: recalls } = trajectory.recalled
  if (recalls > 0) io.note(`Recalled ${plural(recalls, 'item')}`)
  for (const { name } of made) io.note(`Made ${name}`)
  const statements = attempt.offers.map(({ statement }) => statement)
  for (const statement of statements) io.note(`You told in passing: ${statement}`)
  if (statements.length > 0) io.note(`To have it remembered: loam asks remember ${detail.ask.id}`)
  return {
    ask: detail.ask.id,
    answer,
    finish: trajectory.finish,
    recalled: trajectory.recalled.map(({ kind, id, title, score }) => ({ kind, id, title, score })),
    steps: trajectory.rounds.length,
    made,
    told: statements,
    memory: detail.ask.spec.memoryId,
    usage: trajectory.usage,
  }
}
