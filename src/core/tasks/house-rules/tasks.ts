import type { SqlTable } from '../../ground/ports'
import type { Rng } from '../../ground/random'
import { PEOPLE, PLACES } from './vocabulary'
import {
  CODE_BOOK,
  codeBook,
  drawTable,
  spokenDate,
  storedAmount,
  storedDate,
  storedName,
  type TableRules,
  type World,
} from './world'

/** One hidden fact a task depends on: its name, its value in words, and the statement that reveals it. */
export interface Fact {
  /** Unique within a world, e.g. `cancelled` or `price`. */
  readonly key: string
  /** As an agent would note it: `K`, `cents`, `lower`, `compact`. */
  readonly value: string
  readonly look: string
}

export interface HouseRulesTask {
  readonly instruction: string
  readonly sql: string
  readonly facts: readonly Fact[]
  readonly skills: readonly string[]
  /** What is asked, by its name, and the status word that was drawn: with the table, these decide which facts it takes. */
  readonly shape: string
  readonly status: string
  readonly table: SqlTable
  readonly codes: SqlTable
  readonly worldName: string
}

/** What a task may mention, drawn once. */
interface Details {
  readonly who: string
  readonly place: string
  readonly status: string
  readonly amount: number
  readonly date: string
  readonly newId: number
}

type Role = 'status' | 'who' | 'place' | 'amount' | 'date'

interface TaskShape {
  readonly name: string
  readonly needs: readonly Role[]
  /** `t` the rows, `s` status word, `w` person, `p` place, `a` amount, `d` date, `A` amount column. The last phrasing is held out from training. */
  readonly phrasings: readonly string[]
  readonly verb: 'count' | 'sum' | 'list' | 'delete' | 'set-status' | 'set-amount' | 'insert'
}

const shape = (
  name: string,
  verb: TaskShape['verb'],
  needs: readonly Role[],
  ...phrasings: string[]
): TaskShape => ({ name, verb, needs, phrasings })

const ONE_FACT: readonly TaskShape[] = [
  shape(
    'count-status',
    'count',
    ['status'],
    'How many {t} are {s}?',
    'Count the {s} {t}.',
    'Tell me how many {t} are {s}.',
  ),
  shape(
    'sum-status',
    'sum',
    ['status'],
    'What is the total {A} of {s} {t}?',
    'Add up the {A} of all {s} {t}.',
    'Give the total {A} over {s} {t}.',
  ),
  shape(
    'count-who',
    'count',
    ['who'],
    'How many {t} does {w} have?',
    'Count the {t} of {w}.',
    'Tell me how many {t} {w} has.',
  ),
  shape(
    'count-place',
    'count',
    ['place'],
    'How many {t} are in {p}?',
    'Count the {t} in {p}.',
    'Tell me how many {t} {p} has.',
  ),
  shape(
    'count-amount',
    'count',
    ['amount'],
    'How many {t} have a {A} above {a}?',
    'Count the {t} with {A} over {a}.',
    'Tell me how many {t} exceed {a} in {A}.',
  ),
  shape(
    'count-date',
    'count',
    ['date'],
    'How many {t} are dated {d}?',
    'Count the {t} of {d}.',
    'Tell me how many {t} fall on {d}.',
  ),
]

const TWO_FACTS: readonly TaskShape[] = [
  shape(
    'count-status-amount',
    'count',
    ['status', 'amount'],
    'How many {s} {t} have a {A} above {a}?',
    'Count the {s} {t} with {A} over {a}.',
    'Tell me how many {s} {t} exceed {a} in {A}.',
  ),
  shape(
    'count-status-place',
    'count',
    ['status', 'place'],
    'How many {s} {t} are in {p}?',
    'Count the {t} in {p} that are {s}.',
    'Tell me how many {t} of {p} are {s}.',
  ),
  shape(
    'sum-status-who',
    'sum',
    ['status', 'who'],
    'What is the total {A} of the {s} {t} of {w}?',
    'Add up the {A} of {w} over {s} {t}.',
    'Give the total {A} that {w} has in {s} {t}.',
  ),
  shape(
    'count-status-date',
    'count',
    ['status', 'date'],
    'How many {s} {t} are dated {d}?',
    'Count the {s} {t} of {d}.',
    'Tell me how many {s} {t} fall on {d}.',
  ),
  shape(
    'list-status-amount',
    'list',
    ['status', 'amount'],
    'Which {s} {t} have a {A} above {a}? Give their ids.',
    'List the ids of {s} {t} with {A} over {a}.',
    'Name the ids of the {s} {t} exceeding {a} in {A}.',
  ),
  shape(
    'delete-status-place',
    'delete',
    ['status', 'place'],
    'Delete the {s} {t} in {p}.',
    'Remove all {t} in {p} that are {s}.',
    'Get rid of the {s} {t} in {p}.',
  ),
  shape(
    'set-status-who',
    'set-status',
    ['status', 'who'],
    'Mark the {t} of {w} as {s}.',
    'Set all {t} of {w} to {s}.',
    'Make the {t} of {w} {s}.',
  ),
  shape(
    'insert-status-amount',
    'insert',
    ['status', 'amount'],
    'Add to {t} number {n}: {s}, {A} {a}.',
    'Record {t} number {n} as {s} with {A} {a}.',
    'Enter number {n} into {t}: {s}, {A} {a}.',
  ),
]

