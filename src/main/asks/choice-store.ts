import { z } from 'zod'
import { methodSwitchSchema } from '../../shared/domain/method-choice'
import { createSerial } from '../../shared/serial'
import { readRecord, writeRecord } from '../ground/record-file'

/** One replay: whether it was right (null: it told something and is not counted), and whether it was learned from. */
const replaySchema = z.object({ key: z.string(), right: z.boolean().nullable(), learned: z.boolean() })

/** Replays of the same asks with one model, by method, each in the asks' order. */
const seriesSchema = z.object({
  id: z.string(),
  model: z.string(),
  memoryId: z.string(),
  replays: z.record(z.string(), replaySchema.array()),
  /** Replays made and the time they took, for forecasts. */
  made: z.number(),
  ms: z.number(),
})
export type ReplaySeries = z.infer<typeof seriesSchema>

const choiceSchema = z.object({
  /** Null: the recommended method. */
  method: z.string().nullable().default(null),
  /** Changes, oldest first. */
  switches: methodSwitchSchema.array().default([]),
  /** Offers that the person does not want, by the look that they came of. */
  declines: z.object({ method: z.string(), look: z.number() }).array().default([]),
  series: seriesSchema.nullable().default(null),
  /** Days as `2026-05-03`, in UTC. */
  spent: z.object({ day: z.string(), ms: z.number() }).default({ day: '', ms: 0 }),
})
export type ChoiceState = z.infer<typeof choiceSchema>

/** What Loam has chosen for everyday asks and what it was told by, in one file with a copy. */
export async function openChoiceStore(path: string) {
  const serial = createSerial()
  let state = await readRecord<ChoiceState>(path, choiceSchema, choiceSchema.parse({}))
  return {
    now: (): ChoiceState => state,
    /** Keeps a change. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
    change: (of: (before: ChoiceState) => Partial<ChoiceState>): Promise<ChoiceState> =>
      serial(async () => {
        const next = { ...state, ...of(state) }
        await writeRecord(path, next)
        return (state = next)
      }),
  }
}

export type ChoiceStore = Awaited<ReturnType<typeof openChoiceStore>>
