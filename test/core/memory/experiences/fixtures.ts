import { verbOf } from '../../../../src/core/memory/experiences/actions'
import { standingOf, type ExperienceEntries } from '../../../../src/core/memory/experiences/fold'
import { isCompatible, TOP_K } from '../../../../src/core/memory/experiences/retrieve'
import { ALPHA, fuse, withoutRepeats } from '../../../../src/core/retrieval/fuse'
import { cosine } from '../../../../src/core/retrieval/cosine'
import type { Embedder, ExperienceBase, MemoryEvent } from '../../../../src/core/ground/ports'
import type { Experience, ExperienceMeta, StoredExperience } from '../../../../src/shared/domain/experience'
import { timeOf } from '../../../main/memory-store/fixtures'

type Change = Partial<Omit<Experience, 'meta'>> & { readonly meta?: Partial<ExperienceMeta> }

export function experienceOf(id: string, question: string, change: Change = {}): Experience {
  const { meta, ...more } = change
  return {
    id,
    createdAt: timeOf(0),
    question,
    constraints: [],
    steps: [],
    omittedSteps: 0,
    agentPlan: `1. Plan of ${id}`,
    agentExperience: `Guidance of ${id}`,
    searchAgentPlan: '',
    searchAgentExperience: '',
    repair: null,
    origin: 'log',
    derivedFrom: null,
    trajectoryId: null,
    ...more,
    meta: {
      framework: 'smolagents',
      frameworkVersion: null,
      tools: [],
      domain: 'general',
      model: null,
      outcome: 'success',
      promptTokens: null,
      completionTokens: null,
      sourceId: null,
      sourceFile: null,
      contentHash: `hash-${id}`,
      client: null,
      extra: {},
      ...meta,
    },
  }
}

const words = (text: string): Set<string> => new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])

/** Experiences without a disk: every row is compared, words are counted instead of BM25. */
export function memoryExperiences(
  entries: ExperienceEntries,
  events: readonly MemoryEvent[],
  embedder: Embedder,
): ExperienceBase {
  const stored = (id: string): StoredExperience | null => {
    const entry = entries.get(id)
    const event = entry && events[entry.at]
    return entry && event?.kind === 'experience-added'
      ? { experience: event.experience, standing: standingOf(entry) }
      : null
  }
  const live = (): StoredExperience[] =>
    [...entries.keys()].flatMap((id) => stored(id) ?? []).filter(({ standing }) => standing.state === 'live')
  const vectorOf = async (text: string): Promise<Float32Array> =>
    (await embedder.embed([text]))[0] ?? new Float32Array()
  const nearest = async (vector: Float32Array) => {
    const rows = await Promise.all(
      live().map(async ({ experience: { id, question } }) => {
        const own = await vectorOf(question)
        return { id, vector: own, score: cosine(own, vector) ?? 0 }
      }),
    )
    return rows.sort((a, b) => b.score - a.score)
  }
  return {
    async search({ text, mode, k = TOP_K, alpha = ALPHA, except, ...wanted }) {
      const vector = await vectorOf(text)
      const byMeaning = await nearest(vector)
      const asked = words(text)
      const byWords = byMeaning
        .map((row) => {
          const own = words(stored(row.id)?.experience.question ?? '')
          return { ...row, score: [...asked].filter((word) => own.has(word)).length }
        })
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score)
      const utility = (id: string): number => entries.get(id)?.utility ?? 0
      const all = fuse({ mode, byWords, byMeaning, vector, alpha, utility }).filter(({ id }) => {
        const entry = entries.get(id)
        return entry && except?.has(id) !== true && isCompatible(entry, wanted, verbOf)
      })
      return withoutRepeats(all, k).flatMap(({ vector: _, id, ...scores }) => {
        const found = stored(id)
        return found ? [{ ...found, ...scores }] : []
      })
    },
    nearest: async (vector, k) => (await nearest(vector)).slice(0, k).map(({ id, score }) => ({ id, score })),
    get: (id) => Promise.resolve(stored(id)),
    entries: () => entries.values(),
  }
}
