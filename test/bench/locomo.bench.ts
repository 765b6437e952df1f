import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { openMemory } from '../../src/main/memory-store/memory'
import { benchEmbedder } from './bench-embedder'
import type { LabelledFold } from '../fixtures/kb/labelled-set'
import { searchFold } from '../fixtures/kb/measure-modes'

// Recall@5 of questions about LoCoMo's ten talks, each talk a memory of its turns, the first fifty questions of it that name their evidence.
// Reads ../shared/data/locomo/locomo10.json or LOAM_LOCOMO=FILE; the set is CC BY-NC and does not come with Loam.
const QUESTIONS = 50
const ADVERSARIAL = 5
const file =
  process.env['LOAM_LOCOMO'] ?? resolve(import.meta.dirname, '../../../shared/data/locomo/locomo10.json')

interface Turn {
  readonly dia_id: string
  readonly speaker: string
  readonly text: string
}
interface Talk {
  readonly qa: readonly { question: string; evidence?: readonly string[]; category: number }[]
  readonly conversation: Readonly<Record<string, unknown>>
}

function foldOf({ qa, conversation }: Talk): LabelledFold {
  const sessions = Object.values(conversation).filter((value): value is Turn[] => Array.isArray(value))
  const cases = sessions
    .flat()
    .map(({ dia_id: id, speaker, text }) => ({ id, text: `${speaker}: ${text}`, domain: 'talk' }))
  const ids = new Set(cases.map(({ id }) => id))
  const queries = qa
    .map(({ question, evidence = [], category }, i) => ({
      ...{ id: `q${i}`, text: question, domain: 'talk', category },
      relevant: evidence.filter((id) => ids.has(id)),
    }))
    .filter(({ relevant, category }) => relevant.length > 0 && category !== ADVERSARIAL)
    .slice(0, QUESTIONS)
  return { cases, queries }
}

async function measure(talks: readonly Talk[]) {
  const embedder = await benchEmbedder()
  const sums = { questions: 0, words: 0, meaning: 0, both: 0 }
  for (const talk of talks) {
    const fold = foldOf(talk)
    const folder = await mkdtemp(join(tmpdir(), 'loam-locomo-'))
    const memory = await openMemory({ folder, embedder })
    const { text, semantic, hybrid } = await searchFold(memory, fold)
    await memory.close()
    await rm(folder, { recursive: true, force: true })
    const count = fold.queries.length
    sums.questions += count
    sums.words += count * text.recallAt5
    sums.meaning += count * semantic.recallAt5
    sums.both += count * hybrid.recallAt5
  }
  const share = (sum: number): number => Number((sum / sums.questions).toFixed(3))
  return { ...sums, words: share(sums.words), meaning: share(sums.meaning), both: share(sums.both) }
}

const figures = existsSync(file)
  ? await measure(JSON.parse(await readFile(file, 'utf8')) as Talk[])
  : { skipped: `there is no ${file}` }
process.stdout.write(`${JSON.stringify(figures)}\n`)
