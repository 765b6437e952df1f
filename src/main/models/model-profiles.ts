import { join } from 'node:path'
import { probesFor } from '../../core/agent/probe'
import { askNext, isProbed, probeCount, probeSize, type Probe } from '../../core/agent/probe/probe'
import { abortError } from '../../core/ground/abort'
import type { Language } from '../../shared/domain/language'
import {
  isMeasured,
  USUAL_FACT_FORM,
  type AttemptForm,
  type FactForm,
  type ModelProfile,
} from '../../shared/domain/model-profile'
import { LoamError } from '../../shared/errors'
import type { JobContext, StartedJob } from '../ground/jobs'
import { nameOfModel } from '../ground/model-file'
import { readReference } from '../ground/model-reference'
import type { Host } from '../host/host'
import { servedProviders } from '../providers'
import { answersTo, openProfileStore, profileOf, type StoredProfile } from './profile-store'

/** How long a model is measured at a time while nobody asked for it, in ms; on after the next ask. */
const SLICE_MS = 10_000
/** How often is looked whether somebody waits for the model, in ms. */
const LOOK_MS = 100

export interface ModelProfilesNeeds {
  /** The system prompts of everyday asks: plain ones, and those with tools. */
  readonly prompt: (id: 'ask' | 'ask-tools') => Promise<string>
  readonly waitForModel: (title: string, signal: AbortSignal) => Promise<() => void>
  /** Whether other work waits for the model. */
  readonly isAwaited: () => boolean
}

/** What is known of models by being asked, and finding it out. */
export type ModelProfiles = ReturnType<typeof openModelProfiles>

/** Takes turns with other work, and gives way (`signal` fires) once some is waited for; a model on a server needs none. */
export async function takeModel(
  path: string,
  title: string,
  { waitForModel, isAwaited }: Pick<ModelProfilesNeeds, 'waitForModel' | 'isAwaited'>,
  signal: AbortSignal,
) {
  if (readReference(path) !== null) return { signal, isYielding: () => false, giveBack: () => undefined }
  const giveBack = await waitForModel(title, signal)
  const yielding = new AbortController()
  const looking = setInterval(() => isAwaited() && yielding.abort(abortError()), LOOK_MS)
  return {
    signal: AbortSignal.any([signal, yielding.signal]),
    isYielding: () => yielding.signal.aborted && !signal.aborted,
    giveBack: () => {
      clearInterval(looking)
      giveBack()
    },
  }
}

