import type { PortKey } from '../../core/ground/environment-module'
import { CODE_MACHINES } from '../../core/tasks/code'
import { ANSWER_TESTS } from '../../core/tasks/qa/check'
import { SQL_ENGINES } from '../../core/tasks/lab-db/engines'
import { GRAPHS } from '../../core/tasks/lab-kg/graph'
import { OS_DRIVERS } from '../../core/tasks/lab-os/machine'
import { WORKBOOKS } from '../../core/sheets/workbook'
import { createAnswerTests } from '../adapters/environments/answer-tests'
import { createSqlEngines } from '../adapters/environments/sql-engines'
import { createSandbox } from '../adapters/sheets/sandbox'
import { createWorkbookEngine } from '../../core/sheets/workbook-engine'
import { createOsDrivers, createProgramDrivers } from '../machines/drivers'
import type { Outside } from './outside'

type Make<T> = (outside: Outside) => Promise<T>

type Fulfilled = readonly [name: string, make: Make<unknown>]

const fulfils = <T>(key: PortKey<T>, make: Make<T>): Fulfilled => [key.name, make]

/** What fulfils the ports that environments declare, one line each. */
export const PORTS: ReadonlyMap<string, Make<unknown>> = new Map([
  fulfils(SQL_ENGINES, (outside) => Promise.resolve(createSqlEngines(outside))),
  // Oxigraph is loaded when there are graphs to ask.
  fulfils(GRAPHS, async ({ network }) => (await import('../adapters/graphs/graphs')).createGraphs(network)),
  fulfils(ANSWER_TESTS, () => Promise.resolve(createAnswerTests())),
  fulfils(OS_DRIVERS, () => Promise.resolve(createOsDrivers())),
  fulfils(CODE_MACHINES, () => Promise.resolve(createProgramDrivers())),
  fulfils(WORKBOOKS, async () => createWorkbookEngine(await createSandbox())),
])
