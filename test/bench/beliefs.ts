import { parseArgs } from 'node:util'
import { NO_ANSWER } from '../../src/core/memory/beliefs/belief'
import { createRng } from '../../src/core/ground/random'
import { createBeliefs } from '../../src/core/recall/beliefs'
import { agreedIn, mostShown, type Refusal } from '../../src/core/recall/refusals'
import type { Act, Lived } from '../../src/core/recall/acts'
import { refusalText } from '../../src/core/recall/belief-items'
import { lessonsOf } from '../../src/core/recall/quotations'
import { tellBeforeCalls } from './before-calls'
import { drawBeliefs, printAgreement, type LabelledSet } from './belief-labels'
import { attemptsInLogs, attemptsInMemory, gradedAttempts } from '../fixtures/foreign-attempts'

/**
 * `npm run beliefs -- [--graded db_graded_sessions.jsonl --tasks db_bench.json] [--logs FOLDER] [--memory NAME=FOLDER] [--show N]`: what beliefs are drawn from logs of other agents, and
 * whether the first complaint of an attempt was known from other tasks before it, and was among the four that would have been shown. No model runs,
 * so "known" is the most that could have been prevented. Sessions are played in 20 random orders, and counted in the second half of each.
 * `--labels FILE --draw N [--seed S] [--held-out NAME]`: prints the statements of a file and N further ones of these sets for a reader, without labels.
 * `--labels FILE` alone: what the readers say, and how far they agree.
 */
const { values } = parseArgs({
  options: {
    graded: { type: 'string' },
    tasks: { type: 'string' },
    logs: { type: 'string' },
    memory: { type: 'string', multiple: true, default: [] },
    show: { type: 'string', default: '0' },
    labels: { type: 'string' },
    draw: { type: 'string' },
    seed: { type: 'string', default: 'belief labels' },
    'held-out': { type: 'string', multiple: true, default: [] },
  },
})
const ORDERS = 20
const print = (line: string): void => void process.stdout.write(`${line}\n`)

type Heard = Pick<Act, 'tool' | 'complaint'>
const firstComplaint = ({ acts }: Lived): Heard | undefined =>
  acts.find(({ complaint }) => complaint && complaint.masked !== '')
/** The same, or else how the attempt ended where it did not answer. */
const firstTrouble = (attempt: Lived): Heard | undefined =>
  firstComplaint(attempt) ?? lessonsOf(attempt).find(({ tool }) => tool === NO_ANSWER)
const percent = (part: number, of: number): string => (of === 0 ? '-' : `${((100 * part) / of).toFixed(0)} %`)
const isHit = ({ tool, complaint }: Heard, { tool: of, masked }: Refusal): boolean =>
  of === tool && masked === complaint?.masked

interface Tally {
  sessions: number
  complained: number
  /** Not kept: about a name of the agent's own, or without words. */
  vain: number
  known: number
  agreed: number
  shown: number
  wrong: number
  wrongKnown: number
  wrongNews: number
}

/** One order: what was known before the first complaint of each session of the second half. */
function play(attempts: readonly Lived[], order: number, firstOf: typeof firstTrouble): Tally {
  const beliefs = createBeliefs()
  const tally: Tally = {
    sessions: 0,
    complained: 0,
    vain: 0,
    known: 0,
    agreed: 0,
    shown: 0,
    wrong: 0,
    wrongKnown: 0,
    wrongNews: 0,
  }
  createRng(`beliefs ${order}`)
    .sample(attempts, attempts.length)
    .forEach((attempt, n) => {
      if (n >= attempts.length / 2) {
        tally.sessions++
        if (attempt.reward === 0) tally.wrong++
        const first = firstOf(attempt)
        if (first) {
          tally.complained++
          const isLesson = ({ tool, complaint }: Heard): boolean =>
            tool === first.tool && complaint?.masked === first.complaint?.masked
          if (!lessonsOf(attempt).some(isLesson)) tally.vain++
          const hit = beliefs
            .refusals(attempt.environment)
            .find((one) => isHit(first, one) && [...one.tasks].some((task) => task !== attempt.task))
          if (hit) tally.known++
          if (hit && attempt.reward === 0) tally.wrongKnown++
          if (hit && attempt.reward === 0 && !hit.isTold) tally.wrongNews++
          if (hit && agreedIn(hit, attempt.task)) tally.agreed++
          if (
            mostShown(beliefs.agreed(attempt.environment))
              .flat()
              .some((one) => isHit(first, one))
          )
            tally.shown++
        }
      }
      beliefs.take(attempt)
    })
  return tally
}

