import { BASELINE } from '../../shared/domain/experiment'
import type { CurveMarker, RunCurve } from '../../shared/domain/curve'
import type { RunConfig, RunStatus } from '../../shared/domain/run'
import { successRate } from '../../shared/figures/rates'
import { skillRates } from '../../shared/figures/skills'
import { forgetting } from '../../shared/figures/transfer'
import { canonicalJson } from '../ground/canonical-json'
import { METHODS } from '../methods'
import { hash32 } from '../ground/random'
import { overflowsOf } from './experiment-report'
import { learnedCount, ONCE, segments, streamCount, type Segment } from './protocol'
import type { RunRecord, StepEvent } from './run-record'
import { namedSettings } from './named-settings'

/** A run as far as it came, and what a curve needs to know around it. */
export interface CurveSource {
  readonly record: RunRecord
  readonly steps: readonly StepEvent[]
  readonly status: RunStatus
  /** The experiment it is a cell of; null for a run of its own. */
  readonly experiment: {
    readonly id: string
    readonly name: string
    /** The cell's method or variant. */
    readonly cell: string
    readonly baseline: string | null
  } | null
  /** Runs that worked in the same memory before, oldest first. */
  readonly before: readonly Pick<RunRecord, 'config' | 'modelName' | 'hashes'>[]
  /** Skills of the stream's tasks, in order; empty when they are not known. */
  readonly skills: readonly (readonly string[])[]
}

/** Everything the learning curves of one run need. */
export function runCurve(source: CurveSource): RunCurve {
  const { record, experiment, before } = source
  const { config, hashes } = record
  const protocol = config.protocol ?? ONCE
  const count = streamCount(record.total, protocol)
  const parts = segments(count, protocol)
  const learnedLearnedCount = learnedCount(count, protocol)
  const total = learnedLearnedCount * protocol.iterations
  const steps = source.steps.slice(0, total)
  const rewards = steps.map((step) => step.reward)
  const name = experiment?.cell ?? config.method
  const usesExp = METHODS.find((method) => method.info.id === config.method)?.info.usesK ?? config.k > 0
  return {
    runId: record.id,
    experimentId: experiment?.id ?? null,
    experimentName: experiment?.name ?? null,
    name,
    method: config.method,
    exp: usesExp ? config.k : null,
    seed: config.seed,
    stream: config.stream,
    model: record.modelName,
    memoryId: config.memoryId,
    follows: before.length,
    createdAt: record.createdAt,
    status: source.status,
    total,
    rewards: rewards.join(''),
    tokens: steps.map(({ usage }) => usage.promptTokens + usage.completionTokens),
    ms: steps.map((step) => Math.round(step.ms)),
    rounds: steps.map((step) => step.rounds ?? null),
    overflows: overflowsOf(steps),
    markers: [...changeMarkers(source), ...trainingMarkers(steps), ...iterationMarkers(steps.length, parts)],
    settings: namedSettings(record, experiment),
    group: groupKey({
      experiment: experiment?.id ?? null,
      name,
      config: withoutSeed(config),
      hashes,
      before: before.map((run) => [run.config.method, run.config.stream, run.modelName]),
    }),
    baseline: experiment ? experiment.baseline : BASELINE,
    figures: {
      forgetting: forgettingOf(source.steps, parts),
      passRates: protocol.passes > 1 ? passRates(source.steps, parts) : [],
      skills: skillRates(
        rewards,
        Array.from({ length: protocol.iterations }, () => source.skills.slice(0, learnedLearnedCount)).flat(),
      ),
    },
  }
}

/** The settings that seeds of one series share; the memory is each run's own. */
function withoutSeed({ seed: _seed, memoryId: _space, ...shared }: RunConfig): object {
  return shared
}

const groupKey = (value: object): string => {
  const text = canonicalJson(value)
  return `${hash32(text).toString(36)}-${hash32(text, 0x243f6a88).toString(36)}`
}

const trainedAt = (at: number): CurveMarker => ({
  at,
  kind: 'consolidation',
  label: 'Consolidated into a soft prompt',
})

/** Where the run itself trained a soft prompt. */
const trainingMarkers = (steps: readonly StepEvent[]): CurveMarker[] =>
  steps.filter(({ distilled }) => distilled !== undefined).map(({ index }) => trainedAt(index))

/** What is another than for the run before in the same memory. */
function changeMarkers({ record, before }: CurveSource): CurveMarker[] {
  const last = before.at(-1)
  if (!last) return []
  const markers: CurveMarker[] = []
  if (last.modelName !== record.modelName) {
    markers.push({ at: 0, kind: 'model', label: `Model: ${last.modelName} → ${record.modelName}` })
  }
  const { softPrompt } = record.hashes
  if (softPrompt !== undefined && softPrompt !== last.hashes.softPrompt) {
    markers.push(trainedAt(0))
  }
  return markers
}

function iterationMarkers(doneCount: number, parts: readonly Segment[]): CurveMarker[] {
  return parts
    .filter(({ kind, number, from }) => kind === 'iteration' && number > 1 && from <= doneCount)
    .map(({ from, number }) => ({ at: from, kind: 'iteration', label: `Iteration ${number}` }))
}

const rewardsIn = (steps: readonly StepEvent[], { from, to }: Segment): (0 | 1)[] =>
  steps.slice(from, to).map((step) => step.reward)

function forgettingOf(steps: readonly StepEvent[], parts: readonly Segment[]): number | null {
  const retest = parts.find(({ kind }) => kind === 'retest')
  const lastMet = parts.filter(({ kind }) => kind !== 'retest').at(-1)
  return retest && lastMet ? forgetting(rewardsIn(steps, lastMet), rewardsIn(steps, retest)) : null
}

/** Of the passes that got through the stream. */
const passRates = (steps: readonly StepEvent[], parts: readonly Segment[]): number[] =>
  parts
    .filter(({ kind, to }) => kind !== 'retest' && to <= steps.length)
    .map((part) => successRate(rewardsIn(steps, part)))
