import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'

export interface Turn {
  readonly dia_id: string
  readonly speaker: string
  readonly text: string
}
export interface TalkQuestion {
  readonly question: string
  readonly answer: string
  /** Its place among the talk's questions. */
  readonly at: number
  /** Turns that answer it, by id; at least one. */
  readonly evidence: readonly string[]
}
/** One of LoCoMo's ten talks. */
export interface Talk {
  readonly qa: readonly TalkQuestion[]
  /** Sessions (lists of turns) and when they were (`session_1_date_time`), by name. */
  readonly conversation: Readonly<Record<string, unknown>>
}
interface Published {
  readonly qa: readonly {
    readonly question: string
    readonly answer?: string | number
    readonly evidence?: readonly string[]
    readonly category: number
  }[]
  readonly conversation: Readonly<Record<string, unknown>>
}

const QUESTIONS = 50
const ADVERSARIAL = 5

/** All turns of a talk, in order. */
export const turnsOf = ({ conversation }: Pick<Talk, 'conversation'>): Turn[] =>
  Object.values(conversation)
    .filter((value): value is Turn[] => Array.isArray(value))
    .flat()

/**
 * LoCoMo's ten talks with the first fifty questions of each that name evidence which is there. Reads ../shared/data/locomo/locomo10.json or
 * LOAM_LOCOMO=FILE; null where there is none. The set is CC BY-NC and does not come with Loam.
 */
export async function locomoTalks(): Promise<Talk[] | null> {
  const file =
    process.env['LOAM_LOCOMO'] ?? resolve(import.meta.dirname, '../../../shared/data/locomo/locomo10.json')
  if (!existsSync(file)) return null
  const published = JSON.parse(await readFile(file, 'utf8')) as Published[]
  return published.map(({ qa, conversation }) => {
    const ids = new Set(turnsOf({ conversation }).map(({ dia_id: id }) => id))
    const questions = qa
      .map(({ question, answer = '', evidence = [], category }, at) => ({
        ...{ question, answer: String(answer), at, category },
        evidence: evidence.filter((id) => ids.has(id)),
      }))
      .filter(({ evidence, category }) => evidence.length > 0 && category !== ADVERSARIAL)
      .slice(0, QUESTIONS)
    return { qa: questions, conversation }
  })
}
