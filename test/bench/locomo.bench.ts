import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openMemory } from '../../src/main/memory-store/memory'
import { RETRIEVAL_MODES } from '../fixtures/kb/measure-modes'
import { experienceOf } from '../core/memory/experiences/fixtures'
import { benchEmbedder } from './bench-embedder'
import { locomoTalks, turnsOf, type Talk } from './locomo'

// Recall@5 of questions about LoCoMo's ten talks, each talk a memory of its turns: `any`, whether one of the turns that answer a question is among five;
// `share`, how much of them.
const K = 5

async function measure(talks: readonly Talk[]) {
  const embedder = await benchEmbedder()
  const sums = Object.fromEntries(RETRIEVAL_MODES.map((mode) => [mode, { any: 0, share: 0 }]))
  const questions = talks.reduce((sum, { qa }) => sum + qa.length, 0)
  for (const talk of talks) {
    const folder = await mkdtemp(join(tmpdir(), 'loam-locomo-'))
    const memory = await openMemory({ folder, embedder })
    const turns = turnsOf(talk)
    for (let at = 0; at < turns.length; at += 50)
      await memory.commit(
        turns.slice(at, at + 50).map(({ dia_id: id, speaker, text }) => ({
          kind: 'experience-added' as const,
          experience: experienceOf(id, `${speaker}: ${text}`, { meta: { domain: 'talk' } }),
        })),
      )
    for (const mode of RETRIEVAL_MODES)
      for (const { question, evidence } of talk.qa) {
        const hits = await memory.experiences.search({ text: question, mode, k: K })
        const matches = hits.filter(({ experience }) => evidence.includes(experience.id)).length
        const sum = sums[mode] ?? { any: 0, share: 0 }
        sum.any += Number(matches > 0) / questions
        sum.share += matches / Math.min(K, evidence.length) / questions
      }
    await memory.close()
    await rm(folder, { recursive: true, force: true })
  }
  return { questions, ...sums }
}

const talks = await locomoTalks()
const figures = talks ? await measure(talks) : { skipped: 'LoCoMo is not at hand' }
process.stdout.write(`${JSON.stringify(figures)}\n`)
