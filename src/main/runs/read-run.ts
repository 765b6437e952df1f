import { readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { z } from 'zod'
import {
  applyRunEvent,
  newRunState,
  runEventSchema,
  runRecordSchema,
  type RunEvent,
  type RunRecord,
  type RunState,
} from '../../core/lab/run-record'
import type { RunInfo } from '../../shared/domain/run'
import { NO_USAGE } from '../../shared/domain/trajectory'
import { LoamError } from '../../shared/errors'
import { errnoOf } from '../ground/atomic-file'
import { unsealed, unsealedFile } from '../ground/sealed'

/** A run as its folder tells it. */
export interface LoadedRun {
  readonly state: RunState
  /** What is wrong with the folder; null when nothing is. */
  readonly damage: RunDamage | null
  /** An unfinished line at the end of events.jsonl, as a kill in mid-write leaves it: where it begins. */
  readonly tornAt: number | null
}

/** What a damaged run folder still says. */
export interface RunDamage {
  /** There is no events.jsonl. */
  readonly missing: boolean
  /** run.json cannot be read; the copy in events.jsonl stands in for it. */
  readonly record: boolean
  /** Lines of events.jsonl that cannot be read, from 1. */
  readonly lines: readonly number[]
  /** All events that can. */
  readonly events: readonly RunEvent[]
}

/** A run whose record is lost: listed with what is wrong, and nothing more can be done with it. */
export interface UnreadableRun {
  readonly folder: string
  readonly info: RunInfo
}

/** The first line of events.jsonl: the record once more, so that one damaged file does not take the run with it. */
const copySchema = z.object({ kind: z.literal('record'), record: runRecordSchema })

/** Reads a run's folder. Null when there is no run in it. @throws LoamError `DATA_CORRUPT` when neither copy of its record can be read */
export async function readRun(folder: string): Promise<LoadedRun | null> {
  const text = await readText(join(folder, 'events.jsonl'))
  const whole = text.slice(0, text.lastIndexOf('\n') + 1)
  const lines = whole.split('\n').slice(0, -1)
  const events: RunEvent[] = []
  const damaged: number[] = []
  let copy: RunRecord | null = null
  lines.forEach((line, index) => {
    if (line === '') return
    try {
      const value = unsealed(line)
      if (index === 0 && copySchema.safeParse(value).success) copy = copySchema.parse(value).record
      else events.push(runEventSchema.parse(value))
    } catch {
      damaged.push(index + 1)
    }
  })
  const own = await readRecord(join(folder, 'run.json'))
  const record = own.record ?? copy
  if (!record) {
    if (own.problem === null && text === '') return null
    throw new LoamError('DATA_CORRUPT', `${join(folder, 'run.json')} ${own.problem ?? 'is missing'}.`, {
      suggestion: 'Restore the folder from a backup. What the run learned is in its memory, untouched.',
    })
  }
  const isMissing = own.isSealed && text === ''
  const isDamaged = isMissing || own.record === null || damaged.length > 0
  return {
    state: events.reduce(applyRunEvent, newRunState(record)),
    damage: isDamaged ? { missing: isMissing, record: own.record === null, lines: damaged, events } : null,
    tornAt: whole.length < text.length ? Buffer.byteLength(whole) : null,
  }
}

async function readRecord(path: string): Promise<{
  readonly record: RunRecord | null
  readonly problem: string | null
  readonly isSealed: boolean
}> {
  const text = await readText(path)
  if (text === '' && !(await exists(path))) return { record: null, problem: null, isSealed: false }
  try {
    const isSealed = /"sum": "[0-9a-f]{8}"\n\}\n$/.test(text)
    return { record: runRecordSchema.parse(unsealedFile(text)), problem: null, isSealed }
  } catch (error) {
    const why =
      error instanceof z.ZodError || error instanceof SyntaxError
        ? 'it is no record of a run'
        : (error as Error).message
    return { record: null, problem: `cannot be read: ${why}`, isSealed: false }
  }
}

const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

const readText = (path: string): Promise<string> =>
  readFile(path, 'utf8').catch((error: unknown) => {
    if (errnoOf(error) === 'ENOENT') return ''
    throw error
  })

/** What can still be said of a run whose record is lost. */
export async function unreadableRun(folder: string, error: LoamError): Promise<UnreadableRun> {
  const { birthtime } = await stat(folder)
  const unknown = '?'
  return {
    folder,
    info: {
      id: basename(folder),
      config: {
        stream: unknown,
        method: unknown,
        model: unknown,
        seed: 1,
        k: 0,
        tasks: null,
        memoryId: '',
        temperature: 0,
        maxTokens: 512,
        settings: {},
      },
      status: 'failed',
      problem: error.toShape(),
      createdAt: birthtime.toISOString(),
      finishedAt: null,
      total: 0,
      done: 0,
      solved: 0,
      rewards: [],
      usage: NO_USAGE,
      etaMs: null,
    },
  }
}
