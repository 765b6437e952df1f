import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { findEnvironment, QUESTION_ENVIRONMENT } from '../../core/tasks'
import { answerOf, specOf, type AskAttempt, type AskDetail } from '../../shared/domain/ask'
import type { LeftOut } from '../../shared/domain/ask-curve'
import type { StreamInfo, Task } from '../../shared/domain/task'
import type { Round } from '../../shared/domain/trajectory'
import { writeKept } from '../ground/kept-file'
import type { StreamsArea } from '../streams/open-streams'
import { slugOf } from '../ground/slug'
import { countedTries } from './ask-curve'
import { taskOfWorld } from './play-ask'
import { namesIn } from '../ground/names-in'

/** Streams that asks became, one per environment, and the asks that could not be tasks. */
export interface AskStreams {
  readonly streams: readonly StreamInfo[]
  readonly leftOut: readonly LeftOut[]
}

/** What turning asks into streams needs. */
export interface ToStreamPorts extends StreamsArea {
  /** Where streams of the data folder lie; it may not exist yet. */
  readonly folder: string
  /** Folder of the files of a message. */
  givenFolder(askId: string, turn: number): string
  /** What an answer comes to in the ask's world; null where there is none. */
  actOut(detail: AskDetail, attempt: AskAttempt, answer: string): Promise<readonly Round[] | null>
}

/** An open question is right when it says what the answer that was judged says, in whatever words. */
const SAME_SAY = {
  kind: 'judge',
  rubric: 'Correct when it says the same as the reference, in whatever words and form.',
} as const

interface Row {
  readonly environment: string
  readonly line: object
  readonly files: readonly { readonly name: string; readonly path: string }[]
}

/**
 * Asks that were judged as tasks in the order in which they were asked, so that any method and model can be replayed on them. What they
 * should have come to is the answer judged right or, where it was not, the one a person gave; an ask with a check keeps it.
 */
export async function asksToStreams(
  details: readonly AskDetail[],
  title: string,
  ports: ToStreamPorts,
): Promise<AskStreams> {
  const leftOut: LeftOut[] = []
  const rows: Row[] = []
  const tries = details
    .flatMap((detail) => countedTries(detail).map((attempt) => ({ detail, attempt })))
    .sort((a, b) => (a.attempt.trajectory.startedAt < b.attempt.trajectory.startedAt ? -1 : 1))
  for (const { detail, attempt } of tries) {
    const row = await rowOf(detail, attempt, ports).catch((error: unknown) => (error as Error).message)
    if (typeof row === 'string') leftOut.push({ askId: detail.ask.id, title: detail.ask.title, why: row })
    else rows.push(row)
  }
  const streams: StreamInfo[] = []
  for (const environment of new Set(rows.map((row) => row.environment)))
    streams.push(await keep(environment, title, rows, leftOut, ports))
  return { streams, leftOut }
}

/** The task of a message, or why there is none. */
async function rowOf(detail: AskDetail, attempt: AskAttempt, ports: ToStreamPorts): Promise<Row | string> {
  const { ask, turns } = detail
  const { trajectory } = attempt
  const judgement = attempt.judgement?.by === 'rule' ? null : attempt.judgement
  const spec = specOf(ask, attempt)
  const id = `${ask.id}-${attempt.turn}`
  if (attempt.turn > 0) return 'It goes on with what was said before, so it is no task by itself.'
  const check = ask.check?.turn === attempt.turn ? ask.check : null
  if (judgement === null && check === null) return 'Nobody has judged it.'
  const right = judgement?.verdict === 'right' ? answerOf(attempt) : (judgement?.answer ?? null)
  if (spec.world !== null) {
    const world = await taskOfWorld(spec.world, ports)
    if (right === null) return 'Nobody has said what it should have come to.'
    const rounds =
      judgement?.verdict === 'right' ? trajectory.rounds : await ports.actOut(detail, attempt, right)
    const task: Task = { ...world, instruction: spec.text }
    const line = findEnvironment(world.environment).entryFrom?.(task, id, rounds ?? []) ?? null
    return line === null
      ? 'In its world, tasks are not made of what was done.'
      : { environment: world.environment, line, files: [] }
  }
  if (right === null && check === null) return 'Nobody has said what the answer should have been.'
  const inputs = turns[attempt.turn]?.given ?? []
  return {
    environment: QUESTION_ENVIRONMENT,
    line: {
      id,
      question: spec.text,
      answer: check === null ? right : check.answer === '' ? (right ?? null) : check.answer,
      check: check?.how ?? SAME_SAY,
      ...(inputs.length > 0 && { files: inputs.map(({ name }) => name) }),
    },
    files: inputs.map(({ name }) => ({ name, path: join(ports.givenFolder(ask.id, attempt.turn), name) })),
  }
}

/** Writes the rows of an environment as a stream of its own, the next version of its title. */
async function keep(
  environment: string,
  title: string,
  rows: readonly Row[],
  leftOut: LeftOut[],
  { folder, streams }: ToStreamPorts,
): Promise<StreamInfo> {
  const records: string[] = await namesIn(folder)
  const base = `asks-${slugOf(title, 'asks')}-${environment}`
  let version = 1
  while (records.includes(`${base}-v${version}.jsonl`)) version++
  const id = `${base}-v${version}`
  const files = new Map<string, string>()
  const lines: object[] = []
  for (const row of rows.filter((one) => one.environment === environment)) {
    const clash = row.files.find(({ name, path }) => (files.get(name) ?? path) !== path)
    if (clash) {
      const { id: askId, question } = row.line as { id: string; question: string }
      const why = `Another ask has a file of the same name, “${clash.name}”.`
      leftOut.push({ askId: askId.replace(/-\d+$/, ''), title: question.slice(0, 80), why })
      continue
    }
    for (const { name, path } of row.files) files.set(name, path)
    lines.push(row.line)
  }
  await mkdir(folder, { recursive: true })
  if (files.size > 0) await mkdir(join(folder, `${id}-files`), { recursive: true })
  for (const [name, path] of files) await copyFile(path, join(folder, `${id}-files`, name))
  const stream = {
    ...{ id, version, environment },
    title: version === 1 ? title : `${title} (version ${version})`,
    description: 'Asks of yours, in the order in which you asked them.',
    ...(files.size > 0 && { files: `${id}-files` }),
  }
  const text = [{ stream }, ...lines].map((line) => `${JSON.stringify(line)}\n`).join('')
  const path = join(folder, `${id}.jsonl`)
  await writeKept(path, text)
  return (await streams.load(path)).info
}