function report(name: string, attempts: readonly Lived[]): void {
  const lessons = attempts.map((attempt) => lessonsOf(attempt))
  const quotes = lessons.flatMap((list, i) =>
    list.flatMap(({ quotes: all }) => all.map((quote) => ({ quote, act: attempts[i]?.acts[quote.act] }))),
  )
  const literal = quotes.filter(({ quote, act }) => act?.[quote.of]?.includes(quote.text))
  const beliefs = createBeliefs()
  for (const attempt of attempts) beliefs.take(attempt)
  const agreed = [...new Set(attempts.map(({ environment }) => environment))].flatMap((one) =>
    beliefs.agreed(one),
  )
  const withLesson = lessons.filter(({ length }) => length > 0).length
  const withComplaint = lessons.filter((list) => list.some(({ tool }) => tool !== NO_ANSWER)).length
  print(
    `\n${name}: ${attempts.length} attempts, ${attempts.filter(({ reward }) => reward === 0).length} graded wrong`,
  )
  print(
    `  lessons in ${withLesson} (${percent(withLesson, attempts.length)}), from complaints in ${withComplaint}, ${lessons.flat().length} in all, something ran later in ${lessons.flat().filter(({ change }) => change).length}; quotations that stand literally ${literal.length} of ${quotes.length}`,
  )
  const caused = agreed.filter(({ cause }) => cause)
  const [met, ran] = (['met', 'ran'] as const).map((of) => caused.reduce((sum, one) => sum + one[of], 0))
  print(
    `  agreed by two tasks ${agreed.length}, of these reminders ${agreed.filter(({ isTold }) => isTold).length}, with a cause ${caused.length} (later acts with it: ${met} met it, ${ran} ran), with what ran instead ${agreed.filter(({ remedy }) => remedy).length}`,
  )
  if (attempts.length < 8) return
  reportKnown('a complaint of a tool', attempts, firstComplaint)
  if (attempts.some(({ ending }) => ending))
    reportKnown('a complaint, or no answer in the end', attempts, firstTrouble)
  for (const one of agreed.slice(0, Number(values.show)))
    print(`    ${one.isTold ? '(told) ' : ''}${refusalText(one)}`)
}

function reportKnown(what: string, attempts: readonly Lived[], firstOf: typeof firstTrouble): void {
  const tallies = Array.from({ length: ORDERS }, (_, order) => play(attempts, order, firstOf))
  const rate = (part: keyof Tally, of: keyof Tally): string => {
    const rates = tallies
      .map((tally) => (tally[of] === 0 ? 0 : tally[part] / tally[of]))
      .sort((a, b) => a - b)
    const mean = rates.reduce((sum, one) => sum + one, 0) / rates.length
    const at = (share: number): string => (rates[Math.round(share * (rates.length - 1))] ?? 0).toFixed(2)
    return `${mean.toFixed(2)} [${at(0.025)}, ${at(0.975)}]`
  }
  print(
    `  second half of ${ORDERS} orders: ${what} in ${rate('complained', 'sessions')} of sessions; of these the first is of no use to others ${rate('vain', 'complained')}, was known ${rate('known', 'complained')}, agreed ${rate('agreed', 'complained')}, among the four shown ${rate('shown', 'complained')} (of those known ${rate('shown', 'known')})`,
  )
  print(
    `  graded wrong: first complaint known ${rate('wrongKnown', 'wrong')}, and not told to the agent anyway ${rate('wrongNews', 'wrong')}`,
  )
}

const sets: LabelledSet[] = []
function add(name: string, attempts: readonly Lived[]): void {
  sets.push({ name, heldOut: values['held-out'].some((part) => name.includes(part)), attempts })
}
const byModel = new Map<string, Lived[]>()
if (values.graded !== undefined && values.tasks !== undefined)
  for (const { model, lived } of await gradedAttempts(values.graded, values.tasks))
    byModel.set(model, [...(byModel.get(model) ?? []), lived])
for (const [model, attempts] of byModel) add(`${model}, LifelongAgentBench databases`, attempts)
if (values.logs !== undefined) {
  const attempts = await attemptsInLogs(values.logs)
  for (const name of new Set(attempts.map(({ environment }) => environment)))
    add(
      `logs, ${name}`,
      attempts.filter(({ environment }) => environment === name),
    )
}
for (const memory of values.memory) {
  const [name = '', folder = ''] = memory.split('=')
  add(name, await attemptsInMemory(folder))
}

if (values.labels !== undefined && values.draw !== undefined)
  await drawBeliefs(values.labels, sets, { n: Number(values.draw), seed: values.seed }, print)
else if (values.labels !== undefined) await printAgreement(values.labels, print)
else {
  if (byModel.size > 0) {
    report('Graded database sessions', [...byModel.values()].flat())
    tellBeforeCalls(byModel, print)
  }
  for (const { name, attempts } of sets) report(name, attempts)
}
