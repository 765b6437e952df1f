import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { complaintOf } from '../../src/core/verdict/complaint'
import { createRng } from '../../src/core/ground/random'
import { cosine } from '../../src/core/retrieval/cosine'
import { lexicalVector } from '../../src/core/retrieval/lexical-embedder'
import { evidenceOf, type Work } from '../../src/core/verdict/evidence'
import { endingOfNotes } from '../../src/core/verdict/endings'
import { verdictOf } from '../../src/core/verdict/verdict'
import { FITTED, rulesOf, type ClientRules } from '../../src/core/verdict/client-rules'
import { readableFormat } from '../../src/core/formats'
import { step, workOfLog, type Found } from '../../src/core/memory/experiences/import/log'
import type { Ending } from '../../src/shared/domain/verdict'

/**
 * `npm run verdicts -- [--graded db_graded_sessions.jsonl --tasks db_bench.json] [--attempts attempts.jsonl --labels labels.jsonl]`: how often the rules of verdicts are right,
 * on sessions that were graded, and on attempts of people that were labelled by hand (one JSON a line: `id`, `person`, `request`, `reply`, `notes`,
 * `commands`, `next`; and `id`, `label`, `relation`). With `--tasks`, what teaching from verdicts comes to against teaching from truth: how well the recalled
 * attempts at like tasks tell how the next one ends. Partly solved counts as not solved; what nobody can tell is left out.
 * `--logs FOLDER --log-labels labels.json`: the same on logs as their readers read them, labelled by hand (`labels` of `id`, FILE or FILE:REQUEST, and `label`).
 * Of graded sessions also: what rules of their own, learned from a half of the tasks or from all models but one, make of the others.
 */
const { values } = parseArgs({
  options: {
    graded: { type: 'string' },
    tasks: { type: 'string' },
    attempts: { type: 'string' },
    labels: { type: 'string' },
    logs: { type: 'string' },
    'log-labels': { type: 'string' },
    wrong: { type: 'boolean', default: false },
  },
})
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const linesOf = async <T>(path: string): Promise<T[]> =>
  (await readFile(path, 'utf8'))
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as T)

interface Known {
  readonly id: string
  /** What rules of its own may not have seen before they are tried. */
  readonly task?: string
  readonly group: string
  readonly work: Work
  readonly solved: boolean
  readonly relation?: string
}

/** Wilson's interval at 95 %. */
function interval(right: number, n: number): string {
  if (n === 0) return '-'
  const z = 1.96
  const p = right / n
  const middle = p + (z * z) / (2 * n)
  const half = z * Math.sqrt((p * (1 - p)) / n + (z * z) / (4 * n * n))
  const at = (value: number): string => (value / (1 + (z * z) / n)).toFixed(2)
  return `${right} of ${n} [${at(middle - half)} ${at(middle + half)}]`
}

function report(name: string, attempts: readonly Known[]): void {
  const all = attempts.map((attempt) => ({ ...attempt, verdict: verdictOf(evidenceOf(attempt.work)) }))
  const rightOf = (value: 'solved' | 'failed', states: readonly string[]) => {
    const some = all.filter(({ verdict }) => verdict.value === value && states.includes(verdict.state))
    return interval(some.filter(({ solved }) => solved === (value === 'solved')).length, some.length)
  }
  const settled = all.filter(({ verdict }) => verdict.state !== 'open').length
  const base = all.filter(({ solved }) => solved).length
  print(
    `\n${name}: ${all.length} attempts, ${base} solved; settled ${settled} (${((100 * settled) / Math.max(1, all.length)).toFixed(0)} %)`,
  )
  print(
    `  shown solved ${rightOf('solved', ['shown', 'teaches'])}, failed ${rightOf('failed', ['shown', 'teaches'])}`,
  )
  print(`  teaches solved ${rightOf('solved', ['teaches'])}, failed ${rightOf('failed', ['teaches'])}`)
  if (!values.wrong) return
  for (const { id, verdict, solved } of all)
    if (verdict.state !== 'open' && (verdict.value === 'solved') !== solved)
      print(
        `  wrong: ${id} said ${verdict.value}, because ${verdict.evidence.map(({ kind }) => kind).join(', ')}`,
      )
}

