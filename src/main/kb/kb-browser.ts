import { canonicalJson } from '../../core/ground/canonical-json'
import { chainOf, isShown, shownEntries } from '../../core/memory/experiences/browse'
import { daysLeft, isBeyondTrash, type ExperienceEntry } from '../../core/memory/experiences/fold'
import { shorten } from '../../core/memory/experiences/import/log'
import { unknownExperience } from '../../core/memory/experiences/new-events'
import { UTILITY_WEIGHT } from '../../core/memory/experiences/retrieve'
import { matchingTerms } from '../../core/memory/experiences/why'
import type { CaseBank, Clock, ExperienceHit } from '../../core/ground/ports'
import type { StoredExperience } from '../../shared/domain/experience'
import type {
  AttemptExperience,
  ExperienceDetail,
  ExperienceEdit,
  ExperienceListQuery,
  ExperienceMatch,
  ExperiencePage,
  ExperienceRow,
} from '../../shared/domain/experience-view'
import { LoamError } from '../../shared/errors'
import type { SpaceFiles } from '../spaces/space-files'
import { sha256 } from '../spaces/import-bundle'

/** Looking through the experiences of a space, and changing them by hand. Every change can be undone. */
export interface KbBrowser {
  page(query: ExperienceListQuery, signal?: AbortSignal): Promise<ExperiencePage>
  /** @throws LoamError `NOT_FOUND`, as do all below */
  open(spaceId: string, experienceId: string): Promise<ExperienceDetail>
  /** The experience made from an attempt; null when none was. */
  ofAttempt(spaceId: string, trajectoryId: string): Promise<AttemptExperience | null>
  /** Puts an experience into the trash. */
  remove(spaceId: string, experienceId: string): Promise<ExperienceRow>
  /** Makes a superseded, evicted or deleted experience live again, up to 30 days after it went to the trash. */
  restore(spaceId: string, experienceId: string): Promise<StoredExperience>
  /** Adds a new version, which supersedes the old one. @throws LoamError `CONFLICT` when the old one is not live or nothing changed */
  edit(spaceId: string, experienceId: string, edit: ExperienceEdit): Promise<ExperienceDetail>
}

type Entry = Omit<ExperienceEntry<unknown>, 'at' | 'part'>

const QUESTION_SHOWN = 300

