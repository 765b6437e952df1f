import type { Study } from '../../shared/domain/experiment'
import type { LifeFigures, SuiteCell, SuiteReport, SuiteRow } from '../../shared/domain/suite'
import type { Task } from '../../shared/domain/task'
import { bootstrapInterval } from '../../shared/figures/bootstrap'
import { attemptCost, costPerTask } from '../../shared/figures/costs'
import { runSignature } from '../../shared/figures/estimate'
import {
  adaptation,
  backwardTransfer,
  endRate,
  forgettingOver,
  transferMatrix,
  type PlacedTask,
} from '../../shared/figures/lifelong'
import { finiteValues, mean } from '../../shared/figures/mean'
import { forwardTransfer, rateDifference } from '../../shared/figures/transfer'
import { LIFELONG } from '../tasks/generators'
import { variantOf } from './experiment'
import { isEnded, type CellResult } from './experiment-report'
import { suiteKinds } from './suite'

/** The tasks of a stream, by the name that makes it. */
export type StreamTasks = ReadonlyMap<string, readonly Task[]>

/** Where each task stands in its life. */
function placedTasks(tasks: readonly Task[]): PlacedTask[] {
  const places = new Map(tasks.map(({ id, index }) => [id, index]))
  return tasks.map(({ known: message }) => ({
    stage: message?.stage ?? 0,
    probe: message?.probe ?? false,
    twinOf: typeof message?.twinOf === 'string' ? (places.get(message.twinOf) ?? null) : null,
    changed: message?.changed ?? false,
  }))
}

/** The places at which a new stage begins. */
const stageStarts = (tasks: readonly PlacedTask[]): number[] =>
  tasks.flatMap(({ stage }, i) => (i > 0 && stage !== tasks[i - 1]?.stage ? [i] : []))

/** What a life says of itself alone. */
function lifeOf({ plan, status, steps, builtTokens }: CellResult, tasks: readonly Task[]): SuiteCell {
  const stream = plan.stream ?? ''
  const { kind, world, order } = LIFELONG.partsOf(stream)
  const placed = placedTasks(tasks)
  const rewards = steps.map(({ reward }) => reward)
  const matrix = transferMatrix(placed, rewards)
  const changes = LIFELONG.kinds.find(({ id }) => id === kind)?.changes === true ? stageStarts(placed) : []
  const back = adaptation(rewards, changes)
  return {
    ...{ key: plan.key, runId: plan.runId, stream: kind, streamName: stream, world, order },
    ...{ seed: plan.seed, method: plan.method, status, total: plan.tasks ?? tasks.length, rewards },
    tokens: steps.map(({ usage }) => usage.promptTokens + usage.completionTokens),
    mean: mean(rewards),
    matrix: matrix.map((row) => [...row]),
    last: endRate(rewards),
    forgetting: forgettingOver(matrix),
    backwardTransfer: backwardTransfer(matrix),
    ...{ forwardTransfer: null, damage: null },
    adaptation: back?.tasks ?? null,
    neverBack: back?.never ?? null,
    tokensPerTask: costPerTask(steps.map(attemptCost), builtTokens).tokens,
  }
}

/** With the figures that need another life on the same tasks: the baseline's, and the same method's where nothing was wrong. */
function compared(cell: SuiteCell, all: readonly SuiteCell[], baseline: string | null): SuiteCell {
  const { world, order, seed, rewards } = cell
  const beside = (stream: string | null, method: string | null): SuiteCell | undefined =>
    all.find(
      (other) =>
        other.stream === stream &&
        other.method === method &&
        other.world === world &&
        other.order === order &&
        other.seed === seed &&
        counts(other),
    )
  const without = cell.method === baseline ? undefined : beside(cell.stream, baseline)
  const clean = beside(LIFELONG.kinds.find(({ id }) => id === cell.stream)?.clean ?? null, cell.method)
  return {
    ...cell,
    forwardTransfer: without ? forwardTransfer(rewards, without.rewards) : null,
    damage: clean ? rateDifference(clean.rewards, rewards) : null,
  }
}

/** Lives that ran to their end; attempts whose prompt did not fit count as not solved. */
const counts = ({ status }: Pick<SuiteCell, 'status'>): boolean => status === 'done' || status === 'oom'

/** Seeds that changed nothing are one life: of those that went alike only the first is kept. */
function distinctLives(cells: readonly SuiteCell[]): SuiteCell[] {
  const seenSet = new Set<string>()
  return cells.filter(({ streamName, method, rewards, tokens }) => {
    const key = `${streamName} ${method} ${runSignature({ rewards, tokens })}`
    return !seenSet.has(key) && seenSet.add(key)
  })
}

const grouped = <T, K>(items: readonly T[], key: (item: T) => K): Map<K, T[]> => {
  const groups = new Map<K, T[]>()
  for (const item of items) groups.set(key(item), [...(groups.get(key(item)) ?? []), item])
  return groups
}

const LIFE_FIGURES = [
  'last',
  'forgetting',
  'forwardTransfer',
  'backwardTransfer',
  'adaptation',
  'damage',
  'tokensPerTask',
] as const satisfies readonly (keyof LifeFigures)[]

type Figure = (typeof LIFE_FIGURES)[number] | 'mean'

/** A figure per world: the mean over its orders, of each the mean over its seeds. Null where none has it. */
function perWorld(cells: readonly SuiteCell[], figure: Figure): (number | null)[] {
  return [...grouped(cells, ({ world }) => world).values()].map((lives) =>
    mean(finiteValues(perOrder(lives, figure))),
  )
}

const perOrder = (cells: readonly SuiteCell[], figure: Figure): (number | null)[] =>
  [...grouped(cells, ({ order }) => order).values()].map((lives) =>
    mean(finiteValues(lives.map((life) => life[figure]))),
  )

