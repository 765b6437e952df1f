import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import type { ConceptTree, GuideInfo } from '../../shared/domain/guide'
import type { BuildInfo, GuidesView } from '../../shared/domain/guide-build'
import type { SearchSettings } from '../../shared/domain/guide-search'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { refusalOf } from './error-shape'
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

export interface GuidesData extends Reading {
  readonly memoryId: string | null
  readonly documents: readonly GuideInfo[]
  readonly builds: readonly BuildInfo[]
  readonly place: GuidePlace | null
  /** Trees of the open build; null until they are here. */
  readonly trees: readonly ConceptTree[] | null
  readonly form: BuildForm
}

const EMPTY = { documents: [], builds: [], problem: null, place: null, trees: null } as const

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
      /** Follows the memory, with the trees of the build that is open. */
      function follow() {
        stop()
        const { memoryId, place } = get()
        if (memoryId === null) return
        const buildId = place?.kind === 'build' ? place.buildId : null
        set({ status: get().status === 'ready' ? 'ready' : 'loading' })
        stop = followFeed<GuidesView>({
          open: (since, signal) => client.guides.watch({ memoryId, buildId, since }, { signal }),
          onState: (view) => set({ ...view, status: 'ready', problem: null }),
          onProblem: (problem) =>
            set(
              problem === null
                ? { problem }
                : { problem, status: get().status === 'ready' ? 'ready' : 'failed' },
            ),
        })
      }

      /** Asks for something about the open memory. Resolves to why it was refused, or to null. */
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
        change,
        search: (part: Partial<SearchSettings>) => change({ settings: { ...get().form.settings, ...part } }),
        act,
        start: (stream: string, model: string) =>
          act(async (memoryId) => {
            const { seed, review, settings } = get().form
            const { buildId } = await client.guides.start({ memoryId, stream, model, seed, review, settings })
            show({ kind: 'build', buildId })
          }),
        decide: (conceptId: string, versionId: string, accepted: boolean) =>
          act((memoryId) => client.guides.decide({ memoryId, conceptId, versionId, accepted })),
      }
    }),
  )
}
