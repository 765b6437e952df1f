import { appendFile, cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { createRng } from '../../src/core/ground/random'
import { damageOnce, findingsIn, HARMS, kindsIn, type Damage } from './wear/damages'
import { makeFolder } from './wear/folder'
import { killCommand, killEngine, killTrainer } from './wear/engine-kills'
import { killOnce, WORKS, type HostWork, type Kill } from './wear/kills'
import { killProxy, killToolServer } from './wear/program-kills'
import { soak, type Sample } from './wear/soak'

// Hosts, engines, trainers, commands, tool servers and proxies killed with -9 at work, and files damaged one at a time: `npm run torture -- --kills 100 [--works ask,proxy] --damages 100 [SEED] [--out FILE]`; `--soak 1000,10000`.
// Needs a build. Every kill and every damage begins with a copy of one folder, which a first host makes; its seed draws what, where and when.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    kills: { type: 'string', default: '0' },
    damages: { type: 'string', default: '0' },
    /** Some of `WORKS`, with commas; all where it is absent. */
    works: { type: 'string', default: WORKS.join(',') },
    /** Asks and tasks of a soak: `200,1000`. */
    soak: { type: 'string' },
    out: { type: 'string' },
  },
})
const KILLS = {
  'command line': killCommand,
  engine: killEngine,
  trainer: killTrainer,
  'tool server': killToolServer,
  proxy: killProxy,
}
const works = WORKS.filter((work) => values.works.split(',').includes(work))
const seed = Number(positionals[0] ?? '1')
const print = (line: string): void => void process.stdout.write(`${line}\n`)
const row = (...cells: readonly (string | number)[]): void => print(`| ${cells.join(' | ')} |`)
const head = (...cells: readonly string[]): void => {
  row(...cells)
  row(...cells.map(() => '---'))
}
const keep = async (what: Kill | Damage | Sample): Promise<void> => {
  if (values.out !== undefined) await appendFile(values.out, `${JSON.stringify(what)}\n`)
}

function tellKills(kills: readonly Kill[]): void {
  head('killed at', 'kills', 'while it worked', 'lost', 'not as before')
  const line = (title: string, some: readonly Kill[]): void =>
    row(
      title,
      some.length,
      some.filter(({ wasOver }) => !wasOver).length,
      some.filter(({ lost }) => lost.length > 0).length,
      some.filter(({ wrong }) => wrong.length > 0).length,
    )
  for (const work of works)
    line(
      work,
      kills.filter((kill) => kill.work === work),
    )
  line('all', kills)
  for (const { work, afterMs, lost, wrong } of kills)
    if (lost.length + wrong.length > 0)
      print(`\n${work} after ${afterMs} ms: ${[...lost, ...wrong].join('; ')}`)
}

function tellDamages(damages: readonly Damage[]): void {
  const outcomes = ['same', 'told', 'silent', 'closed'] as const
  head('damage', 'files', 'noticed', 'reads as before', 'told', 'silent', 'Loam does not open')
  const line = (title: string, some: readonly Damage[]): void =>
    row(
      title,
      some.length,
      some.filter(({ noticed }) => noticed).length,
      ...outcomes.map((outcome) => some.filter((one) => one.outcome === outcome).length),
    )
  for (const harm of HARMS)
    line(
      harm,
      damages.filter((one) => one.harm === harm),
    )
  line('all', damages)
  print(`\n${new Set(damages.map(({ kind }) => kind)).size} kinds of files.`)
  for (const { file, harm, outcome, wrong } of damages)
    if (outcome === 'silent' || outcome === 'closed')
      print(`\n${outcome}: ${harm} in ${file}: ${wrong.join('; ')}`)
}

// As every entry of Loam: what it writes is for its owner alone.
process.umask(0o077)
const folder = await mkdtemp(join(tmpdir(), 'loam-wear-'))
// What was played until a person ends it is told.
let isEnded = false
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => (isEnded = true))
// A host's handles keep no process alive.
const alive = setInterval(() => undefined, 60_000)
try {
  if (values.soak !== undefined) {
    const [asks = 0, tasks = 0] = values.soak.split(',').map(Number)
    head('soak', 'asks', 'tasks', 'descriptors', 'held, MiB', 'host, MiB', 'engine, MiB', 'on disk, MiB')
    await soak(join(folder, 'soak'), asks, tasks, async (sample) => {
      const { when, descriptors, heldMiB, hostMiB, childrenMiB, diskMiB } = sample
      const figures = [heldMiB, hostMiB, childrenMiB, diskMiB].map((figure) => figure.toFixed(1))
      row(when, sample.asks, sample.tasks, descriptors, ...figures)
      await keep(sample)
    })
  }
  const place = values.soak === undefined ? await makeFolder(folder) : null
  const [kills, damages]: [Kill[], Damage[]] = [[], []]
  for (let i = 0; place !== null && i < Number(values.kills) && !isEnded; i++) {
    const work = works[i % works.length] ?? 'ask'
    const random = createRng(`kill ${seed} ${i}`)
    const kill = await (work in KILLS
      ? KILLS[work as keyof typeof KILLS](place, random)
      : killOnce(place, work as HostWork, random))
    kills.push(kill)
    await keep(kill)
  }
  if (kills.length > 0) tellKills(kills)
  if (place !== null && Number(values.damages) > 0 && !isEnded) {
    const { template, expected } = place
    const still = join(folder, 'still')
    await cp(template, still, { recursive: true })
    const usual = await findingsIn(still)
    for (const finding of usual) print(`Undamaged, the doctor says: ${finding}`)
    const kinds = [...(await kindsIn(still))]
    for (let i = 0; i < Number(values.damages) && !isEnded; i++) {
      const [kind = '', files = []] = kinds[i % kinds.length] ?? []
      const random = createRng(`damage ${seed} ${i}`)
      const how = HARMS[random.int(HARMS.length)] ?? 'a bit'
      const damage = await damageOnce({ template: still, folder, expected, usual }, kind, files, how, random)
      damages.push(damage)
      await keep(damage)
    }
    print('')
    tellDamages(damages)
  }
} finally {
  clearInterval(alive)
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
