import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { MemoryEvent } from '../../src/core/ground/ports'
import { openNamedStream } from '../../src/core/tasks/generators'
import { estimate } from '../../src/shared/figures/estimate'
import { mean } from '../../src/shared/figures/mean'
import type { Trajectory } from '../../src/shared/domain/trajectory'

/**
 * What the attempts of experiments on house rules say beside their rewards, by cell, a world for each experiment: means over worlds with their 95 %
 * interval. `npm run told -- levels EXPERIMENT... [--from 4]` (Memento, figures 5 and 6): by the facts that a task takes, tokens and calls; at workplaces
 * of level 0 by those that it does not show, none or one. `npm run told -- failures EXPERIMENT... [--from 30]` (BREW, figure 4): what went wrong with the tasks from the 31st on, by rule.
 * EXPERIMENT is a folder under `experiments` of the data folder.
 */
interface Lived extends Trajectory {
  /** The statement that solves the task; empty at workplaces. */
  readonly gold: string
  /** Facts that have to be remembered or found out. */
  readonly level: number
}

/** A task as its stream has it. */
interface Row {
  readonly id: string
  readonly answer_info?: { readonly sql: string }
  readonly skill_list: readonly string[]
  readonly workplace?: string
  readonly open?: boolean
}

const FACTS = ['status', 'who', 'place', 'amount', 'date']
const levelOf = ({ workplace, open, skill_list }: Row): number =>
  workplace === undefined ? skill_list.filter((skill) => FACTS.includes(skill)).length : open === true ? 0 : 1
const operationsIn = ({ rounds }: Lived): string[] =>
  rounds.flatMap(({ action }) => (action.kind === 'operation' ? [action.content.trim()] : []))
const kindOf = (sql: string): string => sql.split(' ')[0]?.toUpperCase() ?? ''
/** It shows how something is stored; it asks and changes nothing. */
const isLook = (sql: string): boolean => / FROM codes\b| LIMIT \d+;$/.test(sql)
/** What found something out: such statements, and at workplaces calls that were refused. */
const looksOf = ({ rounds, gold, ...rest }: Lived): number =>
  gold === ''
    ? rounds.filter(({ failed }) => failed === true).length
    : operationsIn({ rounds, gold, ...rest }).filter(isLook).length
const valuesIn = (sql: string): string => (sql.match(/'[^']{0,80}'|\b\d{1,12}\b/g) ?? []).sort().join('\n')

/** What went wrong, in the classes of BREW's figure 4; partially resolved is what was still being looked up, or was not yet told, as rounds ran out. */
function failureOf(attempt: Lived): string {
  const acts = operationsIn(attempt).filter((sql) => !isLook(sql))
  const act = acts.findLast((sql) => kindOf(sql) === kindOf(attempt.gold))
  if (act === undefined) return acts.length === 0 ? 'partially resolved' : 'wrong decision'
  if (valuesIn(act) !== valuesIn(attempt.gold)) return 'wrong argument'
  return attempt.finish === 'completed' ? 'wrong info' : 'partially resolved'
}

async function attemptsIn(space: string, entries: ReadonlyMap<string, Row>): Promise<Lived[]> {
  const lived: Lived[] = []
  for (const file of (await readdir(join(space, 'journal'))).sort())
    for (const line of (await readFile(join(space, 'journal', file), 'utf8')).split('\n').filter(Boolean))
      for (const event of (JSON.parse(line) as { events: MemoryEvent[] }).events)
        if (event.kind === 'trajectory-added') {
          const entry = entries.get(event.trajectory.task.id)
          if (entry === undefined)
            throw new Error(`${space}: its stream has no task ${event.trajectory.task.id}`)
          lived.push({ ...event.trajectory, gold: entry.answer_info?.sql ?? '', level: levelOf(entry) })
        }
  return lived
}

async function cellsIn(folder: string): Promise<Map<string, Lived[]>> {
  const { definition } = JSON.parse(await readFile(join(folder, 'experiment.json'), 'utf8')) as {
    definition: { stream: string }
  }
  const text = openNamedStream(definition.stream)?.text ?? (await readFile(definition.stream, 'utf8'))
  const rows = text.split('\n').filter((line) => line.startsWith('{"id"') || line.includes('"workplace":'))
  const entries = new Map(rows.map((line) => JSON.parse(line) as Row).map((row) => [row.id, row]))
  const names = (await readdir(join(folder, 'spaces'))).sort()
  return new Map(
    await Promise.all(
      names.map(async (name) => [name, await attemptsIn(join(folder, 'spaces', name), entries)] as const),
    ),
  )
}

const told = (values: readonly (number | null)[], digits: number): string => {
  const { mean: middle, ci95 } = estimate(values)
  const [low, high] = ci95 ?? [null, null]
  return `${middle?.toFixed(digits) ?? '-'}${low === null ? '' : ` [${low.toFixed(digits)}, ${high.toFixed(digits)}]`}`
}
const rate = (all: readonly Lived[], holds: (one: Lived) => boolean): number | null =>
  mean(all.map((one) => (holds(one) ? 100 : 0)))

const LEVEL_FIGURES: Readonly<Record<string, (all: readonly Lived[]) => number | null>> = {
  'solved %': (all) => rate(all, ({ reward }) => reward === 1),
  'tokens read': (all) => mean(all.map(({ usage }) => usage.promptTokens)),
  'tokens written': (all) => mean(all.map(({ usage }) => usage.completionTokens)),
  looks: (all) => mean(all.map(looksOf)),
  'other calls': (all) => mean(all.map((one) => operationsIn(one).length - looksOf(one))),
}
const FAILURES = ['partially resolved', 'wrong decision', 'wrong argument', 'wrong info']

function rowsOf(cell: string, worlds: readonly (readonly Lived[])[], what: string, from: number): string[] {
  if (what === 'levels')
    return [...new Set(worlds.flat().map(({ level }) => level))].sort().map((facts) => {
      const own = worlds.map((all) => all.filter((one) => one.level === facts && one.task.index >= from))
      const figures = Object.entries(LEVEL_FIGURES).map(
        ([name, of]) => `${name} ${told(own.map(of), name.startsWith('t') ? 0 : 1)}`,
      )
      return `${cell}, facts: ${facts} (${own.map((all) => all.length).join(', ')} tasks): ${figures.join('; ')}`
    })
  const own = worlds.map((all) => all.filter(({ task }) => task.index >= from))
  const count = (name: string) =>
    own.map((all) => rate(all, (one) => one.reward !== 1 && failureOf(one) === name))
  return [
    `${cell} (${own.map((all) => all.length).join(', ')} tasks), failed in percent: ${FAILURES.map((name) => `${name} ${told(count(name), 1)}`).join('; ')}`,
  ]
}

const args = process.argv.slice(2)
const at = args.indexOf('--from')
const [what = '', ...folders] = at < 0 ? args : args.toSpliced(at, 2)
if (!['levels', 'failures'].includes(what) || folders.length === 0) {
  process.stderr.write('Usage: npm run told -- levels|failures EXPERIMENT... [--from N]\n')
  process.exit(2)
}
const worlds = await Promise.all(folders.map(cellsIn))
for (const cell of worlds[0]?.keys() ?? [])
  for (const line of rowsOf(
    cell,
    worlds.map((cells) => cells.get(cell) ?? []),
    what,
    at < 0 ? 0 : Number(args[at + 1]),
  ))
    process.stdout.write(`${line}\n`)
