import { readFile } from 'node:fs/promises'
import { pairedPower, type PairedWorld } from './paired-power'

/**
 * How many tasks and worlds would show a difference between two methods at 80 % power, from the reports of experiments that both were played in.
 * Each cell's seed in each report counts as a world. Usage: `npm run power -- ONE OTHER REPORT.json... [--points 3]`
 */
interface Cell {
  readonly method: string
  readonly seed: number
  readonly exp: number
  readonly rewards?: readonly number[]
  /** Its name in older reports. */
  readonly curve?: readonly number[]
}

const args = process.argv.slice(2)
const at = args.indexOf('--points')
const points = at < 0 ? 3 : Number(args[at + 1])
const [one, other, ...files] = at < 0 ? args : args.toSpliced(at, 2)
if (one === undefined || other === undefined || files.length === 0 || !(points > 0)) {
  process.stderr.write('Usage: npm run power -- ONE OTHER REPORT.json... [--points 3]\n')
  process.exit(2)
}
const worlds: PairedWorld[] = []
for (const file of files) {
  const { cells } = JSON.parse(await readFile(file, 'utf8')) as { cells: readonly Cell[] }
  const rewardsOf = (cell: Cell | undefined) => cell?.rewards ?? cell?.curve
  for (const cell of cells.filter(({ method }) => method === one)) {
    const rewards = rewardsOf(cell)
    const against = rewardsOf(cells.find(({ method, seed }) => method === other && seed === cell.seed))
    if (rewards && against) worlds.push({ one: rewards, other: against })
  }
}
const power = pairedPower(worlds, points / 100)
const percent = (share: number): string => (100 * share).toFixed(1)
process.stdout.write(
  [
    `${one} against ${other}: ${power.tasks} tasks in ${power.worlds} worlds, ${percent(power.won)} % won, ${percent(power.lost)} % lost`,
    `difference ${percent(power.difference)} ± ${percent(power.within)} points by tasks${power.between === null ? '' : `; worlds differ by ${percent(power.between)} beyond that`}`,
    `${points} points at 80 % power: ${power.tasksNeeded} tasks if worlds did not differ${power.worldsNeeded === null ? '' : `, ${power.worldsNeeded} worlds like these`}`,
    '',
  ].join('\n'),
)
