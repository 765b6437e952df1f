import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Embedder } from '../../src/core/ground/ports'
import { lexicalEmbedder } from '../../src/core/retrieval/lexical-embedder'
import { withPlacesForMeaning } from '../../src/core/retrieval/fuse'
import { builtInEncoder } from '../../src/main/embedders/built-in-encoder'
import { encoderPath } from '../../src/main/ground/model-file'
import { findResources } from '../../src/main/ground/resources'
import { openMemory } from '../../src/main/memory-store/memory'
import { experienceOf } from '../core/memory/experiences/fixtures'
import type { LabelledFold } from '../fixtures/kb/labelled-set'
import { longerTalks, labelledTalks } from '../fixtures/kb/labelled-talks'
import { searchFold } from '../fixtures/kb/measure-modes'
import { otherNotes, recallNotes } from '../fixtures/recall/recall-notes'
import { attempt } from '../main/memory-store/fixtures'

// How often one of five recalled items is the one an ask is about: asks in other words over notes nobody trained on, alone and among 5,000 others,
// and questions about talks; through the memory's own searches, by words alone (lexical-384) and with the built-in encoder.
// LOAM_BENCH_OTHERS=FILE (a JSON list of texts) puts other texts in the place of the made ones.
const K = 5
const OTHERS = 5000
const notes = recallNotes()
const file = process.env['LOAM_BENCH_OTHERS']
const others =
  file === undefined
    ? otherNotes(OTHERS)
    : (JSON.parse(await readFile(file, 'utf8')) as string[]).slice(0, OTHERS)
const round = (share: number): number => Number(share.toFixed(3))

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-recall-'))
  try {
    return await work(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

type Finds = (text: string) => Promise<readonly string[]>

/** Share of asks whose note is among the five, by language. */
async function shares(ask: 'near' | 'otherWords', finds: Finds): Promise<Record<string, number>> {
  const counts = new Map<string, [number, number]>()
  for (const note of notes) {
    const ids = (await finds(note[ask])).slice(0, K)
    for (const name of [note.language, `${note.language} ${note.style}`]) {
      const [hits, all] = counts.get(name) ?? [0, 0]
      counts.set(name, [hits + Number(ids.includes(note.text)), all + 1])
    }
  }
  return Object.fromEntries([...counts].map(([name, [hits, all]]) => [name, round(hits / all)]))
}

async function measure(embedder: Embedder, more: readonly string[]) {
  const texts = [...notes.map(({ text }) => text), ...more]
  return inFolder(async (folder) => {
    const memory = await openMemory({ folder, embedder })
    for (let at = 0; at < texts.length; at += 50) {
      const part = texts.slice(at, at + 50)
      await memory.commit([
        ...part.flatMap((text, i) => attempt(at + i, text)),
        ...part.map((text, i) => ({
          kind: 'experience-added' as const,
          experience: experienceOf(`e${at + i}`, text),
        })),
      ])
    }
    const cases: Finds = async (text) => {
      const [vector = new Float32Array()] = await embedder.embed([text])
      const hits = withPlacesForMeaning(await memory.find(text, vector, 4 * K), K)
      return hits.map((hit) => hit.case.state)
    }
    const experiences: Finds = async (text) => {
      const hits = await memory.experiences.search({ text, mode: 'hybrid', k: K })
      return hits.map(({ experience }) => experience.question)
    }
    const begun = performance.now()
    const figures = {
      cases: await shares('otherWords', cases),
      casesNear: await shares('near', cases),
      experiences: await shares('otherWords', experiences),
    }
    const ms = round((performance.now() - begun) / notes.length / 3)
    await memory.close()
    return { ...figures, ms }
  })
}

const talks: Record<string, LabelledFold> = {
  talks: labelledTalks().test,
  longer: longerTalks().asAsked,
  'other words': longerTalks().inOtherWords,
}

const figures: Record<string, unknown> = {}
for (const embedder of [lexicalEmbedder, builtInEncoder(encoderPath(findResources().models))]) {
  const own: Record<string, unknown> = {}
  own['alone'] = await measure(embedder, [])
  own[`among ${others.length}`] = await measure(embedder, others)
  for (const [name, fold] of Object.entries(talks))
    own[name] = await inFolder(async (folder) => {
      const memory = await openMemory({ folder, embedder })
      const { hybrid, semantic, text } = await searchFold(memory, fold)
      await memory.close()
      return { words: text.recallAt5, meaning: semantic.recallAt5, both: hybrid.recallAt5 }
    })
  figures[embedder.id] = own
  process.stdout.write(`${embedder.id}: ${JSON.stringify(own, null, 1)}\n`)
}
process.stdout.write(`${JSON.stringify(figures)}\n`)
