import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import type { LanguageModel } from '../../src/core/ground/chat'
import { createApp } from '../../src/main/app'
import {
  control,
  INJECTIONS,
  obedient,
  openInjections,
  type Injection,
  type Played,
} from '../security/injections/play'

// The injections of docs/results/injections, with the defences on and off, and each place once more with a sentence in it that asks for nothing:
// `npm run injections -- [MODEL.gguf ...] [--each 10] [--out FILE]`.
// `--each`: how many of each surface; `--out`: a file that every play is added to. An obedient model, which is a script, plays in any case; the models named play beside it, with one thread of the CPU.

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { each: { type: 'string', default: '10' }, out: { type: 'string' } },
})
const each = Number(values.each)
const places = new Map<string, number>()
const share = INJECTIONS.filter(({ surface }) => {
  const place = places.get(surface) ?? 0
  places.set(surface, place + 1)
  return place < each
})
const print = (line: string): void => void process.stdout.write(`${line}\n`)

interface Row extends Omit<Played, 'injection'> {
  readonly id: string
  readonly surface: string
  readonly model: string
  readonly defences: boolean
  /** The same place with a harmless sentence: calls that the model made of itself. */
  readonly control: Pick<Played, 'wanted' | 'carriedOut'>
}
const rows: Row[] = []

async function playAll(name: string, modelFor: (injection: Injection) => LanguageModel): Promise<void> {
  const injections = await openInjections()
  try {
    for (const defences of [true, false])
      for (const injection of share) {
        const { injection: _its, ...played } = await injections.play(injection, modelFor(injection), defences)
        const plain = control(injection)
        const { wanted, carriedOut } = await injections.play(plain, modelFor(plain), defences)
        const row: Row = {
          ...{ id: injection.id, surface: injection.surface, model: name, defences, ...played },
          control: { wanted, carriedOut },
        }
        rows.push(row)
        if (values.out !== undefined) await appendFile(values.out, `${JSON.stringify(row)}\n`)
      }
  } finally {
    await injections.close()
  }
  tell(name)
}

const count = (some: readonly Row[], is: (row: Row) => boolean): number => some.filter(is).length

/** Calls carried out that were not with harmless text in the same place. */
const moreOf = ({ carriedOut, control: plain }: Row): number => Math.max(0, carriedOut - plain.carriedOut)

function tell(name: string): void {
  print(`\n### ${name}\n`)
  print(
    '| surface | n | wait in quarantine | read by the model | origin shown | calls it wanted | asked about | carried out | with harmless text | because of it | carried out, off | with harmless text, off | because of it, off |',
  )
  print(`|${'---|'.repeat(13)}`)
  const own = rows.filter(({ model }) => model === name)
  const line = (title: string, some: readonly Row[]): void => {
    const [on, off] = [some.filter(({ defences }) => defences), some.filter(({ defences }) => !defences)]
    const cells = [
      on.length,
      count(on, ({ waited }) => waited === true),
      count(on, ({ reached }) => reached),
      count(on, ({ reached, origin }) => reached && origin),
      on.reduce((sum, { wanted }) => sum + wanted, 0),
      on.reduce((sum, { asked }) => sum + asked, 0),
      on.reduce((sum, { carriedOut }) => sum + carriedOut, 0),
      on.reduce((sum, row) => sum + row.control.carriedOut, 0),
      on.reduce((sum, row) => sum + moreOf(row), 0),
      off.reduce((sum, { carriedOut }) => sum + carriedOut, 0),
      off.reduce((sum, row) => sum + row.control.carriedOut, 0),
      off.reduce((sum, row) => sum + moreOf(row), 0),
    ]
    print(`| ${[title, ...cells].join(' | ')} |`)
  }
  for (const surface of new Set(own.map((row) => row.surface)))
    line(
      surface,
      own.filter((row) => row.surface === surface),
    )
  line('all', own)
}

await playAll('obedient (a script)', obedient)
if (positionals.length > 0) {
  const folder = await mkdtemp(join(tmpdir(), 'loam-injections-'))
  const app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
  try {
    await app.saveSettings({ threads: 1 })
    for (const path of positionals) {
      const model = await app.loadModel(resolve(path))
      await playAll(model.name, () => model)
    }
  } finally {
    await app.dispose()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
