import { readFile, stat } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { abortError } from '../../../core/ground/abort'
import type {
  Study,
  Suite,
  ExperimentInfo,
  ExperimentInput,
  ExperimentReport,
} from '../../../shared/domain/experiment'
import { presetsOf } from '../../../core/ground/method'
import { mergeChanges } from '../../../core/ground/settings'
import { findMethod, methodTitle } from '../../../core/methods'
import { variantOf } from '../../../core/lab/experiment'
import { distillingWords } from '../../../shared/domain/run'
import type { SuiteReport } from '../../../shared/domain/suite'
import { LoamError } from '../../../shared/errors'
import { readStudy, readStudyFile } from '../../experiments/study-file'
import { findResources } from '../../ground/resources'
import { writeReport } from '../../experiments/report-files'
import { lifeTable, suiteGrid, writeSuite } from '../../experiments/suite-table'
import { answerRequests } from '../ask-permission'
import { modelOf, streamFrom, UsageError, type Arguments } from '../arguments'
import { untilOver } from '../follow-job'
import { duration, type ConsoleIo } from '../console-io'
import { alignTable, footnotes, furtherTables, summaryTable } from '../../experiments/report-table'
import type { ReachedHost } from '../own-host'
import { readChanges } from '../read-changes'
import type { Command } from './command'
import { experimentMeaning } from '../../../shared/figures/meaning'
import { meaningLines } from './follow-run'
import { mergeShards } from '../../experiments/merge-shards'
import { BOUNDS } from '../../../shared/domain/bounds'

/** Everything given on the command line; it goes over what the file says. */
function overrides(args: Arguments): Partial<ExperimentInput> & { settings: object; protocol: object } {
  const baseline = args.text('baseline')
  const experiences = args.text('experiences')
  return {
    ...drop({
      stream: streamOf(args),
      methods: args.list('methods'),
      seeds: args.wholeList('seeds', BOUNDS.seed),
      exp: args.wholeList('exp', BOUNDS.k),
      tasks: args.whole('tasks', BOUNDS.tasks),
      model: modelOf(args),
      baseline: baseline === 'no' ? null : baseline,
      experiences: experiences === undefined ? undefined : resolve(experiences),
      shard: shardOf(args.text('shard')),
    }),
    settings: drop({
      temperature: args.decimal('temperature', BOUNDS.temperature),
      maxTokens: args.whole('max-tokens', BOUNDS.maxTokens),
      contextSize: args.whole('context', BOUNDS.contextSize),
      inFlight: args.whole('in-flight', BOUNDS.inFlight),
    }),
    protocol: drop({
      iterations: args.whole('iterations', BOUNDS.iterations),
      passes: args.whole('passes', BOUNDS.passes),
      retest: args.whole('retest', BOUNDS.retest),
      test: args.whole('test', BOUNDS.test),
    }),
  }
}

/** `I/N`: part I of N. */
function shardOf(text: string | undefined): { index: number; of: number } | undefined {
  if (text === undefined) return undefined
  const [, index, of] = /^(\d{1,4})\/(\d{1,4})$/.exec(text) ?? []
  if (index === undefined || of === undefined) throw new UsageError('--shard must be like 2/10: part 2 of 10')
  return { index: Number(index), of: Number(of) }
}

function streamOf(args: Arguments): string | undefined {
  const name = args.text('stream')
  return name === undefined ? undefined : streamFrom(name)
}

const drop = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<T>

/** A file by its path, or a study that comes with Loam by its name. */
async function fileOrStudy(name: string): Promise<string> {
  const path = resolve(name)
  if (/[\\/.]/.test(name) || (await stat(path).catch(() => null))) return path
  const study = join(findResources().experiments, `${name}.yaml`)
  return (await stat(study).catch(() => null)) ? study : path
}

async function definitionOf(args: Arguments, file: string | undefined): Promise<Study> {
  const output = await writtenStudy(args, file)
  const changes = readChanges(args)
  const preset = args.text('preset')
  if (Object.keys(changes).length === 0 && preset === undefined) return output
  // What is given for the whole experiment holds for each method under its own name; a preset for those that have any.
  const methods = output.methods.map(variantOf).map((variant) => ({
    ...variant,
    ...(preset !== undefined && presetsOf(findMethod(variant.method)).length > 0 && { preset }),
    settings: mergeChanges(variant.settings, changes),
  }))
  return { ...output, methods }
}

