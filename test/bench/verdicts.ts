import { readFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { evidenceOf, type Work } from '../../src/core/verdict/evidence'
import { printsError } from '../../src/core/verdict/relation'
import { verdictOf } from '../../src/core/verdict/verdict'
import { step } from '../../src/core/memory/experiences/import/log'
import type { Ending } from '../../src/shared/domain/verdict'

/**
 * `npm run verdicts -- [--graded db_graded_sessions.jsonl] [--attempts attempts.jsonl --labels labels.jsonl]`: how often the rules of verdicts are right,
 * on sessions that were graded, and on attempts of people that were labelled by hand (one JSON a line: `id`, `person`, `request`, `reply`, `notes`,
 * `commands`, `next`; and `id`, `label`, `relation`). Partly solved counts as not solved; what nobody can tell is left out.
 */
const { values } = parseArgs({
  options: {
    graded: { type: 'string' },
    attempts: { type: 'string' },
    labels: { type: 'string' },
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
const ERROR =
  /^\s*(?:Error\b|error:|\(\d{4}[,) ])|You have an error in your SQL|Unknown column|doesn.t exist/i

function ofGraded({ model, sample_index, reward, failure_reason, turns }: GradedSession, at: number): Known {
  const textAt = (i: number): string | null => {
    const observation = turns[i]?.observation
    return observation === null || observation === undefined
      ? null
      : typeof observation === 'string'
        ? observation
        : JSON.stringify(observation)
  }
  const steps = turns.map(({ completion }, i) => {
    const sql = SQL.exec(completion)?.[1]
    const observation = textAt(i + 1)
    const isAnswer = sql === undefined && ANSWER.test(completion)
    return step({
      verb: isAnswer ? 'answer' : sql === undefined ? 'other' : 'query',
      content: (sql ?? completion).trim(),
      observation,
      failed: observation !== null && ERROR.test(observation.slice(0, 400)),
    })
  })
  const ending: Ending | null = failure_reason ? 'out-of-form' : null
  return {
    id: `${model}/${sample_index}/${at}`,
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

const NOTES: readonly (readonly [RegExp, Ending])[] = [
  [/token limit|exceed\w{0,3} (?:the )?(?:context|token)|finish_reason.{0,6}length/i, 'cut-off'],
  [
    /did not conform to the edit format|failed to match|No filename provided|malformed|Only \d reflections/i,
    'edit-refused',
  ],
  [/\^C|KeyboardInterrupt/, 'interrupted'],
]

function workOf({ request, reply, notes, commands, next }: PersonAttempt): Work {
  const isSilent = reply.trim() === '' && !/Applied edit/.test(notes)
  const ending =
    isSilent && (printsError(notes) || /\w+Error|Retrying in/.test(notes))
      ? 'service-error'
      : NOTES.find(([pattern]) => pattern.test(notes))?.[1]
  const command = commands.some((one) => one.includes('/undo'))
    ? 'undo'
    : commands.some((one) => /\/commit|\/git (?:commit|push)/.test(one))
      ? 'commit'
      : null
  const edits = /Applied edit to/.test(notes) ? [step({ verb: 'edit', content: notes.slice(0, 200) })] : []
  return { request, steps: edits, reply, ending: ending ?? null, next, command }
}

if (values.graded !== undefined)
  report('Graded database sessions', (await linesOf<GradedSession>(values.graded)).map(ofGraded))

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