interface GradedSession {
  readonly model: string
  readonly sample_index: number
  readonly reward: number
  readonly failure_reason: string | null
  readonly turns: readonly { readonly observation: unknown; readonly completion: string }[]
}
const SQL = /Action:\s*Operation\s*```sql\s*([\s\S]*?)```/
const ANSWER = /Action:\s*Answer/
const observationText = (observation: unknown): string | null =>
  observation === null || observation === undefined
    ? null
    : typeof observation === 'string'
      ? observation
      : JSON.stringify(observation)

function ofGraded({ model, sample_index, reward, failure_reason, turns }: GradedSession, at: number): Known {
  const steps = turns.map(({ completion }, i) => {
    const sql = SQL.exec(completion)?.[1]
    const observation = observationText(turns[i + 1]?.observation)
    const isAnswer = sql === undefined && ANSWER.test(completion)
    return step({
      verb: isAnswer ? 'answer' : sql === undefined ? 'other' : 'query',
      content: (sql ?? completion).trim(),
      observation,
      failed: complaintOf(observation, '') !== null,
    })
  })
  const ending: Ending | null = failure_reason ? 'out-of-form' : null
  return {
    ...{ id: `${model}/${sample_index}/${at}`, task: String(sample_index) },
    group: model,
    work: { request: 'database task', steps, reply: turns.at(-1)?.completion ?? '', ending },
    solved: reward === 1,
  }
}

interface PersonAttempt {
  readonly id: string
  readonly person: string
  readonly request: string
  readonly reply: string
  readonly notes: string
  readonly commands: readonly string[]
  readonly next: string | null
}
interface Label {
  readonly id: string
  readonly label: 'solved' | 'failed' | 'partly' | 'cannot tell' | 'no task'
  readonly relation: string
}

function workOf({ request, reply, notes, commands, next }: PersonAttempt): Work {
  const ending = endingOfNotes([notes], reply.trim() === '' && !/Applied edit/.test(notes))
  const command = commands.some((one) => one.includes('/undo'))
    ? 'undo'
    : commands.some((one) => /\/commit|\/git (?:commit|push)/.test(one))
      ? 'commit'
      : null
  const edits = /Applied edit to/.test(notes) ? [step({ verb: 'edit', content: notes.slice(0, 200) })] : []
  return { request, steps: edits, reply, ending, next, command }
}

/** Attempts recalled, and random orders. */
const K = 4
const ORDERS = 20

/** Area under the curve: how often a failed attempt was expected to fail more than a solved one. */
function areaOf(rows: readonly { readonly expected: number; readonly failed: boolean }[]): number {
  const failed = rows.filter((row) => row.failed)
  const solved = rows.filter((row) => !row.failed)
  const wins = failed.map(({ expected }) =>
    solved.reduce((sum, row) => sum + (expected > row.expected ? 1 : expected === row.expected ? 0.5 : 0), 0),
  )
  return wins.reduce((sum, n) => sum + n, 0) / Math.max(1, failed.length * solved.length)
}

