import { cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { EVERYDAY_ASKS } from '../../src/core/retrieval/everyday-asks'
import { createApp, type App } from '../../src/main/app'
import type { Embedder } from '../../src/core/ground/ports'
import type { Passage } from '../../src/core/memory/passages/passage'
import type { StoredMemory } from '../../src/main/memory-store/memory'
import { linesOf, recallNotes } from '../fixtures/recall/recall-notes'
import { CLOSED, EVERYDAY } from './first-answer-sets'
import { locomoTalks, type Talk } from './locomo'
import { ownPassages } from './own-passages'

// How often an ask is shown passages of own files that it is not about, and how often the passage that answers it: folders of talks (LoCoMo, where it is at hand), of Loam's own guides, and of notes
// in four languages. LOAM_BENCH_ENCODER=ID compares by another encoder. `before`: whatever is nearest; `now`: only what the ask is about. The rule was chosen on the first four talks, the guides, and the everyday and closed asks.
const K = 3
const NOTES_A_FILE = 8

interface Ask {
  readonly text: string
  readonly isAnswer: (passage: { path: string; from: number; to: number; text: string }) => boolean
}
const aboutNothing = (texts: readonly string[]): Ask[] =>
  texts.map((text) => ({ text, isAnswer: () => false }))
const fresh = aboutNothing(linesOf('fresh-asks.txt').map((line) => line.split(' | ')[1] ?? ''))
const others: Record<string, Ask[]> = {
  'everyday asks': aboutNothing([...EVERYDAY, ...EVERYDAY_ASKS]),
  'closed questions': aboutNothing(CLOSED.map(({ text }) => text)),
  'fresh asks, not chosen on': fresh,
}

interface Folder {
  readonly memory: StoredMemory
  readonly embedder: Embedder
  /** Passages in it. */
  readonly total: number
}

async function folderOf(app: App, name: string, path: string): Promise<Folder> {
  const { id } = await app.memories.create(name)
  const { jobId } = await app.files.add(id, path)
  while (app.jobs.get(jobId).status === 'running') await new Promise((wake) => setTimeout(wake, 20))
  const total = (await app.files.list(id)).reduce((sum, { passages }) => sum + passages, 0)
  return { memory: await app.memories.open(id), embedder: await app.embedder(), total }
}

const newCount = () => ({ any: 0, answers: 0, shown: 0, asks: 0 })
type Count = ReturnType<typeof newCount>

function add(count: Count, passages: readonly Passage[], isAnswer: Ask['isAnswer']): void {
  count.any += Number(passages.length > 0)
  count.answers += Number(passages.some(isAnswer))
  count.shown += passages.length
  count.asks++
}

const table = new Map<string, { before: Count; now: Count }>()
async function play({ memory, embedder, total }: Folder, name: string, asks: readonly Ask[]): Promise<void> {
  const row = table.get(name) ?? { before: newCount(), now: newCount() }
  table.set(name, row)
  for (const { text, isAnswer } of asks) {
    const { nearest, about } = await ownPassages(memory, embedder, { text, k: K, total })
    add(row.before, nearest, isAnswer)
    add(row.now, about, isAnswer)
  }
}

/** A file a session, a line a turn. */
async function writeTalk({ qa, conversation }: Talk, path: string): Promise<Ask[]> {
  const places = new Map<string, { path: string; line: number }>()
  await mkdir(path)
  for (const [session, turns] of Object.entries(conversation)) {
    if (!Array.isArray(turns)) continue
    const lines = [`# ${String(conversation[`${session}_date_time`])}`, '']
    for (const { dia_id: id, speaker, text } of turns) {
      lines.push(`${speaker}: ${text.replaceAll('\n', ' ')}`)
      places.set(id, { path: `${session}.md`, line: lines.length })
    }
    await writeFile(join(path, `${session}.md`), `${lines.join('\n')}\n`)
  }
  return qa.map(({ question, evidence }) => ({
    text: question,
    isAnswer: (passage) =>
      evidence.some((id) => {
        const place = places.get(id)
        return place?.path === passage.path && place.line >= passage.from && place.line <= passage.to
      }),
  }))
}

const folder = await mkdtemp(join(tmpdir(), 'loam-own-files-'))
const app = await createApp({ dataPath: join(folder, 'data'), host: 'memory' })
const encoder = process.env['LOAM_BENCH_ENCODER']
if (encoder !== undefined) await app.saveSettings({ embedder: encoder })
try {
  const talks = await locomoTalks()
  if (talks === null) process.stdout.write('LoCoMo is not at hand: its rows are left out.\n')
  for (const [i, talk] of (talks ?? []).entries()) {
    const asks = await writeTalk(talk, join(folder, `talk-${i}`))
    const memory = await folderOf(app, `talk ${i}`, join(folder, `talk-${i}`))
    await play(memory, `talks ${i < 4 ? '1 to 4' : '5 to 10, not chosen on'}: own questions`, asks)
    for (const [name, list] of Object.entries(others)) await play(memory, `talks: ${name}`, list)
  }
  const guides = join(folder, 'guides')
  const docs = resolve(import.meta.dirname, '../../docs')
  await cp(docs, guides, { recursive: true, filter: (path) => !path.includes('results') })
  const memory = await folderOf(app, 'guides', guides)
  for (const [name, list] of Object.entries(others)) await play(memory, `guides: ${name}`, list)
  const notes = recallNotes()
  const languages = [...new Set(notes.map(({ language }) => language))]
  await mkdir(join(folder, 'notes'))
  for (const language of languages) {
    const own = notes.filter((note) => note.language === language)
    for (let at = 0; at < own.length; at += NOTES_A_FILE) {
      const text = own
        .slice(at, at + NOTES_A_FILE)
        .map((note) => note.text)
        .join('\n\n')
      await writeFile(join(folder, 'notes', `${language}-${at}.md`), `${text}\n`)
    }
  }
  const ofNotes = await folderOf(app, 'notes', join(folder, 'notes'))
  for (const which of ['near', 'otherWords'] as const)
    for (const language of languages) {
      const asks = notes.flatMap((note): Ask[] =>
        note.language === language
          ? [{ text: note[which], isAnswer: ({ text }) => text.includes(note.text) }]
          : [],
      )
      await play(
        ofNotes,
        `notes, ${language}: ${which === 'near' ? 'near asks' : 'asks in other words'}`,
        asks,
      )
    }
  for (const [name, list] of Object.entries(others)) await play(ofNotes, `notes: ${name}`, list)
} finally {
  await app.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}

const lines = [
  '| asks | n | shown anything, before | now | shown an answer, before | now | passages, before | now |',
]
lines.push('|---|---|---|---|---|---|---|---|')
for (const [name, { before, now }] of table) {
  const of = (count: Count, part: keyof Count): string => (count[part] / count.asks).toFixed(3)
  lines.push(
    `| ${name} | ${now.asks} | ${of(before, 'any')} | ${of(now, 'any')} | ${of(before, 'answers')} | ${of(now, 'answers')} | ${of(before, 'shown')} | ${of(now, 'shown')} |`,
  )
}
process.stdout.write(`${lines.join('\n')}\n`)
