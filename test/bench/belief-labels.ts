import { readFile, writeFile } from 'node:fs/promises'
import { createRng } from '../../src/core/ground/random'
import type { Lived } from '../../src/core/recall/acts'
import { createBeliefs } from '../../src/core/recall/beliefs'
import { refusalText } from '../../src/core/recall/belief-items'
import { isAgreed, type Refusal } from '../../src/core/recall/refusals'
import { share } from './figures'

/** Attempts whose beliefs are labelled apart from others'. */
export interface LabelledSet {
  readonly name: string
  /** No rule was made on it. */
  readonly heldOut: boolean
  readonly attempts: readonly Lived[]
}

/** What a reader says of a statement: whether the record bears it out, and whether it is of use at another task. */
interface Label {
  readonly true: boolean
  readonly useful: boolean
}

interface LabelledBelief {
  readonly set: string
  readonly heldOut: boolean
  readonly agreed: boolean
  readonly reminder: boolean
  readonly tasks: number
  readonly statement: string
  readonly quotes: readonly {
    readonly round: number
    readonly of: 'action' | 'observation' | 'said'
    readonly text: string
  }[]
  readonly readers: Readonly<Record<string, Label>>
}

type Print = (line: string) => void

const rowOf = ({ name, heldOut }: LabelledSet, one: Refusal): LabelledBelief => ({
  ...{ set: name, heldOut, agreed: isAgreed(one), reminder: one.isTold, tasks: one.tasks.size },
  statement: refusalText(one),
  quotes: one.witness.quotes.map(({ act, of, text }) => ({ round: act, of, text })),
  readers: {},
})

function beliefsOf(set: LabelledSet): LabelledBelief[] {
  const beliefs = createBeliefs()
  for (const attempt of set.attempts) beliefs.take(attempt)
  return beliefs.allRefusals().map((one) => rowOf(set, one))
}

const short = (text: string | null): string => (text ?? '-').replace(/\s+/g, ' ').slice(0, 400)

/** A statement as a reader sees it: its quotations, and the rounds from the quoted one on where the record is at hand. No label. */
function printBlind(row: LabelledBelief, at: number, sets: readonly LabelledSet[], print: Print): void {
  print(
    `\n${at} [${row.set}, ${row.heldOut ? 'held out' : 'not held out'}] ${row.tasks} tasks\n  ${row.statement}`,
  )
  for (const { round, of, text } of row.quotes) print(`  quoted, round ${round}, ${of}: ${short(text)}`)
  const record = sets
    .flatMap(({ attempts }) => attempts)
    .find(({ acts }) => row.quotes.every(({ round, of, text }) => acts[round]?.[of]?.includes(text)))
  if (!record) return print('  (the record is not at hand)')
  const from = Math.min(...row.quotes.map(({ round }) => round))
  record.acts
    .slice(from)
    .forEach(({ tool, action, observation }, i) =>
      print(`  round ${from + i}, ${tool}: ${short(action)}\n    -> ${short(observation)}`),
    )
}

const readRows = async (file: string): Promise<LabelledBelief[]> =>
  (await readFile(file, 'utf8'))
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as LabelledBelief)

/** Prints the statements of a file and `n` further ones (what two tasks agree on first, else in random order), each without its labels, and adds those to the file. */
export async function drawBeliefs(
  file: string,
  sets: readonly LabelledSet[],
  { n, seed }: { readonly n: number; readonly seed: string },
  print: Print,
): Promise<void> {
  const rows = await readRows(file)
  const keyOf = ({ set, statement }: LabelledBelief): string => `${set}|${statement}`
  const known = new Set(rows.map(keyOf))
  const others = sets.flatMap(beliefsOf).filter((row) => !known.has(keyOf(row)))
  const further = createRng(seed)
    .sample(others, others.length)
    .sort((a, b) => Number(b.agreed) - Number(a.agreed))
    .slice(0, n)
  const all = [...rows, ...further]
  all.forEach((row, at) => printBlind(row, at, sets, print))
  await writeFile(file, all.map((row) => `${JSON.stringify(row)}\n`).join(''))
}

/** Cohen's kappa of two readers: how far they agree beyond what their habits alone would bring. */
function kappa(pairs: readonly (readonly [boolean, boolean])[]): number {
  const n = pairs.length
  const same = pairs.filter(([one, other]) => one === other).length / n
  const yes = ([0, 1] as const).map((reader) => pairs.filter((pair) => pair[reader]).length / n)
  const [a = 0, b = 0] = yes
  const chance = a * b + (1 - a) * (1 - b)
  return chance === 1 ? 1 : (same - chance) / (1 - chance)
}

/** What each reader says of each group of statements, and how far the two agree. */
export async function printAgreement(file: string, print: Print): Promise<void> {
  const rows = await readRows(file)
  const names = [...new Set(rows.flatMap(({ readers }) => Object.keys(readers)))].sort()
  const groups: [string, (row: LabelledBelief) => boolean][] = [
    ['all', () => true],
    ['held out, agreed', ({ heldOut, agreed }) => heldOut && agreed],
    ['held out, met once', ({ heldOut, agreed }) => heldOut && !agreed],
    ['not held out, agreed', ({ heldOut, agreed }) => !heldOut && agreed],
    ['of these no reminders', ({ heldOut, agreed, reminder }) => !heldOut && agreed && !reminder],
    ['not held out, met once', ({ heldOut, agreed }) => !heldOut && !agreed],
    ['all agreed', ({ agreed }) => agreed],
  ]
  for (const [group, isIn] of groups)
    for (const of of ['true', 'useful'] as const) {
      const some = rows.filter(isIn)
      const each = names.map((name) => {
        const labels = some.flatMap(({ readers }) => readers[name] ?? [])
        return `${name} ${share(labels.filter((label) => label[of]).length, labels.length)}`
      })
      // One reader who read again is no second reader.
      const both = names.slice(0, 2)
      const pairs = some
        .filter(({ readers }) => both.every((name) => readers[name]))
        .map(({ readers }) => both.map((name) => readers[name]?.[of] === true))
        .map(([one = false, other = false]) => [one, other] as const)
      const same = pairs.filter(([one, other]) => one === other).length
      print(
        `${group}, ${of}: ${each.join('; ')}; of ${pairs.length} the same ${same}, kappa ${kappa(pairs).toFixed(2)}`,
      )
    }
}
