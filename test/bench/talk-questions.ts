import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { knownMessages } from '../../src/core/agent/known-facts'
import type { LanguageModel } from '../../src/core/ground/ports'
import { keepFact, rememberedFact } from '../../src/core/memory/facts/new-fact'
import { factParts } from '../../src/core/memory/facts/recall-facts'
import { passageText } from '../../src/core/memory/passages/passage'
import type { App } from '../../src/main/app'
import { USUAL_FACT_FORM } from '../../src/shared/domain/model-profile'
import { experienceOf } from '../core/memory/experiences/fixtures'
import { CLOSED } from './first-answer-sets'
import { holds, partOf } from './known-parts'
import { locomoTalks, turnsOf, type Talk, type TalkQuestion } from './locomo'
import { ownPassages } from './own-passages'
import { openMemories, type Memory, type Opening, type Sentence } from './memory-systems'

/** Turns that are shown with a question, and passages of a file: these hold some eleven turns each. */
const MOST = 5
const PASSAGES = 2

/** A turn with who said it and when, as every memory is told it. */
const sentencesOf = (talk: Talk): (Sentence & { id: string })[] =>
  turnsOf(talk).map(({ dia_id: id, speaker, text }) => {
    const session = /^D(\d+)/.exec(id)?.[1] ?? ''
    const when = String(talk.conversation[`session_${session}_date_time`] ?? '')
    const sentence = `${speaker} (${when}): ${text.replaceAll('\n', ' ')}`
    return { id, sentence, question: '', answer: text }
  })

const bankOf = (app: App, folder: string, name: string) => app.memories.open(join(folder, name))
const taskOf = (instruction: string) => ({
  ...{ id: 't', index: 0, environment: 'question', instruction, skills: [], payload: null },
})

/** Turns as facts of a person: silent where a question is not about one. */
const facts = (app: App, folder: string): Opening => ({
  name: 'Loam, turns as facts',
  async make(sentences) {
    const bank = await bankOf(app, folder, 'facts')
    for (const [i, { sentence }] of sentences.entries()) {
      const origin = { id: `f${i}`, runId: 'r', trajectoryId: `t${i}`, environment: 'question' }
      const fact = rememberedFact(sentence, { ...origin, at: new Date(i * 1000).toISOString() })
      await bank.commit(keepFact(fact, []).events)
    }
    const embedder = await app.embedder()
    return {
      find: async (question) =>
        (await factParts({ task: taskOf(question) }, { bank, embedder }, MOST)).map(({ text }) => text),
      close: () => app.memories.release(bank.path),
    }
  },
})

/** Turns as a program searches them (`memory_search`): the nearest, whatever a question is about. */
const search = (app: App, folder: string): Opening => ({
  name: 'Loam, turns searched',
  async make(sentences) {
    const bank = await bankOf(app, folder, 'search')
    await bank.commit(
      sentences.map(({ sentence }, i) => ({
        kind: 'experience-added' as const,
        experience: experienceOf(`e${i}`, sentence, { meta: { domain: 'talk' } }),
      })),
    )
    return {
      find: async (text) =>
        (await bank.experiences.search({ text, mode: 'hybrid', k: MOST })).map(
          ({ experience }) => experience.question,
        ),
      close: () => app.memories.release(bank.path),
    }
  },
})

/** The talk as a person's own files, a file a session, as asks recall them. */
const files = (app: App, folder: string, talk: Talk): Opening => ({
  name: 'Loam, the talk as files',
  async make() {
    const path = join(folder, 'talk')
    await mkdir(path, { recursive: true })
    for (const [session, turns] of Object.entries(talk.conversation)) {
      if (!Array.isArray(turns)) continue
      const lines = turnsOf({ conversation: { session: turns } }).map(
        ({ speaker, text }) => `${speaker}: ${text.replaceAll('\n', ' ')}`,
      )
      const title = `# ${String(talk.conversation[`${session}_date_time`])}`
      await writeFile(join(path, `${session}.md`), `${title}\n\n${lines.join('\n')}\n`)
    }
    const { id } = await app.memories.create('talk')
    const { jobId } = await app.files.add(id, path)
    while (app.jobs.get(jobId).status === 'running') await new Promise((wake) => setTimeout(wake, 20))
    const bank = await app.memories.open(id)
    const embedder = await app.embedder()
    const total = (await app.files.list(id)).reduce((sum, { passages }) => sum + passages, 0)
    return {
      find: async (text) =>
        (await ownPassages(bank, embedder, { text, k: PASSAGES, total })).about.map(passageText),
      close: () => Promise.resolve(),
    }
  },
})

/**
 * Questions that one answer is right for, word by word: gold of at most three words that stands in a turn it names. Of the 48 these were left out after a reading of all, by talk and place: names that
 * are nobody's in the talk (2, 9), a guess (5, 8), no sense (6, 39), something that was only thought of (9, 4).
 */
const WRONG = new Set(['1:9', '4:8', '5:39', '8:4'])

