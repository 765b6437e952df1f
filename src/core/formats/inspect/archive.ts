import type { Found, ReadContext, ArchivedFile } from '../../memory/experiences/import/log'
import { shapeProblem } from '../../memory/experiences/import/records'
import { nestsTooDeep } from '../../ground/json-check'
import { bySigns, sign } from '../../ground/recognition'
import type { Format } from '../format'
import { attemptOf, inspectLog, logSchema, type InspectHead } from '.'

/** What the archive says of all samples: at its end, or, of an evaluation that was cut short, at its beginning. */
const HEADS = ['header.json', 'start.json', '_journal/start.json']
const SAMPLE = /^samples\/.*\.json$/

/** @throws Error, in words, for what is no JSON */
function jsonIn(file: ArchivedFile): unknown {
  const text = new TextDecoder().decode(file.read())
  if (nestsTooDeep(text)) throw new Error(`${file.name} nests too deep`)
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new Error(`${file.name} is no JSON`)
  }
}

const wordsOf = (error: unknown): string =>
  (error instanceof Error ? error.message : String(error)).replace(/\.$/, '')

function headOf(files: readonly ArchivedFile[]): InspectHead | string {
  const file = HEADS.map((name) => files.find((one) => one.name === name)).find((one) => one !== undefined)
  if (!file) return 'it says nothing of its evaluation: there is no header.json in it'
  const head = logSchema.safeParse(jsonIn(file))
  return head.success ? head.data : `${file.name}: ${shapeProblem(head.error)}`
}

/** Sample by sample, so that a log may be larger than what fits into memory. */
function* foundIn(bytes: Uint8Array, unpack: NonNullable<ReadContext['unpack']>): Generator<Found> {
  const whole = { line: 1 }
  try {
    const files = unpack(bytes)
    const head = headOf(files)
    const samples = files.filter(({ name }) => SAMPLE.test(name))
    if (typeof head === 'string') yield { kind: 'left', place: whole, why: head }
    else if (samples.length === 0) yield { kind: 'left', place: whole, why: 'the log holds no samples' }
    else for (const [i, file] of samples.entries()) yield foundOf(file, head, i + 1)
  } catch (error) {
    yield { kind: 'left', place: whole, why: wordsOf(error) }
  }
}

function foundOf(file: ArchivedFile, head: InspectHead, entry: number): Found {
  const place = { line: 1, entry }
  try {
    const log = attemptOf(jsonIn(file), head)
    return typeof log === 'string' ? { kind: 'left', place, why: log } : { kind: 'log', place, log }
  } catch (error) {
    return { kind: 'left', place, why: wordsOf(error) }
  }
}

/** Inspect's own form of a log: an archive with a file of JSON for each sample and epoch. */
export const inspectArchive: Format = {
  id: 'inspect-eval',
  title: 'Inspect evaluation log (.eval)',
  writtenFor: 'inspect_ai 0.3, its usual form of logs (.eval)',
  keeps: inspectLog.keeps,
  loses: inspectLog.loses,
  recognise: bySigns(
    [sign(0.95, /^PK\u0003\u0004/, /_journal\/start\.json|samples\/[^\u0000/]{1,200}_epoch_\d/)],
    /\.eval$/,
  ),
  async *readBytes(bytes, { unpack }) {
    await Promise.resolve()
    if (unpack) yield* foundIn(bytes, unpack)
    else yield { kind: 'left', place: { line: 1 }, why: 'archives are not read here' }
  },
}
