import type { CallOptions, GenerateResult } from '../../core/ground/ports'
import type { ModelLoadOptions } from '../../shared/domain/model'
import { fastest, isBusy, processorChoices } from '../ground/machine'
import { currentTrail } from '../ground/trail'
import type { EngineLanguageModel } from './engine-language-model'
import type { EngineSupervisor } from './supervisor'

/** ms that trials of processes take together, about. */
const MOST_MS = 1000
/** Rounds that all choices are tried in turn, so that what else the machine does meets them all. */
const ROUNDS = 4
/** What each process writes in a trial, at most. */
const TRIAL_TOKENS = 6
const TRIAL_PROMPT = 'A list of words: one, two, three, four, five, six,'
/** ms without a call after which the further processes end. */
const REST_MS = 60_000
/** Works whose process is remembered. */
const MOST_TRAILS = 256

/**
 * The fewest processes that nothing else beats by more than a tenth, of one, half of `most` and `most`.
 *
 * @param trial has so many processes do the same side by side; answers the ms it took
 * @param now ms of a clock that only goes forward
 */
export async function calibrateProcesses(
  most: number,
  trial: (count: number) => Promise<number>,
  now: () => number = () => performance.now(),
): Promise<number> {
  const end = now() + MOST_MS
  const sums = new Map<number, { ms: number; tries: number }>()
  for (let round = 0; round < ROUNDS; round++)
    for (const count of processorChoices(most)) {
      const sum = sums.get(count) ?? { ms: 0, tries: 0 }
      // Each was tried once at least; after that, what does not fit is left out.
      if (sum.tries > 0 && now() + sum.ms / sum.tries > end) continue
      sums.set(count, { ms: sum.ms + (await trial(count)), tries: sum.tries + 1 })
    }
  return fastest(Array.from(sums, ([count, { ms, tries }]) => [count, ms / tries / count] as const))
}

/** One model in several processes. */
interface Spread {
  /** What it was loaded for. */
  readonly key: string
  /** In the engine that everything else uses too. */
  readonly main: EngineLanguageModel
  readonly model: EngineLanguageModel
  readonly count: number
  /** Whether the machine was busy with other work when that was chosen. */
  readonly wasBusy: boolean
  /** Has all further calls done by the first process: the others end. */
  rest(): void
}

/** Calls of one model, each by the process that has least to do; work goes on where it was, as long as that one is free. */
function sharing(models: readonly EngineLanguageModel[], onChange: (underWay: number) => void) {
  const calls = models.map(() => 0)
  const places = new Map<string, number>()
  let isResting = false
  const choose = (): number => {
    if (isResting) return 0
    const trail = currentTrail()
    const before = trail === undefined ? undefined : places.get(trail)
    if (before !== undefined && calls[before] === 0) return before
    const least = calls.indexOf(Math.min(...calls))
    if (trail === undefined) return least
    if (places.size >= MOST_TRAILS) places.clear()
    places.set(trail, least)
    return least
  }
  const count = (at: number, step: 1 | -1): void => {
    calls[at] = (calls[at] as number) + step
    onChange(calls.reduce((sum, one) => sum + one, 0))
  }
  return {
    async share(work: (model: EngineLanguageModel) => Promise<GenerateResult>): Promise<GenerateResult> {
      const at = choose()
      count(at, 1)
      try {
        return await work(models[at] as EngineLanguageModel)
      } finally {
        count(at, -1)
      }
    },
    rest: () => void (isResting = true),
  }
}

/**
 * Further engine processes beside the one that everything uses, for work in several dialogs on one small model: the weights are mapped once, each
 * process has a context of its own, and what a person waits for goes before all of them. They end when the model goes, and where nothing asked them for
 * a minute.
 *
 * @param another an engine that has not started
 */
