import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { createApp, type App } from '../../src/main/app'
import { MY_MEMORY } from '../../src/shared/domain/memory-info'
import { statesOf } from '../../src/shared/feed'
import { answerOf, type AskAttempt } from '../../src/shared/domain/ask'
import { FACT_FORMS } from '../../src/shared/domain/model-profile'
import {
  CLOSED,
  EVERYDAY,
  FRESH_FACTS,
  JUDGED,
  LAST_FACTS,
  OTHERS,
  TUNED_FACTS,
  type MadeUpFact,
} from './first-answer-sets'

// The first answer and the first correction with a real small model, through the product's own asks, the bare model beside them:
// `npm run first-answer -- MODEL.gguf [--parts bare,closed,cases,facts,crowd,everyday,again] [--facts tuned|fresh|last] [--questions 30] [--seed 1] [--verbose]`.
// One thread of the CPU. `closed` asks general questions with the defaults of a new ask, `cases` the same with thirty others judged before; `facts` teaches
// made-up facts by correction and asks them again in the same words and in other words, each in a memory of its own; `crowd` the same with two hundred
// others, and then the general questions, so that it shows what memory takes away. `--seed` makes chance the same at every call, as nobody does at home.
// One part of Loam after the other can be left out: `--method none` shows no memory, `--embedder lexical-384` finds facts by their words alone,
// `--form 0` to `--form 4` shows them in one of `FACT_FORMS` (0 is the usual one). `--files FOLDER` has My memory read a folder first.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    parts: { type: 'string', default: 'bare,closed,cases,facts,crowd,everyday,again' },
    facts: { type: 'string', default: 'last' },
    questions: { type: 'string', default: '30' },
    seed: { type: 'string' },
    temperature: { type: 'string' },
    method: { type: 'string' },
    embedder: { type: 'string' },
    form: { type: 'string' },
    files: { type: 'string' },
    verbose: { type: 'boolean', default: false },
  },
})
const [modelFile] = positionals
if (modelFile === undefined) throw new Error('Name a GGUF: npm run first-answer -- MODEL.gguf')
const model = resolve(modelFile)
const parts = new Set(values.parts.split(','))
const SETS = { tuned: TUNED_FACTS, fresh: FRESH_FACTS, last: LAST_FACTS }
const facts = SETS[values.facts as keyof typeof SETS]
const questions = CLOSED.slice(0, Number(values.questions))
const chance = {
  ...(values.seed !== undefined && { seed: Number(values.seed) }),
  ...(values.temperature !== undefined && { temperature: Number(values.temperature) }),
  ...(values.method !== undefined && { method: values.method }),
}
const print = (line: string): void => void process.stdout.write(`${line}\n`)

const holds = (answer: string | null, accepted: readonly string[]): boolean =>
  accepted.some((word) =>
    new RegExp(`(?<![\\w])${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w])`, 'i').test(answer ?? ''),
  )
const acceptedOf = ({ accepted, answer }: MadeUpFact): readonly string[] => accepted ?? [answer]
const median = (numbers: readonly number[]): number =>
  [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)] ?? 0

/** What one row of answers came to. */
function openTally(title: string) {
  const promptTokens: number[] = []
  const firstMs: number[] = []
  const besideMs: number[] = []
  let rightCount = 0
  let cutCount = 0
  let recalledCount = 0
  let total = 0
  return {
    add(
      text: string,
      right: boolean,
      answer: string | null,
      cut: boolean,
      prompt: number,
      first: number,
      recalled = 0,
      own = first,
    ) {
      total++
      rightCount += Number(right)
      cutCount += Number(cut)
      recalledCount += Number(recalled > 0)
      promptTokens.push(prompt)
      firstMs.push(first)
      besideMs.push(first - own)
      if (values.verbose)
        print(
          `  ${right ? 'right' : 'WRONG'} [${prompt}] ${text} -> ${JSON.stringify((answer ?? '').slice(0, 160))}`,
        )
    },
    tell: () =>
      print(
        `${title}: ${rightCount} of ${total} right, prompt ${median(promptTokens)} tokens, first token ${median(firstMs).toFixed(0)} ms (${median(besideMs).toFixed(0)} beside the model), cut ${cutCount}, recalled in ${recalledCount}`,
      ),
  }
}

