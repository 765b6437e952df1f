import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import type {
  ConceptEdit,
  ConceptTree,
  GuideInfo,
  GuideText,
  Insight,
  VersionView,
} from '../../shared/domain/guide'
import type { BuildEstimate, BuildInfo, GuidesView } from '../../shared/domain/guide-build'
import type { SearchSettings } from '../../shared/domain/guide-search'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { errorShape, refusalOf } from './error-shape'
import { followFeed } from './feed'
import { NOT_READ, type Reading } from './read-into'

/** What the right-hand side shows. */
export type GuidePlace =
  | { readonly kind: 'document'; readonly conceptId: string }
  | { readonly kind: 'build'; readonly buildId: string }
  | { readonly kind: 'new' }

/** What a person has chosen for the next build; null choices fall back to `withDefaults` of the run form. */
export interface BuildForm {
  readonly stream: string | null
  readonly model: string | null
  readonly seed: number
  readonly review: boolean
  /** What is left out is as it is without a word. */
  readonly settings: Partial<SearchSettings>
}

/** An insight and the build whose log holds its rollout. */
export type KnownInsight = Insight & { readonly buildId: string }

export interface GuidesData extends Reading {
  readonly memoryId: string | null
  readonly documents: readonly GuideInfo[]
  readonly builds: readonly BuildInfo[]
  readonly place: GuidePlace | null
  /** Versions by concept, candidates included, newest first; as far as they were asked for. */
  readonly versions: ReadonlyMap<string, readonly VersionView[]>
  readonly versionsProblem: LoamErrorShape | null
  /** Trees of the open build; null until they are here. */
  readonly trees: readonly ConceptTree[] | null
  /** Every insight of the memory's builds, by id; null until asked for. */
  readonly insights: ReadonlyMap<string, KnownInsight> | null
  readonly insightsProblem: LoamErrorShape | null
  readonly form: BuildForm
  /** What the form's build would take; null until it is known. */
  readonly estimate: BuildEstimate | null
}

const EMPTY = {
  documents: [],
  builds: [],
  problem: null,
  place: null,
  versions: new Map(),
  versionsProblem: null,
  trees: null,
  insights: null,
  insightsProblem: null,
  estimate: null,
} as const