/** Creates the browser. */
export function createKbBrowser({
  spaces,
  clock,
}: {
  readonly spaces: Pick<SpaceFiles, 'open'>
  readonly clock: Clock
}): KbBrowser {
  const rowOf = ({ experience, standing }: StoredExperience, match: ExperienceMatch | null = null) => ({
    id: experience.id,
    question: shorten(experience.question, QUESTION_SHOWN),
    framework: experience.meta.framework,
    domain: experience.meta.domain,
    origin: experience.origin,
    outcome: experience.meta.outcome,
    createdAt: experience.createdAt,
    standing,
    daysLeft: daysLeft(standing, clock.now()),
    match,
  })

  const stored = async (bank: CaseBank, id: string): Promise<StoredExperience> => {
    const found = await bank.experiences.get(id)
    if (found) return found
    throw unknownExperience(id)
  }

  const rows = (bank: CaseBank, ids: readonly string[]): Promise<ExperienceRow[]> =>
    Promise.all(ids.map(async (id) => rowOf(await stored(bank, id))))

  const detail = async (bank: CaseBank, id: string): Promise<ExperienceDetail> => {
    const found = await stored(bank, id)
    const chain = await rows(bank, await knownOf(bank, chainOf(bank.experiences.entries(), id)))
    return { ...found, daysLeft: rowOf(found).daysLeft, chain }
  }

  return {
    async page(query, signal) {
      const { spaceId, text, mode, alpha, k, domains, tools, show, offset, limit } = query
      const bank = await spaces.open(spaceId)
      const begun = performance.now()
      const done = (found: Omit<ExperiencePage, 'ms'>): ExperiencePage => ({
        ...found,
        ms: performance.now() - begun,
      })
      const now = clock.now()
      if (text.trim() === '') {
        const entries = shownEntries(bank.experiences.entries(), query, now)
        const ids = entries.slice(offset, offset + limit).map(({ id }) => id)
        return done({ rows: await rows(bank, ids), total: entries.length })
      }
      // Only live ones are in the index.
      if (show !== 'live') return done({ rows: [], total: 0 })
      const except = new Set<string>()
      for (const entry of bank.experiences.entries())
        if (entry.gone === null && !isShown(entry, query, now)) except.add(entry.id)
      const options = { signal }
      const hits = await bank.experiences.search(
        { text, mode, alpha, k, domains, tools, except, muted: true },
        options,
      )
      return done({
        rows: hits.slice(offset, offset + limit).map((hit) => rowOf(hit, matchOf(text, hit))),
        total: hits.length,
      })
    },
    open: async (spaceId, id) => detail(await spaces.open(spaceId), id),
    async ofAttempt(spaceId, trajectoryId) {
      const bank = await spaces.open(spaceId)
      const entries = [...bank.experiences.entries()]
      const made = entries.find((entry) => entry.trajectoryId === trajectoryId)
      if (!made) return null
      const ranking =
        entries.map(({ gone }) => gone?.ranking).find((each) => each?.candidateId === made.id) ?? null
      return { row: rowOf(await stored(bank, made.id)), ranking }
    },
    async remove(spaceId, experienceId) {
      const bank = await spaces.open(spaceId)
      await bank.commit([{ kind: 'experience-deleted', experienceId, at: clock.now().toISOString() }])
      return rowOf(await stored(bank, experienceId))
    },
    async restore(spaceId, experienceId) {
      const bank = await spaces.open(spaceId)
      const entry = entryOf(bank, experienceId)
      if (isBeyondTrash(entry, clock.now())) throw unknownExperience(experienceId)
      await bank.commit([{ kind: 'experience-restored', experienceId, at: clock.now().toISOString() }])
      return stored(bank, experienceId)
    },
    async edit(spaceId, experienceId, { domain, ...parts }) {
      const bank = await spaces.open(spaceId)
      const { experience, standing } = await stored(bank, experienceId)
      const next = { ...experience, ...parts, meta: { ...experience.meta, domain } }
      if (standing.state !== 'live')
        throw cannotEdit('It is not live, so another one counts in its place.', 'Restore it first.')
      if (canonicalJson(next) === canonicalJson(experience))
        throw cannotEdit('Nothing was changed.', 'Change something, or leave it as it is.')
      const at = clock.now().toISOString()
      const contentHash = sha256(canonicalJson({ of: experienceId, at, parts, domain }))
      const id = `edit-${contentHash.slice(0, 24)}`
      await bank.commit([
        {
          kind: 'experience-added',
          experience: { ...next, id, createdAt: at, meta: { ...next.meta, contentHash } },
        },
        { kind: 'experience-superseded', experienceId, by: id, why: 'edit', at },
      ])
      return detail(bank, id)
    },
  }
}

function entryOf(bank: CaseBank, id: string): Entry {
  for (const entry of bank.experiences.entries()) if (entry.id === id) return entry
  throw unknownExperience(id)
}

/** Without ids that only an imported experience speaks of. */
async function knownOf(bank: CaseBank, ids: readonly string[]): Promise<string[]> {
  const found = await Promise.all(ids.map((id) => bank.experiences.get(id)))
  return ids.filter((_, i) => found[i] !== null)
}

const matchOf = (text: string, hit: ExperienceHit): ExperienceMatch => ({
  score: hit.score,
  textScore: hit.textScore,
  semanticScore: hit.semanticScore,
  bm25: hit.bm25,
  cosine: hit.cosine,
  utilityPart: UTILITY_WEIGHT * (hit.standing.utility - 0.5),
  terms: matchingTerms(text, hit.experience.question),
})

const cannotEdit = (cause: string, suggestion: string): LoamError =>
  new LoamError('CONFLICT', cause, { suggestion })