async function withApp<T>(work: (app: App) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-first-answer-'))
  const app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
  try {
    await app.saveSettings({
      threads: 1,
      ...(values.embedder !== undefined && { embedder: values.embedder }),
    })
    const form = FACT_FORMS[Number(values.form)]
    if (form) await app.profiles.choose(model, { facts: form })
    if (values.files !== undefined) {
      const { jobId } = await app.files.add(MY_MEMORY, resolve(values.files))
      while (app.jobs.get(jobId).status === 'running') await new Promise((wake) => setTimeout(wake, 50))
    }
    return await work(app)
  } finally {
    await app.dispose()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}

interface Asked {
  readonly id: string
  readonly answer: string | null
  readonly attempt: AskAttempt
  readonly firstMs: number
}

/** Asks as a person does who changes no setting. */
async function ask(app: App, text: string): Promise<Asked> {
  const { id } = await app.askDrafts.start({ text, model, ...chance })
  const begun = performance.now()
  let firstMs = 0
  const stop = new AbortController()
  const watching = (async () => {
    for await (const detail of statesOf(app.asks.watch(id, { signal: stop.signal })))
      if (firstMs === 0 && (detail.live?.streaming ?? '') !== '') firstMs = performance.now() - begun
  })().catch(() => undefined)
  await app.asks.settled()
  stop.abort()
  await watching
  const { ask: info, attempts } = app.asks.get(id)
  const [attempt] = attempts
  if (!attempt) throw new Error(`It ended without an attempt: ${info.problem?.cause ?? info.status}`)
  return { id, answer: answerOf(attempt), attempt, firstMs }
}

async function teach(app: App, { question, answer }: MadeUpFact): Promise<void> {
  const { id } = await ask(app, question)
  await app.asks.teach(id, 0, { verdict: 'wrong', answer, wrongAt: null, note: null })
  await app.asks.settled()
}

const addAsked = (
  tally: ReturnType<typeof openTally>,
  text: string,
  accepted: readonly string[],
  { answer, attempt, firstMs }: Asked,
): void => {
  const { trajectory } = attempt
  const prompt = trajectory.rounds[0]?.usage.promptTokens ?? 0
  const cut = trajectory.finish === 'output-limit'
  const own = trajectory.rounds[0]?.firstMs
  if (values.verbose)
    for (const { kind, title } of trajectory.recalled) print(`  ${text} <- ${kind}: ${title}`)
  tally.add(text, holds(answer, accepted), answer, cut, prompt, firstMs, trajectory.recalled.length, own)
}

async function askBare(app: App): Promise<void> {
  const loaded = await app.loadModel(model)
  const tally = openTally('bare model, general questions')
  for (const { text, accepted } of questions) {
    const begun = performance.now()
    let firstMs = 0
    const {
      text: answer,
      usage,
      finish,
    } = await loaded.generate(
      { messages: [{ role: 'user', content: text }], maxTokens: 256 },
      { onToken: () => (firstMs ||= performance.now() - begun) },
    )
    tally.add(text, holds(answer, accepted), answer, finish === 'max-tokens', usage.promptTokens, firstMs)
  }
  tally.tell()
}

async function askClosed(app: App, title: string): Promise<void> {
  const tally = openTally(title)
  for (const { text, accepted } of questions) addAsked(tally, text, accepted, await ask(app, text))
  tally.tell()
}

const FORMS = [
  ['same words', (fact: MadeUpFact) => fact.question],
  ['other words', (fact: MadeUpFact) => fact.paraphrase],
] as const

async function askFactsAlone(): Promise<void> {
  const tallies = FORMS.map(([name]) => openTally(`taught alone, ${name}`))
  for (const fact of facts)
    await withApp(async (app) => {
      await teach(app, fact)
      for (const [i, [, textOf]] of FORMS.entries()) {
        const tally = tallies[i]
        if (tally) addAsked(tally, textOf(fact), acceptedOf(fact), await ask(app, textOf(fact)))
      }
    })
  for (const tally of tallies) tally.tell()
}

async function judgeOthers(app: App): Promise<void> {
  for (const [question, answer] of JUDGED) {
    const { id } = await ask(app, question)
    await app.asks.teach(id, 0, { verdict: 'wrong', answer, wrongAt: null, note: null })
    await app.asks.settled()
  }
}

async function askInCrowd(): Promise<void> {
  await withApp(async (app) => {
    for (const fact of facts) await teach(app, fact)
    for (const other of OTHERS) await ask(app, `Remember that ${other}.`)
    for (const [name, textOf] of FORMS) {
      const tally = openTally(`taught among ${OTHERS.length} others, ${name}`)
      for (const fact of facts) addAsked(tally, textOf(fact), acceptedOf(fact), await ask(app, textOf(fact)))
      tally.tell()
    }
    await askClosed(app, `${facts.length + OTHERS.length} facts taught, general questions`)
    if (parts.has('everyday')) await askEveryday(app)
  })
}

async function askEveryday(app: App): Promise<void> {
  const recalling = []
  for (const text of EVERYDAY) {
    const { id } = await app.askDrafts.start({ text, model, ...chance, maxTokens: 16 })
    await app.asks.settled()
    const recalled = app.asks.get(id).attempts[0]?.trajectory.recalled ?? []
    if (recalled.length > 0) recalling.push(`${text} <- ${recalled.map(({ title }) => title).join(' | ')}`)
  }
  print(`everyday asks that recall anything: ${recalling.length} of ${EVERYDAY.length}`)
  if (values.verbose) for (const line of recalling) print(`  ${line}`)
}

/** How many of five tries at a request for a text differ. */
async function askAgain(): Promise<void> {
  await withApp(async (app) => {
    const { id } = await ask(app, 'Write a short poem about the sea.')
    for (let tries = 1; tries < 5; tries++) {
      await app.asks.retry(id)
      await app.asks.settled()
    }
    const answers = new Set(app.asks.get(id).attempts.map((attempt) => answerOf(attempt)))
    print(`five tries at one poem: ${answers.size} different`)
  })
}

if (parts.has('bare') || parts.has('closed'))
  await withApp(async (app) => {
    if (parts.has('bare')) await askBare(app)
    if (parts.has('closed')) await askClosed(app, 'asks of a new person, general questions')
  })
if (parts.has('cases'))
  await withApp(async (app) => {
    await judgeOthers(app)
    await askClosed(app, `${JUDGED.length} other questions judged, general questions`)
  })
if (parts.has('facts')) await askFactsAlone()
if (parts.has('crowd')) await askInCrowd()
if (parts.has('again')) await askAgain()