/** Opens it. */
export function openModelProfiles(
  { data, hasher, jobs, loadModel, clock, logger, demoModel, options }: Host,
  needs: ModelProfilesNeeds,
) {
  const { prompt } = needs
  const store = openProfileStore(join(data.path, 'model-profiles.json'), () => clock.now())
  const measuring = new Set<string>()
  const probes = async (): Promise<readonly Probe[]> =>
    probesFor({ ask: await prompt('ask'), tools: await prompt('ask-tools') })

  /** Measures until all is asked, `mostMs` are over, or somebody else needs the model. */
  const work = async (path: string, mostMs: number, { signal, progress }: JobContext): Promise<void> => {
    const { sha256 } = await hasher.hash(path, signal)
    const own = await probes()
    const before = (await store.find(sha256)) ?? store.newProfile(sha256)
    const answers = new Map(own.map((probe) => [probe, answersTo(probe, before)]))
    const next = () => own.find((probe) => !isProbed(probe, answers.get(probe) ?? []))
    const countOf = () => [...answers.values()].reduce((sum, lines) => sum + probeCount(lines), 0)
    if (!next()) return
    const turn = await takeModel(path, `measuring ${nameOfModel(path)}`, needs, signal)
    const began = performance.now()
    try {
      const model = await loadModel(path, { signal: turn.signal })
      for (let probe = next(); probe && performance.now() - began < mostMs; probe = next()) {
        progress({ done: countOf(), activity: probe.activity })
        answers.set(probe, await askNext(model, probe, answers.get(probe) ?? [], turn.signal))
      }
    } catch (error) {
      // Who needs the model goes first; the rest is asked another time.
      if (!turn.isYielding()) throw error
    } finally {
      turn.giveBack()
      const [ms, measuredAt] = [performance.now() - began, clock.now().toISOString()]
      const all = [...answers].map(([{ id, version }, own]) => [
        id,
        { version, byForm: own.map((line) => [...line]) },
      ])
      await store.change(sha256, (now) => ({
        ...{ answers: Object.fromEntries(all) as StoredProfile['answers'], ms: now.ms + ms, measuredAt },
      }))
    }
    progress({ done: countOf(), activity: next() ? 'Goes on another time' : 'Measured' })
  }

  const start = async (path: string, mostMs: number): Promise<StartedJob> => {
    measuring.add(path)
    try {
      const total = (await probes()).reduce((sum, probe) => sum + probeSize(probe), 0)
      const job = jobs.start(
        'measuring',
        `Measuring ${nameOfModel(path)}`,
        (context) => work(path, mostMs, context),
        { unit: 'questions', total, subject: path },
      )
      void job.finished.then(() => measuring.delete(path))
      return job
    } catch (error) {
      measuring.delete(path)
      throw error
    }
  }

  /** What is known of a model on a server, or of a file whose hash is known; null for others, since hashing gigabytes takes a while. */
  const get = async (path: string): Promise<ModelProfile | null> => {
    const sha256 =
      readReference(path) === null
        ? await hasher.known(path)
        : await hasher.hash(path).then(
            (identity) => identity.sha256,
            () => null,
          )
    const entry = sha256 === null ? null : await store.find(sha256)
    return entry && profileOf(entry, await probes())
  }

  return {
    get,
    /** Whether any model that was measured, here or on a server, reads next messages as people do. */
    async hasReader(): Promise<boolean> {
      const own = await probes()
      return (await store.list()).some((entry) => profileOf(entry, own).relations === true)
    },
    /** How facts are shown to a model: as a person chose, else as was measured, else as usual. */
    async formFor(path: string): Promise<FactForm> {
      const facts = (await get(path))?.facts
      return facts?.choice ?? facts?.form ?? USUAL_FACT_FORM
    },
    /** How solved attempts are shown to a model: as a person chose, else as was measured; null where neither is known. */
    async attemptFormFor(path: string): Promise<AttemptForm | null> {
      const attempts = (await get(path))?.attempts
      return attempts?.choice ?? attempts?.form ?? null
    },
    /** Whether a model calls tools as they are meant; null where that is not known. */
    callsTools: async (path: string): Promise<boolean | null> => (await get(path))?.tools ?? null,
    /** Whether a model is known not to answer in a language. */
    async cannotWrite(path: string, language: Language): Promise<boolean> {
      const languages: Partial<{ readonly [code in Language]: boolean | null }> =
        (await get(path))?.languages ?? {}
      return languages[language] === false
    },
    /** Measures a model to the end. @throws LoamError `BAD_INPUT` for recorded replies, `CONFLICT` while it is measured */
    async measure(path: string): Promise<StartedJob> {
      const reference = readReference(path)
      if (reference !== null && !servedProviders().some(({ owns }) => owns(reference)))
        throw new LoamError('BAD_INPUT', 'Recorded replies are always the same.', {
          suggestion: 'Choose a GGUF file or a model on a server.',
        })
      if (measuring.has(path))
        throw new LoamError('CONFLICT', 'It is being measured already.', { suggestion: 'Wait for that.' })
      return start(path, Infinity)
    },
    /** Measures a model in a file a little where it is not measured to its end yet: called once it is loaded and its work is done. */
    async goOn(path: string): Promise<void> {
      const isOpen = options.host === 'electron' || options.host === 'headless'
      if (!isOpen || path === demoModel || readReference(path) !== null || measuring.has(path)) return
      measuring.add(path)
      const profile = await get(path).catch(() => null)
      measuring.delete(path)
      if (profile !== null && isMeasured(profile)) return
      await start(path, SLICE_MS).catch((error: unknown) =>
        logger.info('A model was not measured', { path, error }),
      )
    },
    /** Shows facts or attempts to a model in a form of the person's choice; null: as was measured. */
    async choose(path: string, choice: Partial<StoredProfile['choice']>): Promise<ModelProfile> {
      const { sha256 } = await hasher.hash(path)
      const entry = await store.change(sha256, (now) => ({ choice: { ...now.choice, ...choice } }))
      return profileOf(entry, await probes())
    },
  }
}
