import { z } from 'zod'
import { count } from './units'

/** Of whom an imported ask asked: nobody who could be asked again. The next message goes to a model of the person's own. */
export const IMPORTED_MODEL = 'imported'

/** Where an imported ask comes from. */
export const askOriginSchema = z.object({
  /** The program, as people call it. */
  program: z.string(),
  /** What the program knows the conversation by; null where its log does not say. */
  sourceId: z.string().nullable(),
  /** The import that it came with. */
  importId: z.string(),
  /** What was said in it then, as a hash. */
  print: z.string(),
  /** Messages and tries that came with it; what comes after them is the person's own. */
  turns: count,
  attempts: count,
  /** The import that brought a later state of it, which stands in its place; null: none did. */
  replacedBy: z.string().nullable().default(null),
})
export type AskOrigin = z.infer<typeof askOriginSchema>

interface Imported {
  readonly origin: AskOrigin | null
}

/** Whether a try was made by another program, and came with the import of its ask. */
export const isImported = ({ origin }: Imported, { index }: { readonly index: number }): boolean =>
  index < (origin?.attempts ?? 0)

/** Whether a person put the answer of a try in words of their own; no model worked on it. */
export const isInYourWords = ({
  trajectory: { startedAt, finishedAt },
  from,
}: {
  readonly trajectory: { readonly startedAt: string; readonly finishedAt: string }
  readonly from: { readonly edit: string | null } | null
}): boolean => from !== null && from.edit !== null && startedAt === finishedAt

/** Whether nothing was said, tried or judged since it was imported. */
export const isAsImported = (
  ask: Imported & { readonly turns: number; readonly attempts: number; readonly verdict: string | null },
): boolean => {
  const { origin, turns, attempts, verdict } = ask
  return origin !== null && turns <= origin.turns && attempts <= origin.attempts && verdict === null
}
