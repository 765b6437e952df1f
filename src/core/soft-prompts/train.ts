import type { LossPoint, TrainingOutcome, TrainingSettings } from '../../shared/domain/soft-prompt'
import { createRng } from '../ground/random'
import { AdamW, type AdamWState, clipGradient } from '../ground/adamw'
import type { TrainingSample } from './samples'

/** Most sequences that are looked at to say how high the loss over the training part is. */
export const MOST_LOOKED_AT = 64

/** Computes losses and gradients of a soft prompt. */
export interface GradientSource {
  /** Values of the soft prompt, and of one of its rows. */
  readonly size: number
  readonly width: number
  /** Embeddings of the reserved tokens before training. */
  readonly base: Float32Array
  embeddings(ids: readonly number[]): Float32Array
  /** Summed cross-entropy over the targets of all samples; the gradient is by `deltas`. */
  evaluate(
    samples: readonly TrainingSample[],
    deltas: Float32Array,
    wantGradient: boolean,
    pause: () => Promise<void>,
  ): Promise<{ readonly loss: number; readonly gradient: Float32Array | null }>
}

/** Everything needed to go on with a training as if it had never stopped. */
export interface TrainingState {
  /** Steps that were taken. */
  readonly step: number
  /** What is added to the reserved tokens' embeddings. */
  readonly deltas: Float32Array
  readonly adam: AdamWState
  readonly best: { readonly step: number; readonly loss: number; readonly deltas: Float32Array } | null
  readonly stop: { readonly best: number; readonly worse: number }
  readonly initialLoss: number
  readonly initialHeldOutLoss: number | null
  readonly curve: readonly LossPoint[]
  readonly wallMs: number
}

export interface TrainingProgress {
  readonly point: LossPoint
  readonly steps: number
  /** Milliseconds left at the pace so far, when no early stop comes first. */
  readonly etaMs: number
}

export interface TrainingHooks {
  /** Awaited between pieces of work of well under a step; throws to end the training. */
  readonly pause?: () => Promise<void>
  readonly onStep?: (progress: TrainingProgress) => void
  /** Awaited after each step; keeps the state if it is time to. */
  readonly keep?: (state: () => TrainingState) => Promise<void>
  /** Milliseconds of a clock that only goes forward. */
  readonly now: () => number
}

/**
 * Learns a soft prompt by AdamW on EvoSC's L_consolid. Rows start as embeddings of random tokens of the samples, or as `begin` says (what is
 * added to the reserved tokens' embeddings). The rows kept are those with the least held-out loss, or the last ones when nothing is held out. The same samples, settings and
 * state give the same rows.
 */
export async function trainSoftPrompt(
  source: GradientSource,
  train: readonly TrainingSample[],
  heldOut: readonly TrainingSample[],
  settings: TrainingSettings,
  hooks: TrainingHooks,
  resume: TrainingState | null = null,
  begin: Float32Array | null = null,
): Promise<{ readonly deltas: Float32Array; readonly outcome: TrainingOutcome }> {
  if (train.length === 0) throw new RangeError('There is nothing to learn from.')
  const pause = hooks.pause ?? (() => Promise.resolve())
  const began = hooks.now()
  const start = startRows(source, train, settings.seed)
  const meanLoss = async (samples: readonly TrainingSample[], deltas: Float32Array) => {
    if (samples.length === 0) return null
    return (await source.evaluate(samples, deltas, false, pause)).loss / targetsOf(samples)
  }
  const lookedAt = train.slice(0, MOST_LOOKED_AT)
  const deltas = Float32Array.from(resume?.deltas ?? begin ?? start.deltas)
  const initialLoss = resume?.initialLoss ?? ((await meanLoss(lookedAt, deltas)) as number)
  const initialHeldOutLoss = resume ? resume.initialHeldOutLoss : await meanLoss(heldOut, deltas)
  const adam = new AdamW(source.size, { weightDecay: settings.weightDecay }, resume?.adam)
  const early = new EarlyStop(settings.patience, undefined, resume?.stop ?? null)
  const curve: LossPoint[] = [...(resume?.curve ?? [])]
  // What it begins with may already be the best.
  let best =
    resume?.best ??
    (begin && initialHeldOutLoss !== null
      ? { step: 0, loss: initialHeldOutLoss, deltas: Float32Array.from(deltas) }
      : null)
  if (!resume && best) early.look(best.loss)
  let step = resume?.step ?? 0
  let isStopped = false
  const wallMs = () => (resume?.wallMs ?? 0) + hooks.now() - began
  const state = (): TrainingState => ({
    step,
    deltas: Float32Array.from(deltas),
    adam: adam.state,
    best,
    stop: early.state,
    initialLoss,
    initialHeldOutLoss,
    curve: [...curve],
    wallMs: wallMs(),
  })
  const schedule = {
    peak: settings.learningRate * start.scale,
    warmUpSteps: Math.round(settings.warmUp * settings.steps),
    totalSteps: settings.steps,
    floor: settings.rateFloor,
  }
  const firstStep = step
  const batches = batchesOf(train, settings, step)
  while (step < settings.steps && !isStopped) {
    const batch = batches.next().value
    const evaluated = await source.evaluate(batch, deltas, true, pause)
    const { loss } = evaluated
    const gradient = evaluated.gradient as Float32Array
    const tokens = targetsOf(batch)
    // In units of the embeddings' size, so that clipping means the same for every model.
    for (let index = 0; index < gradient.length; index++) (gradient[index] as number) *= start.scale / tokens
    clipGradient(gradient, settings.clip)
    const rate = learningRate(step, schedule)
    adam.step(deltas, gradient, rate)
    step++
    let heldOutLoss: number | null = null
    if (heldOut.length > 0 && (step % settings.lookEvery === 0 || step === settings.steps)) {
      heldOutLoss = (await meanLoss(heldOut, deltas)) as number
      const look = early.look(heldOutLoss)
      if (look.improved) best = { step, loss: heldOutLoss, deltas: Float32Array.from(deltas) }
      isStopped = look.stop
    }
    const point: LossPoint = { step, loss: loss / tokens, heldOutLoss, rate }
    curve.push(point)
    const etaMs = ((hooks.now() - began) / (step - firstStep)) * (settings.steps - step)
    hooks.onStep?.({ point, steps: settings.steps, etaMs })
    await hooks.keep?.(state)
  }
  const float32Array = best?.deltas ?? deltas
  const finalLoss = (await meanLoss(lookedAt, float32Array)) as number
  return {
    deltas: float32Array,
    outcome: {
      initialLoss,
      finalLoss,
      initialHeldOutLoss,
      heldOutLoss: best?.loss ?? null,
      steps: step,
      bestStep: best?.step ?? step,
      ended: isStopped && step < settings.steps ? 'no-more-progress' : 'all-steps',
      wallMs: wallMs(),
      curve,
    },
  }
}