/** The short answer that a question is graded by; null where it cannot be graded word by word, or its gold is wrong. */
function shortAnswer(talk: Talk, at: number, { answer, evidence, at: place }: TalkQuestion): string | null {
  const gold = answer.trim().replace(/\.$/, '')
  const turns = turnsOf(talk).filter(({ dia_id: id }) => evidence.includes(id))
  const isShort = gold.split(/\s+/).length <= 3 && turns.some(({ text }) => holds(text, [gold]))
  return isShort && !WRONG.has(`${at}:${place}`) ? gold : null
}

export interface TalksInput {
  readonly app: App
  readonly model: LanguageModel
  readonly packages: string
  readonly folder: string
  readonly seeds: readonly number[]
  readonly temperature: number
  readonly general: number
  readonly only: string
  readonly print: (line: string) => void
}

/**
 * Every memory holds the turns of each of LoCoMo's talks: for how many of 500 questions a turn that answers is among what it gives back, how many answers of the model are right of those that can be graded
 * word by word, and what it gives back to general questions. A row for each memory.
 */
export async function playTalks(input: TalksInput): Promise<void> {
  const { app, model, folder, print } = input
  const talks = await locomoTalks()
  if (!talks) return print('LoCoMo is not at hand: LOAM_LOCOMO=FILE names it.')
  const systemPrompt = await app.environments.world.prompt('ask')
  const rows = new Map<string, ReturnType<typeof newRow>>()
  const newRow = () => ({
    ...{ answered: 0, questions: 0, graded: 0, generals: 0, shown: 0 },
    ...{ right: input.seeds.map(() => 0), tokens: 0, searchMs: 0 },
  })

  const answer = async (texts: readonly string[], question: string, seed: number) => {
    const passages = texts.filter((text) => text.includes('\n'))
    const parts = texts.filter((text) => !text.includes('\n')).map(partOf)
    const messages = passages.length
      ? [{ role: 'user' as const, content: `From files:\n\n${passages.join('\n\n')}\n\n${question}` }]
      : knownMessages(parts, question, { ...USUAL_FACT_FORM, most: parts.length as 4 })
    return model.generate({
      messages: [{ role: 'system', content: systemPrompt }, ...messages],
      ...{ temperature: input.temperature, seed, maxTokens: 32, stop: ['\n'] },
    })
  }

  const play = async (memory: Memory, row: ReturnType<typeof newRow>, talk: Talk, at: number) => {
    await memory.find('Where is the garden?')
    const saying = new Map(turnsOf(talk).map(({ dia_id: id, text }) => [id, text.replaceAll('\n', ' ')]))
    for (const question of talk.qa) {
      const began = performance.now()
      const texts = await memory.find(question.question)
      row.searchMs += performance.now() - began
      row.questions++
      const golds = question.evidence.map((id) => saying.get(id) ?? '')
      row.answered += Number(texts.some((text) => golds.some((gold) => text.includes(gold))))
      const gold = shortAnswer(talk, at, question)
      if (gold === null) continue
      row.graded++
      for (const [i, seed] of input.seeds.entries()) {
        const reply = await answer(texts, question.question, seed)
        row.right[i] = (row.right[i] ?? 0) + Number(holds(reply.text, [gold]))
        row.tokens += reply.usage.promptTokens / input.seeds.length
      }
    }
    for (const { text } of CLOSED.slice(0, input.general)) {
      const texts = await memory.find(text)
      row.generals++
      row.shown += texts.length
    }
  }

  for (const [at, talk] of talks.entries()) {
    const place = join(folder, `talk-${at}`)
    const sentences = sentencesOf(talk)
    const own = [facts(app, place), search(app, place), files(app, place, talk)]
    const [nothing, , ...others] = openMemories(app, input.packages, place, facts(app, place), MOST)
    for (const open of [...(nothing ? [nothing] : []), ...own, ...others]) {
      // A whole talk is more than a small model reads.
      if (!open.name.includes(input.only) || open.name === 'whole context') continue
      const memory = await open.make(sentences).catch((error: unknown) => {
        if (at === 0) print(`skipped ${open.name}: ${String(error).split('\n')[0] ?? ''}`)
        return null
      })
      if (!memory) continue
      const row = rows.get(open.name) ?? newRow()
      rows.set(open.name, row)
      await play(memory, row, talk, at)
      await memory.close()
    }
    print(`talk ${at + 1} of ${talks.length} done`)
  }
  print(
    '| memory | answering turn given back | answered right | shown to a general question | prompt tokens | search ms |',
  )
  print('|---|---|---|---|---|---|')
  for (const [name, row] of rows)
    print(
      `| ${name} | ${row.answered} of ${row.questions} | ${row.right.join(', ')} of ${row.graded} | ${(row.shown / row.generals).toFixed(1)} | ${(row.tokens / row.graded).toFixed(0)} | ${(row.searchMs / row.questions).toFixed(1)} |`,
    )
}