/** A method on a stream. Worlds are the samples, since they vary most; where there is only one, its orders are. */
function rowOf(stream: string, method: string, cells: readonly SuiteCell[]): SuiteRow {
  const worlds = perWorld(cells, 'mean')
  const over = worlds.length > 1 ? 'worlds' : 'orders'
  const samples = finiteValues(over === 'worlds' ? worlds : perOrder(cells, 'mean'))
  const interval = bootstrapInterval(samples)
  const figures = Object.fromEntries(
    LIFE_FIGURES.map((figure) => [figure, mean(finiteValues(perWorld(cells, figure)))]),
  ) as unknown as LifeFigures
  return {
    ...{
      stream,
      method,
      mean: mean(finiteValues(worlds)),
      low: interval?.[0] ?? null,
      high: interval?.[1] ?? null,
    },
    ...figures,
    ...{ n: samples.length, over, lives: cells.length },
  }
}

/** The streams and worlds that every method was played on to the end. */
function common(cells: readonly SuiteCell[], methods: readonly string[]): SuiteReport['suiteOver'] {
  const companions = new Set(LIFELONG.kinds.flatMap(({ id, companion }) => (companion ? [id] : [])))
  const lives = cells.filter(({ stream }) => !companions.has(stream))
  const played = [...new Set(lives.map(({ method }) => method))]
  const byMethod = played.map((method) => lives.filter((life) => life.method === method))
  const inAll = <T>(of: (cell: SuiteCell) => T): T[] =>
    [...new Set(lives.map(of))].filter((value) =>
      byMethod.every((own) => own.some((life) => of(life) === value)),
    )
  const streams = inAll(({ stream }) => stream)
  const worlds = inAll(({ world }) => world).filter((world) =>
    byMethod.every((own) =>
      streams.every((stream) => own.some((life) => life.world === world && life.stream === stream)),
    ),
  )
  return methods.length === 0 ? { streams: [], worlds: [] } : { streams, worlds }
}

function suiteMeans(
  cells: readonly SuiteCell[],
  methods: readonly string[],
  { streams, worlds }: SuiteReport['suiteOver'],
): SuiteReport['suite'] {
  return methods.map((method) => {
    const perSample = worlds.map((world) =>
      mean(
        finiteValues(
          streams.map((stream) =>
            mean(
              finiteValues(
                perOrder(
                  cells.filter(
                    (cell) => cell.method === method && cell.world === world && cell.stream === stream,
                  ),
                  'mean',
                ),
              ),
            ),
          ),
        ),
      ),
    )
    const samples = finiteValues(perSample)
    const interval = bootstrapInterval(samples)
    return {
      ...{ method, mean: mean(samples), n: samples.length },
      ...{ low: interval?.[0] ?? null, high: interval?.[1] ?? null },
    }
  })
}

function notesOf(
  definition: Study,
  cells: readonly SuiteCell[],
  rows: readonly SuiteRow[],
  over: SuiteReport['suiteOver'],
): string[] {
  const endings = cells.filter(counts)
  const uniformFields = endings.length - distinctLives(endings).length
  const never = endings.reduce((sum, { neverBack }) => sum + (neverBack ?? 0), 0)
  const few = rows.some(({ n }) => n > 1 && n < 5)
  return [
    `Intervals are percentile bootstraps over worlds (each the mean over its orders), or over orders where there is one world; runs of one world and order that only differ by seed are no samples.${few ? ' With fewer than 5 samples they are too narrow.' : ''}`,
    ...(uniformFields > 0
      ? [`${uniformFields} lives went like another seed of the same stream, step for step, and count once.`]
      : []),
    ...(definition.seeds.length > 1
      ? []
      : ['One seed each: at this temperature seeds change little or nothing.']),
    ...(over.streams.length > 0
      ? [
          `The mean over the suite is over ${over.streams.join(', ')} in ${over.worlds.length === 1 ? 'world' : 'worlds'} ${over.worlds.join(', ')}, which every method was played on.`,
        ]
      : ['No stream was played by every method in one world yet, so there is no mean over the suite.']),
    ...(never > 0
      ? [
          `After ${never} changes a method was not back at its level before the next one; there adaptation is at least what is shown.`,
        ]
      : []),
  ]
}

/** The lives of a suite as far as they came, and what they amount to. */
export function suiteResults(
  definition: Study,
  results: readonly CellResult[],
  tasks: StreamTasks,
): Omit<SuiteReport, 'id' | 'name' | 'status' | 'model'> {
  const { baseline } = definition
  const methods = definition.methods.map((entry) => variantOf(entry).name)
  const alone = results.map((result) => lifeOf(result, tasks.get(result.plan.stream ?? '') ?? []))
  const cells = alone.map((cell) => compared(cell, alone, baseline))
  const lives = distinctLives(cells.filter(counts))
  const kinds = definition.suite ? suiteKinds(definition.suite) : []
  const summary = kinds.flatMap(({ id }) =>
    methods.flatMap((method) => {
      const own = lives.filter((life) => life.stream === id && life.method === method)
      return own.length === 0 ? [] : [rowOf(id, method, own)]
    }),
  )
  const suiteOver = common(lives, methods)
  return {
    ...{ baseline, methods, cells, summary, suiteOver },
    streams: kinds.map(({ id, title, about, companion }) => ({ id, title, about, companion })),
    pending: results.filter(({ status }) => !isEnded(status)).length,
    failed: results.filter(({ status }) => status === 'failed' || status === 'cancelled').length,
    suite: suiteMeans(lives, methods, suiteOver),
    notes: notesOf(definition, cells, summary, suiteOver),
  }
}
