import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { askedOf, formFrom, noTallies, probeFacts, PROBE_QUESTIONS } from '../../core/agent/fact-probe'
import { abortError } from '../../core/ground/abort'
import {
  FACT_FORMS,
  modelProfileSchema,
  USUAL_FACT_FORM,
  type FactForm,
  type ModelProfile,
} from '../../shared/domain/model-profile'
import { LoamError } from '../../shared/errors'
import { createSerial } from '../../shared/serial'
import { replaceJson } from '../ground/atomic-file'
import type { JobContext, StartedJob } from '../ground/jobs'
import { nameOfModel } from '../ground/model-file'
import { readReference } from '../ground/model-reference'
import type { Host } from '../host/host'

/** How long a model is measured at a time while nobody asked for it, in ms; on after the next ask. */
const SLICE_MS = 10_000
/** How often is looked whether somebody waits for the model, in ms. */
const LOOK_MS = 100

const fileSchema = z.object({ format: z.literal(1), profiles: z.array(modelProfileSchema) })

export interface ModelProfilesNeeds {
  /** The system prompt of everyday asks. */
  readonly systemPrompt: () => Promise<string>
  readonly waitForModel: (title: string, signal: AbortSignal) => Promise<() => void>
  /** Whether other work waits for the model. */
  readonly isAwaited: () => boolean
}

/** What is known of how models read memory, by the hash of their files, and finding it out. */
export type ModelProfiles = ReturnType<typeof openModelProfiles>

/** Opens it. A file that cannot be read is begun anew: all but a person's choice can be measured again. */
export function openModelProfiles(
  { data, hasher, jobs, loadModel, clock, logger, demoModel, options }: Host,
  { systemPrompt, waitForModel, isAwaited }: ModelProfilesNeeds,
) {
  const file = join(data.path, 'model-profiles.json')
  const serial = createSerial()
  const measuring = new Set<string>()

  const load = async (): Promise<ModelProfile[]> => {
    try {
      return fileSchema.parse(JSON.parse(await readFile(file, 'utf8'))).profiles
    } catch {
      return []
    }
  }
  /** What is known of a model; a measurement of forms that are no longer asked for counts no more, the person's choice does. */
  const find = async (sha256: string): Promise<ModelProfile | null> => {
    const profile = (await load()).find((one) => one.sha256 === sha256)
    if (profile === undefined) return null
    const isCurrent =
      profile.questions === PROBE_QUESTIONS &&
      JSON.stringify(profile.tallies.map(({ form }) => form)) === JSON.stringify(FACT_FORMS)
    return isCurrent ? profile : { ...newProfile(sha256), choice: profile.choice }
  }
  const newProfile = (sha256: string): ModelProfile => ({
    ...{ sha256, form: USUAL_FACT_FORM, choice: null, tallies: noTallies() },
    ...{ questions: PROBE_QUESTIONS, ms: 0, measuredAt: clock.now().toISOString() },
  })
  /** Changes what is known, on top of what stands there by then. */
  const change = (sha256: string, changes: (now: ModelProfile) => Partial<ModelProfile>) =>
    serial(async (): Promise<ModelProfile> => {
      const now = (await find(sha256)) ?? newProfile(sha256)
      const profile = { ...now, ...changes(now) }
      const others = (await load()).filter((one) => one.sha256 !== sha256)
      await replaceJson(file, { format: 1, profiles: [...others, profile] })
      return profile
    })

  const requireFile = (path: string): void => {
    if (readReference(path) !== null)
      throw new LoamError('BAD_INPUT', 'Only models in files are measured; this one is on a server.', {
        suggestion: 'Choose a GGUF file.',
      })
  }

  /** Measures until all is asked, `mostMs` are over, or somebody else needs the model. */
  const work = async (path: string, mostMs: number, { signal, progress }: JobContext): Promise<void> => {
    const { sha256 } = await hasher.hash(path, signal)
    const before = (await find(sha256)) ?? newProfile(sha256)
    if (askedOf(before.tallies) === PROBE_QUESTIONS) return
    const giveBack = await waitForModel(`measuring how ${nameOfModel(path)} reads memory`, signal)
    const yielding = new AbortController()
    const looking = setInterval(() => isAwaited() && yielding.abort(abortError()), LOOK_MS)
    const began = performance.now()
    const spentMs = (): number => performance.now() - began
    let { tallies } = before
    try {
      const own = AbortSignal.any([signal, yielding.signal])
      const model = await loadModel(path, { signal: own })
      const prompt = await systemPrompt()
      while (askedOf(tallies) < PROBE_QUESTIONS && spentMs() < mostMs) {
        const from = askedOf(tallies)
        progress({ done: from, activity: 'Asking about made-up facts' })
        tallies = await probeFacts(model, prompt, tallies, { signal: own, mayGoOn: (at) => at === from })
      }
    } catch (error) {
      // Who needs the model goes first; the rest is asked another time.
      if (!yielding.signal.aborted || signal.aborted) throw error
    } finally {
      clearInterval(looking)
      giveBack()
      const [ms, measuredAt] = [spentMs(), clock.now().toISOString()]
      await change(sha256, (now) => ({ tallies, form: formFrom(tallies), ms: now.ms + ms, measuredAt }))
    }
    const count = askedOf(tallies)
    progress({ done: count, activity: count === PROBE_QUESTIONS ? 'Measured' : 'Goes on another time' })
  }

  const start = (path: string, mostMs: number): StartedJob => {
    measuring.add(path)
    const job = jobs.start(
      'measuring',
      `Measuring how ${nameOfModel(path)} reads memory`,
      (context) => work(path, mostMs, context),
      { unit: 'questions', total: PROBE_QUESTIONS, subject: path },
    )
    void job.finished.then(() => measuring.delete(path))
    return job
  }

  /** What is known of a file whose hash is known; null for others, since hashing gigabytes takes a while. */
  const get = async (path: string): Promise<ModelProfile | null> => {
    const hash = readReference(path) === null ? await hasher.known(path) : null
    return hash === null ? null : find(hash)
  }

  return {
    get,
    /** How facts are shown to a model: as a person chose, else as was measured, else as usual. */
    async formFor(path: string): Promise<FactForm> {
      const profile = await get(path)
      return profile?.choice ?? profile?.form ?? USUAL_FACT_FORM
    },
    /** Measures a model to the end. @throws LoamError `BAD_INPUT` for one on a server, `CONFLICT` while it is measured */
    measure(path: string): StartedJob {
      requireFile(path)
      if (measuring.has(path))
        throw new LoamError('CONFLICT', 'It is being measured already.', { suggestion: 'Wait for that.' })
      return start(path, Infinity)
    },
    /** Measures a model a little where it is not measured to its end yet: called once it is loaded and its work is done. */
    async goOn(path: string): Promise<void> {
      const isOpen = options.host === 'electron' || options.host === 'headless'
      if (!isOpen || path === demoModel || readReference(path) !== null || measuring.has(path)) return
      measuring.add(path)
      const profile = await get(path).catch(() => null)
      measuring.delete(path)
      if (profile !== null && askedOf(profile.tallies) === PROBE_QUESTIONS) return
      try {
        start(path, SLICE_MS)
      } catch (error) {
        logger.info('A model was not measured', { path, error })
      }
    },
    /** Shows facts to a model in a form of the person's choice; null: as was measured. @throws LoamError `BAD_INPUT` for one on a server */
    async choose(path: string, choice: FactForm | null): Promise<ModelProfile> {
      requireFile(path)
      return change((await hasher.hash(path)).sha256, () => ({ choice }))
    },
  }
}
