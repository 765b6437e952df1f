import { readFileSync } from 'node:fs'
import { stat } from 'node:fs/promises'
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
import { errnoOf, readIfThere } from '../ground/atomic-file'
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
export const readRun = async (folder: string): Promise<LoadedRun | null> =>
  runOf(
    folder,
    (await readIfThere(join(folder, 'events.jsonl'))) ?? '',
    await readIfThere(join(folder, 'run.json')),
  )

/** The same at once, for a run that is known and that somebody opens now. */
export const readRunNow = (folder: string): LoadedRun | null =>
  runOf(folder, textNow(join(folder, 'events.jsonl')) ?? '', textNow(join(folder, 'run.json')))

function textNow(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (errnoOf(error) === 'ENOENT') return null
    throw error
  }
}

function runOf(folder: string, text: string, ownText: string | null): LoadedRun | null {
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
  const own = readRecord(ownText)
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

function readRecord(text: string | null): {
  readonly record: RunRecord | null
  readonly problem: string | null
  readonly isSealed: boolean
} {
  if (text === null) return { record: null, problem: null, isSealed: false }
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