/** Concept documents of one memory, the builds they come from, and one of either open. */
export function createGuidesStore(client: LoamClient) {
  let stop: () => void = () => undefined
  const start: GuidesData = {
    memoryId: null,
    ...NOT_READ,
    ...EMPTY,
    form: { stream: null, model: null, seed: 1, review: true, settings: {} },
  }
  return createStore(
    combine(start, (set, get) => {
      /** Reads for the open memory; what comes back for another one is dropped. */
      async function read<T>(ask: (memoryId: string) => Promise<T>, keep: (match: T) => void, fail: string) {
        const { memoryId } = get()
        if (memoryId === null) return
        try {
          const match = await ask(memoryId)
          if (get().memoryId === memoryId) keep(match)
        } catch (error) {
          if (get().memoryId === memoryId) set({ [fail]: errorShape(error) })
        }
      }

      const readVersions = (conceptId: string) =>
        read(
          (memoryId) => client.guides.versions({ memoryId, conceptId, candidates: true }),
          (matches) =>
            set({ versions: new Map(get().versions).set(conceptId, matches), versionsProblem: null }),
          'versionsProblem',
        )

      /** Follows the memory, with the trees of the build that is open. */
      function follow() {
        stop()
        const { memoryId, place } = get()
        if (memoryId === null) return
        const buildId = place?.kind === 'build' ? place.buildId : null
        set({ status: get().status === 'ready' ? 'ready' : 'loading' })
        stop = followFeed<GuidesView>({
          open: (since, signal) => client.guides.watch({ memoryId, buildId, since }, { signal }),
          onState(view, before) {
            set({ ...view, status: 'ready', problem: null, insights: null })
            if (before) for (const conceptId of get().versions.keys()) void readVersions(conceptId)
          },
          onProblem: (problem) =>
            set(
              problem === null
                ? { problem }
                : { problem, status: get().status === 'ready' ? 'ready' : 'failed' },
            ),
        })
      }

      const act = async (doIt: (memoryId: string) => Promise<unknown>): Promise<LoamErrorShape | null> => {
        const { memoryId } = get()
        return memoryId === null ? null : refusalOf(doIt(memoryId))
      }

      const change = (part: Partial<BuildForm>) => set({ form: { ...get().form, ...part } })

      function show(place: GuidePlace | null) {
        const { place: before } = get()
        const buildOf = (at: GuidePlace | null) => (at?.kind === 'build' ? at.buildId : null)
        set({ place })
        if (buildOf(before) !== buildOf(place)) {
          set({ trees: null })
          follow()
        }
        if (place?.kind === 'document') void readVersions(place.conceptId)
      }

      return {
        /** Follows the guides of a memory until another is entered or this is left. */
        enter(memoryId: string) {
          if (get().memoryId === memoryId && get().status === 'ready' && get().problem === null) return
          if (get().memoryId !== memoryId) set({ memoryId, status: 'idle', ...EMPTY })
          follow()
        },
        leave() {
          stop()
          set({ status: 'idle' })
        },
        show,
        loadVersions: readVersions,
        async loadInsights() {
          const { builds, insights } = get()
          if (insights !== null) return
          await read(
            (memoryId) => insightsOf(client, memoryId, builds),
            (foundMap) => set({ insights: foundMap, insightsProblem: null }),
            'insightsProblem',
          )
        },
        change,
        search: (part: Partial<SearchSettings>) => change({ settings: { ...get().form.settings, ...part } }),
        /** Reckons what a build of this stream with the form's settings would take; the last one asked for counts. */
        reckon: reckoning(client, read, get, set),
        // Each resolves to the problem, or null.
        start: (stream: string, model: string) =>
          act(async (memoryId) => {
            const { seed, review, settings } = get().form
            const { buildId } = await client.guides.start({ memoryId, stream, model, seed, review, settings })
            show({ kind: 'build', buildId })
          }),
        resume: (buildId: string) => act((memoryId) => client.guides.resume({ memoryId, buildId })),
        editConcepts: (buildId: string, edit: ConceptEdit) =>
          act((memoryId) => client.guides.editConcepts({ memoryId, buildId, edit })),
        decide: (conceptId: string, versionId: string, accepted: boolean) =>
          act((memoryId) => client.guides.decide({ memoryId, conceptId, versionId, accepted })),
        decideAll: (buildId: string, accepted: boolean) =>
          act((memoryId) => client.guides.decideAll({ memoryId, buildId, accepted })),
        edit: (conceptId: string, text: GuideText) =>
          act((memoryId) => client.guides.edit({ memoryId, conceptId, text })),
      }
    }),
  )
}

type Read = <T>(
  ask: (memoryId: string) => Promise<T>,
  keep: (match: T) => void,
  fail: string,
) => Promise<void>

/** Reckons what the form's build would take; what comes back for an older question is dropped. */
function reckoning(
  client: LoamClient,
  read: Read,
  get: () => GuidesData,
  set: (change: Partial<GuidesData>) => void,
): (stream: string, model: string) => Promise<void> {
  let last = 0
  return (stream, model) => {
    const askedCount = ++last
    const { settings } = get().form
    return read(
      (memoryId) => client.guides.estimate({ memoryId, stream, model, settings }),
      (estimate) => {
        if (askedCount === last) set({ estimate })
      },
      'problem',
    )
  }
}

/** Every insight of some builds, by id. */
async function insightsOf(client: LoamClient, memoryId: string, builds: readonly BuildInfo[]) {
  const groupedMatches = await Promise.all(
    builds.map(async ({ build: { id: buildId } }) =>
      (await client.guides.insights({ memoryId, buildId })).map((one) => ({ ...one, buildId })),
    ),
  )
  return new Map(groupedMatches.flat().map((one) => [one.id, one]))
}
