import { z } from 'zod'
import { GUIDE_SECTIONS, guideVersionSchema, type GuideVersion } from '../../../shared/domain/guide'
import { itemMarkSchema } from '../../../shared/domain/item'
import { canonicalJson } from '../../ground/canonical-json'
import { quarantineOf } from '../items/curated'
import { featuresOf } from '../items/features'
import { text, textOf } from '../items/field'
import type { ItemHead, MemoryKindModule, MemorySource } from '../items/kind'
import { guideText } from './guide'
import { currentVersion, DOCUMENT_KIND } from './fold'
import { acceptedByHand, versionByHand } from './new-version'

const KIND = DOCUMENT_KIND

const lineSchema = z.object({
  kind: z.literal(KIND),
  document: guideVersionSchema,
  /** The document as agents read it; not read back. */
  markdown: z.string().optional(),
  /** Versions that agents read before it, oldest first; absent without any. */
  earlier: z.array(guideVersionSchema).optional(),
  mark: itemMarkSchema.optional(),
})

/** The version a person sees: the one that is read, else the last one that was. */
function shownVersion({ state: { concepts } }: MemorySource, conceptId: string): GuideVersion | null {
  const current = currentVersion(concepts, conceptId)
  if (current) return current
  const rejected = [...(concepts.standings.get(conceptId)?.rejected ?? [])]
  return concepts.versions.get(rejected.at(-1) ?? '') ?? null
}

function headOf(source: MemorySource, conceptId: string): ItemHead | null {
  const version = shownVersion(source, conceptId)
  if (!version) return null
  const curated = source.state.curated.get(KIND)?.get(conceptId)
  const deletedAt = curated?.deletedAt ?? null
  const isRead = currentVersion(source.state.concepts, conceptId) !== undefined
  return {
    id: conceptId,
    environment: version.environment,
    createdAt: version.createdAt,
    reward: null,
    mark: curated?.mark ?? null,
    gone:
      deletedAt === null && isRead
        ? quarantineOf(curated)
        : { why: 'deleted', at: deletedAt ?? version.createdAt, by: null },
    editedAt: version.buildId === null && version.parent !== null ? version.createdAt : null,
  }
}

/** BREW's concept documents. The item is the concept; an edit is a version of it. */
export const documents: MemoryKindModule = {
  info: {
    id: KIND,
    title: 'Guide',
    titleMany: 'Guides',
    help: 'What is known about one subject, in the sections an agent reads.',
    fields: [
      text('context', 'Context', { optional: true }),
      text('howToUse', 'How to use'),
      text('whenToUse', 'When to use', { optional: true }),
      text('bestPractices', 'Best practices', { optional: true }),
    ],
  },
  recallIds: ({ state }, conceptId) =>
    [...state.concepts.versions.values()].flatMap((version) =>
      version.conceptId === conceptId ? [version.id] : [],
    ),
  heads: (source) =>
    Promise.resolve(
      [...source.state.concepts.standings.keys()].flatMap((conceptId) => headOf(source, conceptId) ?? []),
    ),
  head: (source, conceptId) => Promise.resolve(headOf(source, conceptId)),
  read(source, conceptId) {
    const version = shownVersion(source, conceptId)
    if (!version) return Promise.resolve(null)
    return Promise.resolve({
      title: version.concept,
      text: guideText(version.concept, version.text),
      values: { ...version.text },
      trajectoryIds: [...new Set(version.sentences.flatMap(({ trajectories }) => trajectories))],
      facts: [{ label: 'Written by', value: version.buildId === null ? 'a person' : 'a search' }],
    })
  },
  history({ state: { concepts } }, conceptId) {
    const { accepted, rejected } = concepts.standings.get(conceptId) ?? { accepted: [], rejected: new Set() }
    const current = currentVersion(concepts, conceptId)?.id
    const versions = [...rejected, ...accepted].flatMap((id) => concepts.versions.get(id) ?? [])
    return Promise.resolve(
      versions
        .sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : 0))
        .map((version) => ({
          ref: { kind: KIND, id: conceptId },
          at: version.createdAt,
          title: version.concept,
          values: { ...version.text },
          current: version.id === current,
          note: version.buildId === null ? 'Written by a person' : 'Written by a search',
          ranking: null,
        })),
    )
  },
  shownAs: 'document',
  place: () => 'document',
  features: (source, id) =>
    featuresOf(documents, source, id, {
      key: ({ text: whole }) => whole,
      origin: () => {
        const version = shownVersion(source, id)
        if (version?.buildId === null) return { from: 'person', by: null }
        const isBuilt = source.state.concepts.builds.has(version?.buildId ?? '')
        return { from: isBuilt ? 'attempt' : 'elsewhere', by: null }
      },
    }),
  mark: (source, itemId, mark, { at }) =>
    source.commit([{ kind: 'item-marked', of: KIND, itemId, mark, at }]),
  async edit(source, conceptId, values, { at, newId }) {
    const before = shownVersion(source, conceptId)
    if (!before) return conceptId
    const output = Object.fromEntries(
      GUIDE_SECTIONS.map((section) => [section, textOf(values, section, before.text[section])]),
    ) as GuideVersion['text']
    const version = versionByHand(`hand-${newId}`, before, before, output, at)
    await source.commit([{ kind: 'document-written', version }, acceptedByHand(conceptId, version.id, at)])
    return conceptId
  },
  remove: (source, itemId, { at }) => source.commit([{ kind: 'item-deleted', of: KIND, itemId, at }]),
  async restore(source, conceptId, { at }) {
    const version = shownVersion(source, conceptId)
    const isRead = currentVersion(source.state.concepts, conceptId) !== undefined
    await source.commit([
      { kind: 'item-restored', of: KIND, itemId: conceptId, at },
      ...(version && !isRead ? [acceptedByHand(conceptId, version.id, at)] : []),
    ])
  },
  toLine(source, conceptId) {
    const document = shownVersion(source, conceptId)
    const { standings, versions } = source.state.concepts
    const earlier = (standings.get(conceptId)?.accepted ?? []).flatMap((id) =>
      id === document?.id ? [] : (versions.get(id) ?? []),
    )
    const mark = source.state.curated.get(KIND)?.get(conceptId)?.mark
    return Promise.resolve(
      document && {
        kind: KIND,
        document,
        markdown: guideText(document.concept, document.text),
        ...(earlier.length > 0 && { earlier }),
        ...(mark && { mark }),
      },
    )
  },
  async fromLine(source, value, { at }) {
    const { document, earlier = [], mark } = lineSchema.parse(value)
    const { conceptId } = document
    const holding = source.state.concepts.versions.get(document.id)
    const isRead = currentVersion(source.state.concepts, conceptId)?.id === document.id
    if (holding && isRead && canonicalJson(holding) === canonicalJson(document)) return false
    await source.commit([
      ...[...earlier, document].flatMap((version) => [
        { kind: 'document-written', version } as const,
        acceptedByHand(conceptId, version.id, at),
      ]),
      ...(mark ? [{ kind: 'item-marked', of: KIND, itemId: conceptId, mark, at } as const] : []),
    ])
    return true
  },
}
