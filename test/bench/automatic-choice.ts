import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closedAnswer, saysSame } from '../../src/core/agent/closed-answer'
import { methodTitle } from '../../src/core/methods'
import { labDbEntrySchema } from '../../src/core/tasks/lab-db/entry'
import { createApp, type App } from '../../src/main/app'
import { answerOf, type StartAsk } from '../../src/shared/domain/ask'
import { inMinutes, questionsOfLife } from './life-questions'

// What Loam chooses for everyday asks after a life of judged asks: npm run automatic-choice -- STREAM|facts ASKS [MODEL.gguf|''] [METHOD]
// A stream's tasks are asked in its world, in order, and judged by its own solutions; `facts` are closed questions with answers nobody can guess. METHOD: what is in use before (default: the recommended one).

const [life = 'house-rules-a', countText = '20', modelPath = '', first] = process.argv.slice(2)
const count = Number(countText)

interface PastQuestion {
  readonly input: StartAsk
  readonly gold: string
  isRight(answer: string | null, lastAction: string | null): boolean
}

async function questionsOf(app: App): Promise<PastQuestion[]> {
  const model = modelPath === '' ? {} : { model: modelPath }
  if (life === 'facts')
    return questionsOfLife(count).map(({ question, answer }) => ({
      input: { text: question, maxTokens: 48, temperature: 0, seed: 1, ...model },
      gold: answer,
      isRight(reply) {
        const closed = closedAnswer(question, answer)
        return reply !== null && closed !== null && saysSame(reply, closed)
      },
    }))
  const { tasks } = await app.streams.load(life)
  return tasks.slice(0, count).map((task, index) => {
    const gold = labDbEntrySchema.parse(task.payload).answer_info.sql
    return {
      input: { text: task.instruction, world: { stream: life, index }, ...model },
      gold,
      isRight: (_reply, lastAction) => lastAction === gold,
    }
  })
}

async function live(app: App, { input, gold, isRight }: PastQuestion): Promise<boolean> {
  const { id } = await app.askDrafts.start(input)
  await app.asks.settled()
  const attempt = app.asks.get(id).attempts[0]
  if (!attempt) throw new Error(`It was not answered: ${input.text}`)
  const actions = attempt.trajectory.rounds.map(({ action }) => action)
  const last = actions.findLast(({ kind }) => kind === 'operation')
  const right =
    attempt.trajectory.finish === 'completed' &&
    isRight(answerOf(attempt), last && 'content' in last ? last.content : null)
  const verdict = right ? 'right' : 'wrong'
  await app.asks.teach(id, 0, { verdict, answer: right ? null : gold, wrongAt: null, note: null })
  await app.asks.settled()
  return right
}

const folder = await mkdtemp(join(tmpdir(), 'loam-choice-'))
const app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
try {
  if (first !== undefined) await app.methodChoice.choose(first)
  const began = performance.now()
  let right = 0
  const questions = await questionsOf(app)
  for (const one of questions) if (await live(app, one)) right++
  process.stdout.write(
    `${life}: ${right} of ${questions.length} right in life, ${inMinutes(performance.now() - began)}\n`,
  )
  const job = app.methodChoice.compare()
  const { status, activity, problem } = await job.finished
  const choice = await app.methodChoice.get()
  process.stdout.write(
    `${status}, ${activity} ${problem?.cause ?? ''} ${inMinutes(performance.now() - began)}\n`,
  )
  process.stdout.write(
    `in use: ${methodTitle(choice.method)}, ${Math.max(...choice.comparisons.map(({ rightNow }) => rightNow))} of ${choice.replayed}\n`,
  )
  for (const one of choice.comparisons)
    process.stdout.write(
      `  ${methodTitle(one.method)}: ${one.right} of ${one.n} (${one.onlyThis} only with it, ${one.onlyNow} only now), ${one.standing}, chance ${one.chance?.toFixed(4) ?? '-'}\n`,
    )
  process.stdout.write(`${choice.sentence}\n`)
} finally {
  await app.dispose()
  await rm(folder, { recursive: true, force: true })
}