/** Plays graded sessions in random orders: each is met knowing those before it, told once by truth and once by verdict. */
async function replay(sessions: readonly GradedSession[], tasksPath: string): Promise<void> {
  const tasks = JSON.parse(await readFile(tasksPath, 'utf8')) as Record<
    string,
    { readonly instruction: string }
  >
  const known = sessions.map(ofGraded)
  const texts = [...new Set(sessions.map(({ sample_index }) => sample_index))]
  const vectors = texts.map((index) => lexicalVector(tasks[String(index)]?.instruction ?? ''))
  const likenesses = vectors.map((a) => vectors.map((b) => cosine(a, b) ?? 0))
  const rowOf = new Map(texts.map((index, i) => [index, i]))
  const placeOf = (i: number): number => rowOf.get(sessions[i]?.sample_index ?? -1) ?? 0
  const verdicts = known.map(({ work }) => verdictOf(evidenceOf(work)))
  const ways = {
    truth: (i: number) => (known[i]?.solved ? 0 : 1),
    shown: (i: number) => ({ failed: 1, solved: 0, unknown: null })[verdicts[i]?.value ?? 'unknown'],
    taught: (i: number) =>
      verdicts[i]?.state === 'teaches' ? (verdicts[i]?.value === 'failed' ? 1 : 0) : null,
  }
  for (const [name, tell] of Object.entries(ways)) {
    const areas = Array.from({ length: ORDERS }, (_, order) => {
      const indexes = createRng(`replay ${order}`).sample(
        known.map((_one, i) => i),
        known.length,
      )
      const rows = indexes.map((at, n) => {
        const own = likenesses[placeOf(at)] ?? []
        const near = indexes
          .slice(0, n)
          .flatMap((i) => {
            const outcome = tell(i)
            const like = own[placeOf(i)] ?? 0
            return outcome === null ? [] : [{ outcome, like }]
          })
          .sort((a, b) => b.like - a.like)
          .slice(0, K)
        // Of nothing recalled, or of failures alone, how near they are is what is known.
        const expected = near.reduce((sum, { outcome, like }) => sum + (outcome - 0.5) * like, 0)
        return { expected, failed: !known[at]?.solved }
      })
      return areaOf(rows)
    })
    const mean = areas.reduce((sum, area) => sum + area, 0) / ORDERS
    const sd = Math.sqrt(areas.reduce((sum, area) => sum + (area - mean) ** 2, 0) / (ORDERS - 1))
    print(
      `  expecting a failure from what was recalled, told by ${name}: area ${mean.toFixed(3)} (sd of ${ORDERS} orders ${sd.toFixed(3)})`,
    )
  }
}

/** Right and all of what rules show and teach. */
interface Score {
  readonly shown: readonly [right: number, all: number]
  readonly taught: readonly [right: number, all: number]
}

function scoreOf(attempts: readonly Known[], { weights, prior }: ClientRules): Score {
  const verdicts = attempts.map(({ work, solved }) => {
    const { value, state } = verdictOf(evidenceOf(work, weights), prior)
    return { state, isRight: (value === 'solved') === solved }
  })
  const count = (states: readonly string[]): [number, number] => {
    const some = verdicts.filter(({ state }) => states.includes(state))
    return [some.filter(({ isRight }) => isRight).length, some.length]
  }
  return { shown: count(['shown', 'teaches']), taught: count(['teaches']) }
}

const sumOf = (scores: readonly Score[], part: keyof Score): [number, number] =>
  scores.reduce<[number, number]>(([right, all], { [part]: [r, n] }) => [right + r, all + n], [0, 0])

/** Rules that a source has learned from its own outcomes, as a person's are, tried on attempts that they have not seen; the fitted ones on the same. */
function compareOwnRules(known: readonly Known[]): void {
  const tasks = [...new Set(known.map(({ task = '' }) => task))]
  const halves = Array.from({ length: ORDERS }, (_, order) => {
    const half = new Set(createRng(`halves ${order}`).sample(tasks, tasks.length >> 1))
    return known.map(({ task = '' }) => half.has(task))
  })
  const models = [...new Set(known.map(({ group }) => group))]
  const others = models.map((model) => known.map(({ group }) => group !== model))
  for (const [name, splits] of [
    [`${ORDERS} halves of the tasks`, halves],
    ['one model held out', others],
  ] as const) {
    const scores = splits.map((isLearned) => {
      const own = rulesOf(
        known
          .filter((_, i) => isLearned[i])
          .map(({ work, solved }) => ({ kinds: evidenceOf(work).map(({ kind }) => kind), solved })),
      )
      const rest = known.filter((_, i) => !isLearned[i])
      return { fitted: scoreOf(rest, FITTED), own: scoreOf(rest, own) }
    })
    for (const way of ['fitted', 'own'] as const) {
      const all = scores.map((score) => score[way])
      const [shown, taught] = [sumOf(all, 'shown'), sumOf(all, 'taught')]
      const each = (n: number): string => (n / splits.length).toFixed(1)
      print(
        `  ${name}, ${way} weights: shown right ${each(shown[0])} of ${each(shown[1])} (${(shown[0] / Math.max(1, shown[1])).toFixed(3)}), taught right ${each(taught[0])} of ${each(taught[1])} (${(taught[0] / Math.max(1, taught[1])).toFixed(3)})`,
      )
    }
  }
}

