import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { PortKey, World } from '../../core/ground/environment-module'
import { LoamError } from '../../shared/errors'
import { LONGEST_DATA, readForeignText } from '../ground/isolate/foreign-text'
import { readTemplate } from '../ground/prompts'
import { NOTHING_OUTSIDE, type Outside } from './outside'
import { FOREIGN_TEXTS } from '../../core/ground/foreign-texts'
import { CODE_MACHINES } from '../../core/tasks/code'
import { ANSWER_TESTS } from '../../core/tasks/qa/check'
import { SQL_ENGINES } from '../../core/tasks/lab-db/engines'
import { GRAPHS } from '../../core/tasks/lab-kg/graph'
import { OS_DRIVERS } from '../../core/tasks/lab-os/machine'
import { WORKBOOKS } from '../../core/sheets/workbook'

type Make<T> = (outside: Outside) => Promise<T>

type Fulfilled = readonly [name: string, make: Make<unknown>]

const fulfils = <T>(key: PortKey<T>, make: Make<T>): Fulfilled => [key.name, make]

/** What fulfils the ports that environments declare, one line each. What it takes is loaded when it is asked for: a start waits for none of it. */
const PORTS: ReadonlyMap<string, Make<unknown>> = new Map([
  fulfils(SQL_ENGINES, async (outside) =>
    (await import('../adapters/environments/sql-engines')).createSqlEngines(outside),
  ),
  fulfils(GRAPHS, async ({ network }) => (await import('../adapters/graphs/graphs')).createGraphs(network)),
  fulfils(ANSWER_TESTS, async () =>
    (await import('../adapters/environments/answer-tests')).createAnswerTests(),
  ),
  fulfils(OS_DRIVERS, async () => (await import('../machines/drivers')).createOsDrivers()),
  fulfils(CODE_MACHINES, async () => (await import('../machines/drivers')).createProgramDrivers()),
  fulfils(WORKBOOKS, async () => (await import('../adapters/sheets/workbooks')).createWorkbooks()),
  fulfils(FOREIGN_TEXTS, () =>
    Promise.resolve({ read: (text, where, syntax) => readForeignText(text, where, syntax, LONGEST_DATA) }),
  ),
])

/** SHA-256 of files, a line break between them; of one file, of its bytes alone. */
export const digestOf = (files: readonly Uint8Array[]): string =>
  files
    .reduce((hash, bytes, i) => (i === 0 ? hash : hash.update('\n')).update(bytes), createHash('sha256'))
    .digest('hex')

const unusable = (cause: string): LoamError =>
  new LoamError('TASK_STREAM', cause, { suggestion: 'Start a new run.' })

/** `prompts` is the folder of prompt templates; `folderOf` the folder of the files of a stream's tasks. Default: nothing outside. */
export function createWorld(
  prompts: string,
  folderOf: (source: string) => string,
  outside = NOTHING_OUTSIDE,
): World {
  const productPromiseMap = new Map<string, Promise<unknown>>()
  return {
    port<T>({ name }: PortKey<T>) {
      const make = PORTS.get(name)
      if (!make) throw new Error(`Nothing fulfils the port "${name}".`)
      const port = productPromiseMap.get(name) ?? make(outside)
      productPromiseMap.set(name, port)
      // The list ties each key to a maker of its own type.
      return port as Promise<T>
    },
    prompt: (name) => readTemplate(prompts, name),
    files(source, paths, digest) {
      const folder = folderOf(source)
      let files: Uint8Array[]
      try {
        files = paths.map((path) => readFileSync(join(folder, path)))
      } catch (error) {
        throw unusable(`A file of ${source} cannot be read: ${(error as Error).message}.`)
      }
      if (digestOf(files) === digest) return files
      throw unusable(`${paths.join(' or ')} of ${source} changed since the stream was opened.`)
    },
  }
}
