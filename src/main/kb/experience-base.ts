import { experienceOfLog } from '../../core/memory/experiences/import/log'
import { unknownExperience } from '../../core/memory/experiences/new-events'
import { fromTemplate, type TemplateEntry } from '../../core/memory/experiences/template'
import { EXPERIENCE_KIND } from '../../core/memory/experiences/fold'
import { programNotes } from '../../core/memory/items/trust'
import { calibrated } from '../../core/retrieval/calibration'
import type { ExperienceHit, ExperienceQuery, PromptTemplates } from '../../core/ground/ports'
import type { StoredExperience } from '../../shared/domain/experience'
import type { AbstractReport } from '../../shared/domain/experience-view'
import { defaultsOf } from '../../core/ground/settings'
import { evictedByDefault } from '../../core/methods/agent-kb/admit'
import { SETTINGS as AGENT_KB } from '../../core/methods/agent-kb/settings'
import type { Host } from '../host/host'
import type { Memories } from '../memories/memories'
import { abstractLogs, type AbstractOptions } from './abstract-logs'
import { sha256 } from '../memories/intake-rows'

/** What can be done with the experiences of a memory, named by id or folder. */
export interface ExperienceBase {
  /** Loads the model first. */
  abstract(
    memoryId: string,
    options: Pick<AbstractOptions, 'limit' | 'tau' | 'signal' | 'onProgress'> & {
      readonly model: string
      readonly seed: number
    },
  ): Promise<AbstractReport>
  search(
    memoryId: string,
    query: ExperienceQuery,
    signal?: AbortSignal,
  ): Promise<{ readonly hits: readonly ExperienceHit[]; readonly ms: number }>
  /**
   * Takes in an entry that a program hands in under its name; what is over the budget leaves. It is compared with the one most similar to it by the
   * ranker once a model is at hand: when a run recalls it, or by `abstract`. `isNew` is false when the same one is there already.
   */
  submit(
    memoryId: string,
    entry: TemplateEntry,
    about: { readonly client: string; readonly framework: string; readonly domain: string },
  ): Promise<{ readonly stored: StoredExperience; readonly isNew: boolean }>
  /**
   * A program says how an attempt went that an experience was shown for: u <- u + eta (r - u). Answers where the experience stands;
   * `counted` is false when this use was reported before.
   *
   * @throws LoamError `NOT_FOUND` when there is no such experience
   */
  report(
    memoryId: string,
    use: ReportedUse,
  ): Promise<{ readonly stored: StoredExperience; readonly counted: boolean }>
}

export interface ReportedUse {
  readonly experienceId: string
  /** The attempt or request; counted once per experience. */
  readonly useId: string
  /** The framework that used it. */
  readonly framework: string
  /** r in [0, 1]. */
  readonly reward: number
}

export interface ExperienceBaseDeps extends Pick<Host, 'clock' | 'embedder' | 'loadModel'> {
  readonly memories: Pick<Memories, 'open'>
  readonly prompts: () => Promise<PromptTemplates>
}

/** Creates it. */
export function createExperienceBase({
  memories,
  clock,
  embedder,
  prompts,
  loadModel,
}: ExperienceBaseDeps): ExperienceBase {
  const getRecord = async (memoryId: string, id: string): Promise<StoredExperience> => {
    const match = await (await memories.open(memoryId)).experiences.get(id)
    if (match) return match
    throw unknownExperience(id)
  }

  return {
    async abstract(memoryId, { model, seed, ...options }) {
      const bank = await memories.open(memoryId)
      const context = {
        bank,
        embedder: await calibrated(await embedder(), bank, options.signal),
        model: await loadModel(model, { signal: options.signal }),
        prompts: await prompts(),
        seed,
      }
      return abstractLogs(context, { ...options, now: () => clock.now() })
    },
    async search(memoryId, query, signal) {
      const bank = await memories.open(memoryId)
      const startTime = performance.now()
      const hits = await bank.experiences.search(query, { signal })
      return { hits, ms: performance.now() - startTime }
    },
    async submit(memoryId, entry, { client, framework, domain }) {
      const bank = await memories.open(memoryId)
      const parts = fromTemplate(entry)
      const { experience } = experienceOfLog(
        {
          question: parts.question,
          framework,
          domain,
          outcome: parts.outcome,
          createdAt: parts.createdAt,
          extra: parts.extra,
          steps: [],
          plan: parts.agentPlan,
          experience: parts.agentExperience,
          searchPlan: parts.searchAgentPlan,
          searchExperience: parts.searchAgentExperience,
          origin: 'submitted',
        },
        { file: null, client, now: clock.now() },
        sha256,
      )
      const isNew = (await bank.experiences.get(experience.id)) === null
      if (isNew) {
        const evicted = evictedByDefault(bank, clock.now(), 1)
        const notes = programNotes(
          [{ kind: EXPERIENCE_KIND, id: experience.id }],
          client,
          parts.outcome === 'success',
          clock.now().toISOString(),
        )
        await bank.commit([{ kind: 'experience-added', experience }, ...notes, ...evicted])
      }
      return { stored: await getRecord(memoryId, experience.id), isNew }
    },
    async report(memoryId, use) {
      const bank = await memories.open(memoryId)
      const { standing } = await getRecord(memoryId, use.experienceId)
      const { eta } = defaultsOf(AGENT_KB)
      await bank.commit([{ kind: 'experience-used', ...use, eta, at: clock.now().toISOString() }])
      const after = await getRecord(memoryId, use.experienceId)
      return { stored: after, counted: after.standing.uses > standing.uses }
    },
  }
}
