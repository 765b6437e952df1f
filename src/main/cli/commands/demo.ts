import { isAbortError } from '../../../core/ground/abort'
import { DEMO_STREAM } from '../../../core/tasks/generators'
import type { RunReport } from '../../../shared/domain/run'
import { percent } from '../console-io'
import { drawCurves } from '../curve-chart'
import type { Command } from './command'
import { meaningLines, meaningOf } from '../meaning-lines'
import { followRun } from './follow-run'
import { BOUNDS } from '../../../shared/domain/bounds'

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
