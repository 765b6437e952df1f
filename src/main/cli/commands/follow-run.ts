import { abortError } from '../../../core/ground/abort'
import { AGENT } from '../../../core/agent/settings'
import { trialWords } from '../../../shared/domain/soft-prompt'
import { distillingWords, type RunInfo, type RunReport } from '../../../shared/domain/run'
import { failureRate } from '../../../shared/domain/writing'
import type { SettingChanges } from '../../../shared/domain/setting'
import { LoamError } from '../../../shared/errors'
import type { LoamClient } from '../../api/transports'
import { answerRequests } from '../ask-permission'
import type { ReachedHost } from '../own-host'
import { duration, percent, type ConsoleIo } from '../console-io'
import { untilOver } from '../follow-job'
import { findMethod, methodTitle } from '../../../core/methods'
import { runMeaning, type Meaning } from '../../../shared/figures/meaning'

/** What a finished run with these settings means, beside one without memory over the same tasks where there is one. */
export const meaningOf = (
  report: RunReport,
  without: RunReport | null = null,
  settings: SettingChanges = {},
): Meaning =>
  runMeaning({
    title: methodTitle(report.method),
    remembers: findMethod(report.method).info.recalls.length > 0,
    rewards: report.rewards,
    total: report.rewards.length,
    finished: true,
    resumable: false,
    without: without?.rewards ?? null,
    with: false,
    canBeTold: report.questions !== undefined && settings[AGENT.id]?.['told'] === undefined,
  })

/** The sentence and the next steps, a line each. Steps that belong to the window are left out. */
export const meaningLines = ({ sentence, next }: Meaning): string[] => [
  sentence,
  ...next
    .filter(({ kind }) => kind !== 'why')
    .map(({ kind, words }) => `- ${words}${kind === 'told' ? ` (--set ${AGENT.id}.told=answer)` : ''}`),
]

const statusLine = (run: RunInfo): string => {
  const rate = run.done === 0 ? '' : `, ${percent(run.solved / run.done)} solved`
  const restText = run.etaMs === null ? '' : `, about ${duration(run.etaMs)} left`
  const work = run.distilling ? distillingWords(run.distilling) : run.building
  const now = work === undefined ? restText : `, ${work}`
  const { method, preset } = run.config
  return `${method}${preset === undefined ? '' : `, preset ${preset}`}: ${run.done} of ${run.total} tasks${rate}${now}`
}

/** One paragraph for people. */
export const summary = (report: RunReport): string =>
  `${report.method} on ${report.stream}, seed ${report.seed}: ${report.solved} of ${report.tasks} solved (${percent(report.successRate)}), ` +
  `first third ${percent(report.firstRate)}, last third ${percent(report.lastRate)}, in ${duration(report.wallMs)}${scalingWords(report)}${builtWords(report)}`

/** What several attempts at each task came to: the figure above is the reported one. */
const scalingWords = ({ scaling }: RunReport): string =>
  scaling
    ? `; ${scaling.attempts.toFixed(1)} attempts per task: first (pass@1) ${percent(scaling.first)}, reported ${percent(scaling.reported)}, any ${percent(scaling.any)}`
    : ''

/** Which tasks are not in the figures, and what was built from them. */
const builtWords = ({ built }: RunReport): string => {
  if (!built) return ''
  const { tasks, outcome, tokens } = built
  const texts = outcome === null ? '' : `: ${outcome.documents} texts for ${tokens} tokens`
  return `. Not counted: the first ${tasks} tasks, which the memory was built from${texts}`
}

const share = (rate: number | null): string => (rate === null ? 'none' : percent(rate))

/** The figures of a run over questions, a line each; none for other runs. */
export function questionLines({ questions }: RunReport): string[] {
  if (!questions) return []
  const { n, graded, em, macroF1, pm, levels, tools } = questions
  const judgement =
    pm === null
      ? ''
      : `, partial match ${share(pm)} (says the same as the known answer, by which open questions are solved)`
  return [
    `Exact match ${share(em)}, macro F1 ${share(macroF1)}${judgement}; ${graded} of ${n} graded`,
    ...levels.map(
      (one) =>
        `${one.level === null ? 'Without level' : `Level ${one.level}`}: ${one.n} tasks, exact match ${share(one.em)}, ` +
        `${Math.round(one.promptTokens)} tokens read and ${Math.round(one.completionTokens)} written, ${one.toolCalls.toFixed(1)} tool calls each`,
    ),
    ...tools.map(
      ({ tool, calls, failed, ms }) => `${tool}: ${calls} calls, ${failed} failed, ${Math.round(ms)} ms each`,
    ),
  ]
}

/** What came of the tasks attempted without memory; none where memory was always used. */
export const unaidedLines = ({ unaided, tasks, solved }: RunReport): string[] =>
  unaided === undefined
    ? []
    : [
        `Without memory: ${unaided.solved} of ${unaided.tasks} solved; with it: ${solved - unaided.solved} of ${tasks - unaided.tasks}`,
      ]

/** How texts came out that roles were asked for, a line each; none where none was. */
export const writingLines = ({ writings = [] }: RunReport): string[] =>
  writings.map(
    (one) =>
      `${one.role}: ${one.asked} texts, ${one.failed} not usable (${percent(failureRate(one))}), ${one.mended} used slightly off form, ${one.again} asked for twice`,
  )

/** How often a run is looked at, in ms. */
const LOOK_MS = 250

/**
 * Waits for a run with a progress line and answers its report. Ctrl-C cancels it; a termination only stops the waiting, and a run of
 * a Loam that was open already goes on there.
 * @throws AbortError when it was cancelled, the run's problem when it failed or could not go on
 */
export async function followRun(host: ReachedHost, runId: string, io: ConsoleIo): Promise<RunReport> {
  const { client } = host
  const answering = answerRequests(host, (from) => from === runId, io)
  await host.share()
  return untilOver(host, io, {
    everyMs: LOOK_MS,
    async look() {
      const run = await client.runs.get({ runId })
      io.status(statusLine(run))
      const isOver = run.status !== 'queued' && run.status !== 'running'
      return isOver ? reportOf(client, run, io) : undefined
    },
    cancel: () => client.runs.cancel({ runId }).catch(() => undefined),
    goesOn: `The run goes on in the Loam that is open; "loam runs" shows ${runId}.`,
  }).finally(() => answering.stop())
}

async function reportOf(client: LoamClient, run: RunInfo, io: ConsoleIo): Promise<RunReport> {
  for (const text of run.notes ?? []) io.note(text)
  for (const { due, problem } of run.untrained ?? [])
    io.note(`No soft prompt was trained after ${due} tasks, and the run went on without: ${problem.cause}`)
  for (const trial of run.tried ?? []) io.note(trialWords(trial))
  if (run.status === 'cancelled') throw abortError()
  if (run.status === 'done') return client.runs.report({ runId: run.id })
  if (run.status === 'paused')
    io.note(`The run is paused and keeps its ${run.done} finished tasks. Go on with: loam resume ${run.id}`)
  throw run.problem === null
    ? new LoamError('INTERRUPTED', 'The run was paused.', { suggestion: `loam resume ${run.id}` })
    : LoamError.fromShape(run.problem)
}
