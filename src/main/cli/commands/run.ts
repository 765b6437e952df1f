import { resolve } from 'node:path'
import { fitWords } from '../../../shared/domain/model'
import { LoamError } from '../../../shared/errors'
import { modelOf, streamFrom, UsageError } from '../arguments'
import { duration, tellReading, percent } from '../console-io'
import { drawCurves } from '../curve-chart'
import type { Command } from './command'
import {
  followRun,
  questionLines,
  summary,
  unaidedLines,
  writingLines,
  meaningLines,
  meaningOf,
} from './follow-run'
import { readChanges } from '../read-changes'
import { BOUNDS } from '../../../shared/domain/bounds'
import { folderNamed } from './memory-named'
import { isAbortError } from '../../../core/ground/abort'
import { DEMO_STREAM } from '../../../core/tasks/generators'
import type { RunReport } from '../../../shared/domain/run'

/** `loam demo`: the same stream without and with memory, both curves side by side. */
export const demoCommand: Command = async ({ args, io, host }) => {
  const tasks = args.whole('tasks', BOUNDS.tasks) ?? null
  const seed = args.whole('seed', BOUNDS.seed) ?? 1
  args.gpuLayers()
  const loam = await host()
  io.note(
    `A small demo model works through ${DEMO_STREAM} twice: once without memory, once with a case bank.`,
  )
  const { runIds } = await loam.client.runs.startDemo({ tasks, seed })
  const reports: RunReport[] = []
  try {
    for (const runId of runIds) reports.push(await followRun(loam, runId, io))
  } catch (error) {
    if (isAbortError(error))
      for (const runId of runIds) await loam.client.runs.cancel({ runId }).catch(() => undefined)
    throw error
  }
  if (!args.json) {
    const series = reports.map((report) => ({ label: report.method, rewards: report.rewards }))
    for (const line of drawCurves(series, { color: io.color })) io.out(line)
    io.out('')
    io.out('              solved        first third   last third')
    for (const report of reports) {
      const solved = `${report.solved}/${report.tasks} (${percent(report.successRate)})`
      io.out(
        `${report.method.padEnd(14)}${solved.padEnd(14)}${percent(report.firstRate).padEnd(14)}${percent(report.lastRate)}`,
      )
    }
    const [without, withItem] = reports
    if (without && withItem) {
      io.out('')
      for (const line of meaningLines(meaningOf(withItem, without))) io.out(line)
    }
  }
  return { stream: reports[0]?.stream ?? '', reports }
}

/** `loam run`: one run from start to end. */
export const runCommand: Command = async ({ args, io, host }) => {
  if (args.positionals.length > 1) throw new UsageError(`"${args.positionals[1] ?? ''}" is one word too many`)
  const stream = streamFrom(args.required('stream'))
  const method = args.required('method')
  const softPrompt = args.text('soft-prompt')
  const input = {
    stream,
    method,
    tasks: args.whole('tasks', BOUNDS.tasks) ?? null,
    seed: args.whole('seed', BOUNDS.seed) ?? 1,
    k: args.whole('k', BOUNDS.k) ?? null,
    temperature: args.decimal('temperature', BOUNDS.temperature),
    maxTokens: args.whole('max-tokens', BOUNDS.maxTokens),
    memoryId: args.text('memory') === undefined ? null : folderNamed(args),
    model: modelOf(args),
    softPrompt: softPrompt === undefined ? undefined : resolve(softPrompt),
    useSoftPrompt: !args.flag('no-soft-prompt'),
    contextSize: args.whole('context', BOUNDS.contextSize),
    preset: args.text('preset'),
    settings: readChanges(args),
  }
  args.gpuLayers()
  const loam = await host()
  const { client } = loam
  const { reading } = await client.streams.inspect({ path: stream })
  const before = await client.runs.preflight(input)
  for (const { level, text, suggestion, code } of before.notes) {
    // Starting fails with its own error then.
    if (code !== undefined) continue
    if (level === 'refuse') throw new LoamError('BAD_INPUT', text, { suggestion })
    io.note(`${text} ${suggestion}`)
  }
  if (before.fit) io.note(fitWords(before.fit))
  if (before.etaMs !== null) io.note(`About ${duration(before.etaMs)} at the pace of earlier runs.`)
  const run = await client.runs.start(input)
  if (loam.joined) io.note('Loam is open: the run joins its line.')
  io.note(`Run ${run.id}`)
  tellReading(reading, io)
  const report = await followRun(loam, run.id, io)
  io.out(summary(report))
  if (!args.json) {
    for (const line of drawCurves([{ label: report.method, rewards: report.rewards }], { color: io.color }))
      io.out(line)
    for (const line of questionLines(report)) io.out(line)
    for (const line of [...unaidedLines(report), ...writingLines(report)]) io.out(line)
    io.out(`Memory: ${report.memory}`)
    for (const line of meaningLines(meaningOf(report, null, run.config.settings))) io.out(line)
  }
  return { ...report, reading, costs: await client.runs.costs({ runId: run.id }) }
}

/** `loam resume RUN`: goes on with a run that was paused or interrupted. */
export const resumeCommand: Command = async ({ args, io, host }) => {
  const runId = args.word(1, 'Which run? "loam runs" lists them')
  const loam = await host()
  const before = await loam.client.runs.resume({ runId })
  io.note(`Going on after ${before.done} of ${before.total} tasks`)
  const report = await followRun(loam, runId, io)
  io.out(summary(report))
  return report
}