export function openEnginePool(main: EngineSupervisor, another: () => EngineSupervisor) {
  let helpers: readonly EngineSupervisor[] = []
  let spread: Spread | null = null
  let underWay = 0
  let timer: NodeJS.Timeout | undefined
  let isClosed = false

  const end = async (): Promise<void> => {
    clearTimeout(timer)
    const all = helpers
    const last = spread
    helpers = []
    spread = null
    last?.rest()
    if (last) main.noteProcesses(last.main, 1)
    await Promise.all(all.map((one) => one.dispose()))
  }
  const isGone = (): boolean => spread !== null && !main.holds(spread.main)
  /** What goes on ends its reply before. */
  const look = (): void => {
    clearTimeout(timer)
    // Whose next call then hears that its model is gone.
    if (isGone()) spread?.rest()
    // While they begin and are tried there is no spread yet.
    if (spread === null || underWay > 0 || helpers.length === 0) return
    if (isGone()) void end()
    else timer = setTimeout(() => void end(), REST_MS).unref()
  }
  main.onState(look)

  /** The same model in up to `count` processes, as far as memory allows. */
  const begin = async (
    model: EngineLanguageModel,
    options: ModelLoadOptions,
    count: number,
    signal: AbortSignal | undefined,
  ): Promise<EngineLanguageModel[]> => {
    const models = [model]
    while (models.length < count && !isClosed) {
      const helper = another()
      helpers = [...helpers, helper]
      const { fits } = await helper.fit(options)
      if (!fits) break
      models.push(await helper.loadModel(options, { ...(signal && { signal }) }))
    }
    return models
  }

  const trialOf = (models: readonly EngineLanguageModel[], signal: AbortSignal | undefined) => {
    const one = (model: EngineLanguageModel) =>
      model.generateRaw(
        TRIAL_PROMPT,
        { maxTokens: TRIAL_TOKENS, temperature: 0 },
        { ...(signal && { signal }) },
      )
    return async (count: number): Promise<number> => {
      const began = performance.now()
      await Promise.all(models.slice(0, count).map(one))
      return performance.now() - began
    }
  }

  return {
    /** In how many processes work of this kind is under way or was lately; null: it has to be chosen. */
    countOf(key: string): number | null {
      if (spread?.key !== key || isGone()) return null
      // What was measured is measured again once the machine got busy or idle, between two works.
      return underWay === 0 && spread.count === 1 && spread.wasBusy !== isBusy() ? null : spread.count
    },
    /**
     * A loaded model that works in several processes.
     *
     * @param key tells works apart
     * @param most processes at most
     * @param isMeasured whether `most` are taken as they are, without trying what pays
     * @returns the model, and in how many processes it works: fewer where more do not pay, or memory is short
     */
    async spread(
      key: string,
      model: EngineLanguageModel,
      options: ModelLoadOptions,
      { most, isMeasured, signal }: { most: number; isMeasured: boolean; signal?: AbortSignal | undefined },
    ): Promise<{ readonly model: EngineLanguageModel; readonly count: number }> {
      if (spread?.key === key && spread.main === model) return spread
      await end()
      try {
        const models = await begin(model, options, most, signal)
        const trial = trialOf(models, signal)
        // Not counted: it brings the weights into memory.
        if (!isMeasured && models.length > 1) await trial(models.length)
        const count = isMeasured ? models.length : await calibrateProcesses(models.length, trial)
        const surplus = helpers.slice(count - 1)
        helpers = helpers.slice(0, count - 1)
        await Promise.all(surplus.map((helper) => helper.dispose()))
        const { share, rest } = sharing(models.slice(0, count), (calls) => {
          underWay = calls
          look()
        })
        const generate = (request: Parameters<EngineLanguageModel['generate']>[0], own?: CallOptions) =>
          share((one) => one.generate(request, own))
        const spreadModel: EngineLanguageModel = {
          ...model,
          generate,
          generateRaw: (prompt, request, own) => share((one) => one.generateRaw(prompt, request, own)),
        }
        spread = {
          key,
          main: model,
          model: count === 1 ? model : spreadModel,
          count,
          wasBusy: isBusy(),
          rest,
        }
        main.noteProcesses(model, count)
        return spread
      } catch (error) {
        await end()
        throw error
      }
    },
    /** Has all further processes hold, or go on, for what a person waits for in the first one. */
    hold(isHeld: boolean): void {
      for (const helper of helpers) helper.hold(isHeld)
    },
    /** Ends all further processes. */
    async dispose(): Promise<void> {
      isClosed = true
      await end()
    },
  }
}

export type EnginePool = ReturnType<typeof openEnginePool>