/** The first rows (as deltas), and the root mean square of their embeddings. */
function startRows(source: GradientSource, samples: readonly TrainingSample[], seed: number) {
  const random = createRng(`soft-prompt/${seed}`)
  const ids = Array.from({ length: source.size / source.width }, () =>
    random.pick(random.pick(samples).tokens),
  )
  const rows = source.embeddings(ids)
  const scale = Math.sqrt(rows.reduce((sum, value) => sum + value * value, 0) / rows.length)
  const base = source.base
  return { deltas: rows.map((value, index) => value - (base[index] as number)), scale: scale > 0 ? scale : 1 }
}

/**
 * The samples of each step of one epoch. Samples of a group are learned together, about `batch` in a step; those without one are taken as they
 * come. Every epoch has its own order, and as many steps as any other.
 */
function stepsOf(samples: readonly TrainingSample[], { batch, seed }: TrainingSettings, epoch: number) {
  const random = createRng(`epoch/${seed}/${epoch}`)
  const groups = new Map<string | undefined, TrainingSample[]>()
  for (const sample of samples) {
    const of = groups.get(sample.group)
    if (of) of.push(sample)
    else groups.set(sample.group, [sample])
  }
  const steps = [...groups.values()].flatMap((group) => {
    const drawnSamples = random.sample(group, group.length)
    const parts = Math.max(1, Math.round(group.length / batch))
    const size = Math.ceil(group.length / parts)
    return Array.from({ length: Math.ceil(drawnSamples.length / size) }, (_, i) =>
      drawnSamples.slice(i * size, (i + 1) * size),
    )
  })
  return random.sample(steps, steps.length)
}

/** The samples of every step, from the one after `from` steps on; without end. */
export function* batchesOf(
  samples: readonly TrainingSample[],
  settings: TrainingSettings,
  from = 0,
): Generator<readonly TrainingSample[], never> {
  const { length } = stepsOf(samples, settings, 0)
  for (let epoch = Math.floor(from / length), at = from % length; ; epoch++, at = 0)
    for (const step of stepsOf(samples, settings, epoch).slice(at)) yield step
}

const targetsOf = (samples: readonly TrainingSample[]): number =>
  samples.reduce((sum, { targets }) => sum + targets.length, 0)

/** When the learning rate is how high. */
interface LearningRateSchedule {
  /** Highest rate, reached after warming up. */
  readonly peak: number
  /** Steps from 0 to the peak. */
  readonly warmUpSteps: number
  /** All steps; from the peak the rate falls along a half cosine to `floor * peak`. */
  readonly totalSteps: number
  /** Share of the peak that is left at the end, in [0, 1]. */
  readonly floor: number
}

/** The rate of step `step` (from 0). Past the end it stays at the floor. */
export function learningRate(step: number, schedule: LearningRateSchedule): number {
  const { peak, warmUpSteps, totalSteps, floor } = schedule
  if (step < warmUpSteps) return (peak * (step + 1)) / warmUpSteps
  const span = Math.max(1, totalSteps - 1 - warmUpSteps)
  const doneCount = Math.min(1, (step - warmUpSteps) / span)
  return peak * (floor + (1 - floor) * 0.5 * (1 + Math.cos(Math.PI * doneCount)))
}

/** Watches the loss on the held-out part and says when going on no longer helps. */
export class EarlyStop {
  readonly #patience: number
  readonly #least: number
  #best: number
  #worse: number

  /** Stops after `patience` looks in a row without a fall of at least `least` (relative, default 0.001). */
  constructor(patience: number, least = 0.001, state: { best: number; worse: number } | null = null) {
    this.#patience = patience
    this.#least = least
    this.#best = state?.best ?? Number.POSITIVE_INFINITY
    this.#worse = state?.worse ?? 0
  }

  /** Takes one look. `improved`: this is the best so far. `stop`: patience has run out. */
  look(loss: number): { readonly improved: boolean; readonly stop: boolean } {
    const improved = loss < this.#best
    const enough = loss < this.#best * (1 - this.#least)
    if (improved) this.#best = loss
    this.#worse = enough ? 0 : this.#worse + 1
    return { improved, stop: this.#worse >= this.#patience }
  }

  get state(): { best: number; worse: number } {
    return { best: this.#best, worse: this.#worse }
  }
}
