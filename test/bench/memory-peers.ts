import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { knownMessages } from '../../src/core/agent/known-facts'
import { createRng } from '../../src/core/ground/random'
import { statementFrom } from '../../src/core/memory/facts/statement'
import { createApp } from '../../src/main/app'
import { USUAL_FACT_FORM } from '../../src/shared/domain/model-profile'
import { CLOSED, FRESH_FACTS, LAST_FACTS, TUNED_FACTS, type MadeUpFact } from './first-answer-sets'
import { holds, partOf } from './known-parts'
import { openMemories, type Memory } from './memory-systems'
import { playRepeats } from './repeated-tasks'
import { playTalks } from './talk-questions'

/**
 * `npm run peers -- MODEL.gguf [--packages test/bench/memory-peers] [--facts 10] [--general 10] [--seeds 1,2,3] [--temperature 0.3] [--only mem0]`: memories of several makers hold the
 * same thirty sentences and are asked the same questions; what each finds stands before the question in one and the same form, and one model answers. The packages of others are installed apart
 * (`npm install --prefix test/bench/memory-peers`); what is not there, or does not start, is skipped and says why. One thread.
 * `--tasks DB_BENCH.json [--repeats 20]`: solved tasks that come again in place of sentences (repeated-tasks.ts). `--talks`: LoCoMo's talks and questions (talk-questions.ts).
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    packages: { type: 'string', default: join(import.meta.dirname, 'memory-peers') },
    facts: { type: 'string', default: '10' },
    general: { type: 'string', default: '10' },
    seeds: { type: 'string', default: '1,2,3' },
    temperature: { type: 'string', default: '0.3' },
    only: { type: 'string', default: '' },
    tasks: { type: 'string' },
    repeats: { type: 'string', default: '20' },
    talks: { type: 'boolean', default: false },
  },
})
const [modelFile] = positionals
if (modelFile === undefined) throw new Error('Name a GGUF: npm run peers -- MODEL.gguf')
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const seeds = values.seeds.split(',').map(Number)

const sentenceOf = ({ question, answer }: MadeUpFact): string => statementFrom(question, answer)

interface Row {
  found: number
  right: number
  facts: number
  general: number
  generals: number
  shownToGeneral: number
  tokens: number[]
  searchMs: number[]
  answerMs: number[]
}
const newRow = (): Row => ({
  ...{ found: 0, right: 0, facts: 0, general: 0, generals: 0, shownToGeneral: 0 },
  ...{ tokens: [], searchMs: [], answerMs: [] },
})
const mean = (all: readonly number[]): number =>
  all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length)

const folder = await mkdtemp(join(tmpdir(), 'loam-peers-'))
const app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
try {
  await app.saveSettings({ threads: 1 })
  const model = await app.loadModel(resolve(modelFile))
  if (values.tasks !== undefined) {
    await playRepeats({
      ...{ app, model, folder, seeds, print, packages: values.packages, only: values.only },
      ...{
        published: resolve(values.tasks),
        count: Number(values.repeats),
        temperature: Number(values.temperature),
      },
    })
  }
  if (values.talks)
    await playTalks({
      ...{ app, model, folder, seeds, print, packages: values.packages, only: values.only },
      ...{ temperature: Number(values.temperature), general: Number(values.general) },
    })
  const systemPrompt = await app.environments.world.prompt('ask')
  const asked = LAST_FACTS.slice(0, Number(values.facts))
  const rows = new Map<string, Row[]>()

  const answer = async (memory: Memory, text: string, seed: number, row: Row) => {
    const began = performance.now()
    const found = await memory.find(text)
    row.searchMs.push(performance.now() - began)
    const parts = found.map(partOf)
    const messages = knownMessages(parts, text, { ...USUAL_FACT_FORM, most: parts.length as 4 })
    const reply = await model.generate({
      messages: [{ role: 'system', content: systemPrompt }, ...messages],
      temperature: Number(values.temperature),
      seed,
      maxTokens: 24,
      stop: ['\n'],
    })
    row.tokens.push(reply.usage.promptTokens)
    row.answerMs.push(reply.usage.ms)
    return { found, text: reply.text }
  }

  for (const seed of values.tasks === undefined && !values.talks ? seeds : []) {
    const order = createRng(`peers ${seed}`)
    const all = [...TUNED_FACTS, ...FRESH_FACTS, ...LAST_FACTS]
    const sentences = order.sample(all, all.length).map((one) => ({ ...one, sentence: sentenceOf(one) }))
    for (const open of openMemories(app, values.packages, join(folder, String(seed)))) {
      if (!open.name.includes(values.only)) continue
      let memory: Memory
      try {
        memory = await open.make(sentences)
      } catch (error) {
        if (seed === seeds[0]) print(`skipped ${open.name}: ${String(error).split('\n')[0] ?? ''}`)
        continue
      }
      // What is read or loaded once is not the time of a search.
      await memory.find('Where is the garden?')
      const row = newRow()
      rows.set(open.name, [...(rows.get(open.name) ?? []), row])
      for (const fact of asked) {
        const { found, text } = await answer(memory, fact.paraphrase, seed, row)
        row.facts++
        row.found += Number(found.includes(sentenceOf(fact)))
        row.right += Number(holds(text, fact.accepted ?? [fact.answer]))
      }
      for (const { text: question, accepted } of CLOSED.slice(0, Number(values.general))) {
        const { found, text } = await answer(memory, question, seed, row)
        row.generals++
        row.shownToGeneral += found.length
        row.general += Number(holds(text, accepted))
      }
      await memory.close()
    }
    print(`seed ${seed} done`)
  }
  if (rows.size > 0)
    print(
      '| memory | found | answered right | general right | shown to general | prompt tokens | search ms | answer ms |\n|---|---|---|---|---|---|---|---|',
    )
  for (const [name, list] of rows) {
    const of = (part: keyof Row, all: keyof Row): string =>
      `${list.map((row) => String(row[part])).join(', ')} of ${String(list[0]?.[all])}`
    const ms = (part: 'tokens' | 'searchMs' | 'answerMs'): string =>
      mean(list.flatMap((row) => row[part])).toFixed(part === 'searchMs' ? 1 : 0)
    const shown = mean(list.map((row) => row.shownToGeneral / Math.max(1, row.generals))).toFixed(1)
    print(
      `| ${name} | ${of('found', 'facts')} | ${of('right', 'facts')} | ${of('general', 'generals')} | ${shown} | ${ms('tokens')} | ${ms('searchMs')} | ${ms('answerMs')} |`,
    )
  }
} finally {
  await app.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