/** How MySQL begins each complaint; its data never begin so. */
const MYSQL = /^\d{4} \([0-9A-Z]{5}\): /

if (values.graded !== undefined) {
  const sessions = await linesOf<GradedSession>(values.graded)
  report('Graded database sessions', sessions.map(ofGraded))
  const answers = sessions.flatMap(({ turns }) =>
    turns.flatMap(({ observation }) => observationText(observation) ?? []),
  )
  const complaints = answers.filter((answer) => MYSQL.test(answer))
  const countOf = (list: readonly string[]): number =>
    list.filter((answer) => complaintOf(answer, '') !== null).length
  compareOwnRules(sessions.map(ofGraded))
  if (values.tasks !== undefined) await replay(sessions, values.tasks)
  const data = answers.filter((answer) => !MYSQL.test(answer))
  print(
    `  complaints told ${interval(countOf(complaints), complaints.length)}, data taken for one ${countOf(data)} of ${data.length}`,
  )
}

if (values.attempts !== undefined && values.labels !== undefined) {
  const labels = new Map((await linesOf<Label>(values.labels)).map((label) => [label.id, label]))
  const known = (await linesOf<PersonAttempt>(values.attempts)).flatMap((attempt): Known[] => {
    const label = labels.get(attempt.id)
    if (!label || label.label === 'cannot tell' || label.label === 'no task') return []
    return [
      {
        id: attempt.id,
        group: attempt.person,
        work: workOf(attempt),
        solved: label.label === 'solved',
        relation: label.relation,
      },
    ]
  })
  report(`People's attempts`, known)
  for (const person of new Set(known.map(({ group }) => group)))
    report(
      `  ${person}`,
      known.filter(({ group }) => group === person),
    )
}

if (values.logs !== undefined && values['log-labels'] !== undefined) {
  const { labels } = JSON.parse(await readFile(values['log-labels'], 'utf8')) as { labels: readonly Label[] }
  const folder = values.logs
  const known: Known[] = []
  for (const file of new Set(labels.map(({ id }) => id.replace(/[:#]\d+$/, '')))) {
    const format = readableFormat(file.split('/')[0] ?? '')
    const text = await readFile(join(folder, file), 'utf8')
    const pieces = (async function* () {
      yield await Promise.resolve(text)
    })()
    const context = { memoryId: 'verdicts', now: '', hash: (value: string) => value }
    const rows: Found[] = []
    for await (const one of format.read?.(pieces, context) ?? []) rows.push(one)
    for (const [at, one] of rows.entries()) {
      // A label of a whole file says nothing of one attempt among several.
      const ids = [`${file}:${at}`, `${file}#${at}`, ...(rows.length === 1 ? [file] : [])]
      const label = labels.find(({ id }) => ids.includes(id))
      if (one.kind !== 'log' || !label || label.label === 'cannot tell') continue
      const about = { id: label.id, group: file.split('/')[0] ?? '' }
      known.push({ ...about, work: workOfLog(one.log), solved: label.label === 'solved' })
    }
  }
  report('Logs of other agents', known)
  for (const program of new Set(known.map(({ group }) => group)))
    report(
      `  ${program}`,
      known.filter(({ group }) => group === program),
    )
}