async function writtenStudy(args: Arguments, file: string | undefined): Promise<Study> {
  const input = overrides(args)
  if (file === undefined) {
    args.required('stream')
    args.required('methods')
    return withChosen(readStudy(input), args)
  }
  const output = await readStudyFile(await fileOrStudy(file))
  const { settings, protocol, ...study } = withChosen(output, args)
  return readStudy({
    ...study,
    ...input,
    methods: study.methods,
    settings: { ...settings, ...input.settings },
    protocol: { ...protocol, ...input.protocol },
  })
}

/** An experiment's id, or a folder with a report of it. */
async function idToResume(name: string): Promise<string> {
  const text = await readFile(join(resolve(name), 'report.json'), 'utf8').catch(() => null)
  const other = text ?? (await readFile(join(resolve(name), 'experiment.json'), 'utf8').catch(() => null))
  if (other === null) return basename(name)
  const { id } = JSON.parse(other) as { id?: unknown }
  if (typeof id === 'string') return id
  throw new UsageError(`${name} holds no experiment`)
}

const statusLine = ({ cells, done, total, etaMs }: ExperimentInfo): string => {
  const endCount = cells.filter((cell) => cell.status !== 'queued' && cell.status !== 'running').length
  const current = cells
    .filter((cell) => cell.status === 'running')
    .map((cell) => {
      const restText = cell.etaMs === null ? '' : `, ${duration(cell.etaMs)} left`
      const now = cell.distilling ? `, ${distillingWords(cell.distilling)}` : restText
      return `${cell.key}: ${cell.done} of ${cell.total}${now}`
    })
  const leftRestText = etaMs === null ? '' : `; about ${duration(etaMs)} left in all`
  return `${endCount} of ${cells.length} cells, ${done} of ${total} tasks${leftRestText}${current.length > 0 ? ` (${current.join('; ')})` : ''}`
}

/** How often an experiment is looked at, in ms. */
const LOOK_MS = 500

/**
 * Waits with a progress line. Ctrl-C cancels; a termination only stops the waiting, and an experiment of a Loam that was open already
 * goes on there.
 * @throws AbortError when it was cancelled, the problem when it failed or has to wait for a person
 */
async function follow(host: ReachedHost, id: string, io: ConsoleIo): Promise<void> {
  const { experiments } = host.client
  let runs = new Set<string>()
  const answering = answerRequests(host, (from) => runs.has(from), io)
  await host.share()
  const info = await untilOver(host, io, {
    everyMs: LOOK_MS,
    async look() {
      const current = await experiments.get({ experimentId: id })
      runs = new Set(current.cells.map(({ runId }) => runId))
      io.status(statusLine(current))
      return current.status === 'running' ? undefined : current
    },
    cancel: () => experiments.cancel({ experimentId: id }).catch(() => undefined),
    goesOn: 'The experiment goes on in the Loam that is open; "loam experiments" shows it.',
  }).finally(() => answering.stop())
  over(info, io)
}

function over({ id, status, problem }: ExperimentInfo, io: ConsoleIo): void {
  if (status === 'cancelled') throw abortError()
  if (status === 'paused') io.note(`The experiment is paused. Go on with: loam experiment --resume ${id}`)
  if (status === 'done') return
  throw problem
    ? LoamError.fromShape(problem)
    : new LoamError('INTERRUPTED', 'The experiment was paused.', {
        suggestion: `loam experiment --resume ${id}`,
      })
}

function print(report: ExperimentReport, io: ConsoleIo): void {
  for (const line of alignTable(summaryTable(report))) io.out(line)
  for (const table of furtherTables(report)) {
    io.out('')
    for (const line of alignTable(table)) io.out(line)
  }
  io.out('')
  for (const line of footnotes(report)) io.out(line)
  io.out('')
  for (const line of meaningLines(experimentMeaning(report, methodTitle))) io.out(line)
}

/** A suite to its end: its tables are others than those of one stream. */
async function followSuite(
  host: ReachedHost,
  id: string,
  out: string | undefined,
  io: ConsoleIo,
): Promise<SuiteReport> {
  const { experiments } = host.client
  const write = async (): Promise<SuiteReport> => {
    const report = await experiments.suite({ experimentId: id })
    if (out !== undefined) await writeSuite(resolve(out), report, await experiments.get({ experimentId: id }))
    return report
  }
  await write()
  await follow(host, id, io)
  const report = await write()
  for (const line of alignTable(suiteGrid(report))) io.out(line)
  io.out('')
  for (const line of alignTable(lifeTable(report))) io.out(line)
  io.out('')
  for (const line of report.notes) io.out(line)
  if (out !== undefined) io.note(`Report in ${resolve(out)}`)
  return report
}