const THREE_FACTS: readonly TaskShape[] = [
  shape(
    'count-status-place-amount',
    'count',
    ['status', 'place', 'amount'],
    'How many {s} {t} in {p} have a {A} above {a}?',
    'Count the {s} {t} in {p} with {A} over {a}.',
    'Tell me how many {s} {t} in {p} exceed {a} in {A}.',
  ),
  shape(
    'sum-status-who-date',
    'sum',
    ['status', 'who', 'date'],
    'What is the total {A} of the {s} {t} of {w} dated {d}?',
    'Add up the {A} of {w} over {s} {t} of {d}.',
    'Give the total {A} that {w} has in {s} {t} on {d}.',
  ),
  shape(
    'count-status-who-place',
    'count',
    ['status', 'who', 'place'],
    'How many {s} {t} does {w} have in {p}?',
    'Count the {s} {t} of {w} in {p}.',
    'Tell me how many {s} {t} {w} has in {p}.',
  ),
  shape(
    'set-amount-status-who',
    'set-amount',
    ['status', 'who', 'amount'],
    'Set the {A} to {a} for the {s} {t} of {w}.',
    'Change the {A} of the {s} {t} of {w} to {a}.',
    'Make {a} the {A} of the {s} {t} of {w}.',
  ),
  shape(
    'insert-status-who-amount',
    'insert',
    ['status', 'who', 'amount'],
    'Add to {t} number {n} for {w}: {s}, {A} {a}.',
    'Record {t} number {n} of {w} as {s} with {A} {a}.',
    'Enter number {n} of {w} into {t}: {s}, {A} {a}.',
  ),
]

/** The names of all shapes, by how many facts they need (one more where the table has a soft-delete column). */
export const SHAPES: Readonly<Record<1 | 2 | 3, readonly string[]>> = {
  1: ONE_FACT.map(({ name }) => name),
  2: TWO_FACTS.map(({ name }) => name),
  3: THREE_FACTS.map(({ name }) => name),
}

function shapeNamed(name: string): TaskShape {
  const taskShape = [...ONE_FACT, ...TWO_FACTS, ...THREE_FACTS].find(
    (knownTaskShape) => knownTaskShape.name === name,
  )
  if (!taskShape) throw new Error(`There is no task shape "${name}".`)
  return taskShape
}

const ROLE_ORDER: readonly Role[] = ['status', 'who', 'place', 'amount', 'date']

function factOf(role: Role, rules: TableRules, details: Details): Fact {
  const { kind } = rules
  const lookRow = (column: string): string => `SELECT ${column} FROM ${kind.table} LIMIT 2;`
  switch (role) {
    case 'status':
      return codeFact(details.status, rules.codes.get(details.status) ?? '')
    case 'who':
      return { key: kind.who, value: rules.who, look: lookRow(kind.who) }
    case 'place':
      return { key: kind.place, value: rules.place, look: lookRow(kind.place) }
    case 'amount':
      return { key: kind.amount, value: rules.amount, look: lookRow(kind.amount) }
    case 'date':
      return { key: kind.date, value: rules.date, look: lookRow(kind.date) }
  }
}

const codeFact = (word: string, code: string): Fact => ({
  key: word,
  value: code,
  look: `SELECT word, code FROM ${CODE_BOOK} WHERE word = '${word}';`,
})