/** `loam experiment`: methods, seeds and values of K over one stream, side by side. */
export const experimentCommand: Command = async ({ args, io, host }) => {
  const [, file, extra] = args.positionals
  if (extra !== undefined) throw new UsageError(`"${extra}" is one word too many`)
  args.gpuLayers()
  const resumed = args.text('resume')
  const out = args.text('out')
  let id: string
  if (resumed === undefined) {
    const definition = await definitionOf(args, file)
    const start = await (await host()).client.experiments.start(definition)
    id = start.id
    io.note(`Experiment ${id}: ${start.cells.length} cells`)
  } else {
    if (file !== undefined) throw new UsageError('--resume takes the place of a file')
    id = await idToResume(resumed)
    const { client } = await host()
    const before = await client.experiments.get({ experimentId: id })
    io.note(`Experiment ${id}: ${before.done} of ${before.total} tasks are done`)
    if (before.status !== 'done') await client.experiments.resume({ experimentId: id })
  }
  const reached = await host()
  const { experiments } = reached.client
  if ((await experiments.get({ experimentId: id })).definition.suite) return followSuite(reached, id, out, io)
  // Written at once, so that an interrupted experiment can be resumed by its folder.
  if (out !== undefined)
    await writeReport(
      resolve(out),
      await experiments.report({ experimentId: id }),
      await experiments.get({ experimentId: id }),
    )
  await follow(reached, id, io)
  const report = await experiments.report({ experimentId: id })
  print(report, io)
  if (out !== undefined) {
    await writeReport(resolve(out), report, await experiments.get({ experimentId: id }))
    io.note(`Report in ${resolve(out)}`)
  }
  return report
}

/** `loam experiments`: what is in this data folder. */
export const experimentsCommand: Command = async ({ io, host }) => {
  const experiments = await (await host()).client.experiments.list()
  for (const each of experiments)
    io.out(`${each.id}  ${each.status}, ${each.done} of ${each.total} tasks  ${each.name}`)
  return { experiments }
}

/**
 * A definition with what is given of its methods and its suite. Methods are named as its variants are, which keep the settings that the file gives
 * them, or as methods. Worlds that are named are played by every method; streams that are named too, also those that else only some are
 * played on.
 * @throws UsageError where there is no suite to say it of
 */
export function withChosen(output: Study, args: Arguments): Study {
  const streams = args.list('streams')
  const worlds = args.wholeList('worlds', BOUNDS.world)
  const orders = args.whole('orders', BOUNDS.orders)
  const methods = args.list('methods')
  const { suite } = output
  const references = output.methods.map((entry) => ({ entry, name: variantOf(entry).name }))
  const choices = methods?.map((name) => references.find((one) => one.name === name)?.entry ?? name)
  if (!suite) {
    if (streams || worlds || orders !== undefined)
      throw new UsageError(
        '--streams, --worlds and --orders are for a suite, such as "loam experiment lifelong-suite"',
      )
    return { ...output, ...(choices && { methods: choices }) }
  }
  const getSelection = (names: readonly string[]): string[] =>
    names.filter((name) => methods === undefined || methods.includes(name))
  const { more, only } = suite
  const further: Suite['more'] =
    more && worlds === undefined ? { worlds: more.worlds, methods: getSelection(more.methods) } : undefined
  const limited = Object.entries(only).map(([stream, names]) => [stream, getSelection(names)] as const)
  return {
    ...output,
    ...(choices && { methods: choices }),
    suite: {
      streams: streams ?? suite.streams,
      worlds: worlds ?? suite.worlds,
      orders: orders ?? suite.orders,
      ...(further && further.methods.length > 0 && { more: further }),
      only: streams ? {} : Object.fromEntries(limited),
    },
  }
}

/** `loam experiments merge FOLDER...`: parts that were played elsewhere become one experiment here. */
export const mergeExperimentCommand: Command = async ({ args, io, app }) => {
  const folders = args.positionals.slice(2)
  if (folders.length === 0) throw new UsageError('Which data folders? loam experiments merge FOLDER...')
  const { data, experiments, runs } = await app()
  const knownSet = new Set(experiments.list().map(({ id }) => id))
  const knownRuns = new Set(runs.list().map(({ id }) => id))
  const merged = await mergeShards(data.path, folders)
  if (knownSet.has(merged.id)) await experiments.forget(merged.id)
  for (const runId of await experiments.adopt(merged.id))
    if (!knownRuns.has(runId) && !merged.missing.some((key) => runId.endsWith(`-${key}`)))
      await runs.adopt(runId)
  io.out(
    `${merged.id}: ${merged.cells} cells are here${merged.missing.length === 0 ? '' : `, missing: ${merged.missing.join(', ')}`}.`,
  )
  return merged
}