function buildSql(task: TaskShape, rules: TableRules, details: Details): string {
  const { kind } = rules
  const code = rules.codes.get(details.status) ?? ''
  const amount = storedAmount(rules.amount, details.amount)
  const who = storedName(rules.who, details.who)
  const condition = (role: Role): string => {
    switch (role) {
      case 'status':
        return `${kind.status} = '${code}'`
      case 'who':
        return `${kind.who} = '${who}'`
      case 'place':
        return `${kind.place} = '${storedName(rules.place, details.place)}'`
      case 'amount':
        return `${kind.amount} > ${amount}`
      case 'date':
        return `${kind.date} = '${storedDate(rules.date, details.date)}'`
    }
  }
  const flag = rules.flagValue === null ? [] : [`${kind.flag} = '${rules.flagValue}'`]
  const where = (roles: readonly Role[]): string =>
    `WHERE ${[...ROLE_ORDER.filter((role) => roles.includes(role)).map(condition), ...flag].join(' AND ')};`
  switch (task.verb) {
    case 'count':
      return `SELECT COUNT(*) FROM ${kind.table} ${where(task.needs)}`
    case 'sum':
      return `SELECT SUM(${kind.amount}) FROM ${kind.table} ${where(task.needs)}`
    case 'list':
      return `SELECT ${kind.id} FROM ${kind.table} ${where(task.needs)}`
    case 'delete':
      return `DELETE FROM ${kind.table} ${where(task.needs)}`
    case 'set-status':
      return `UPDATE ${kind.table} SET ${kind.status} = '${code}' ${where(['who'])}`
    case 'set-amount':
      return `UPDATE ${kind.table} SET ${kind.amount} = ${amount} ${where(['status', 'who'])}`
    case 'insert': {
      const pairs: [string, string][] = [[kind.id, String(details.newId)]]
      if (task.needs.includes('who')) pairs.push([kind.who, `'${who}'`])
      pairs.push([kind.status, `'${code}'`], [kind.amount, String(amount)])
      if (rules.flagValue !== null) pairs.push([kind.flag, `'${rules.flagValue}'`])
      return `INSERT INTO ${kind.table} (${pairs.map((p) => p[0]).join(', ')}) VALUES (${pairs.map((p) => p[1]).join(', ')});`
    }
  }
}

/** How many facts a task needs: 26 % one, 51 % two, 23 % three; a soft-delete column adds one. */
function drawShape(rng: Rng): TaskShape {
  const roll = rng.next()
  return rng.pick(roll < 0.26 ? ONE_FACT : roll < 0.77 ? TWO_FACTS : THREE_FACTS)
}

export interface DrawTaskOptions {
  /** Restrict to these tables of the world. Default: all. */
  readonly tables?: readonly TableRules[]
  /** `usual` (default) leaves the last phrasing of each shape out; `held-out` uses only that one. */
  readonly phrasing?: 'usual' | 'held-out'
  /** What is asked, by the name of its shape (`SHAPES`). Default: drawn. */
  readonly shape?: string
  /** Status word, one of the table's. Default: drawn. */
  readonly status?: string
}

/** Draws one task of a world with fresh rows. The gold SQL follows the world's rules. */
export function drawTask(rng: Rng, world: World, options: DrawTaskOptions = {}): HouseRulesTask {
  const rules = rng.pick(options.tables ?? world.tables)
  const { kind } = rules
  const task = options.shape === undefined ? drawShape(rng) : shapeNamed(options.shape)
  const details: Details = {
    who: rng.pick(PEOPLE),
    place: rng.pick(PLACES),
    status: options.status ?? rng.pick(kind.statuses),
    amount: 10 + rng.int(80),
    date: spokenDate(rng),
    newId: 20 + rng.int(70),
  }
  const usual = task.phrasings.slice(0, -1)
  const phrasing = options.phrasing === 'held-out' ? (task.phrasings.at(-1) ?? '') : rng.pick(usual)
  const words: Record<string, string> = {
    t: kind.table,
    s: details.status,
    w: details.who,
    p: details.place,
    a: String(details.amount),
    d: details.date,
    A: kind.amount,
    n: String(details.newId),
  }
  const facts = ROLE_ORDER.filter((role) => task.needs.includes(role)).map((role) =>
    factOf(role, rules, details),
  )
  if (rules.flagValue !== null) facts.push(codeFact(kind.flag, rules.flagValue))
  return {
    instruction: `${world.name}: ${phrasing.replace(/\{(\w)\}/g, (_, key: string) => words[key] ?? '')}`,
    sql: buildSql(task, rules, details),
    facts,
    skills: [task.verb, ...task.needs, kind.table],
    shape: task.name,
    status: details.status,
    table: drawTable(rng, rules, details),
    codes: codeBook(world),
    worldName: world.name,
  }
}
