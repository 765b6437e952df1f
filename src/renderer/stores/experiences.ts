import { createStore, type StoreApi } from 'zustand/vanilla'
import type {
  ExperienceDetail,
  ExperienceEdit,
  ExperienceListQuery,
  ExperienceMatch,
  ExperienceRow,
  KbStats,
} from '../../shared/domain/experience-view'
import type { Trajectory } from '../../shared/domain/trajectory'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { errorShape } from './error-shape'
import { createSpaceList, type SpaceList } from './space-list'

export type ExperienceFilters = Omit<ExperienceListQuery, 'spaceId' | 'offset' | 'limit'>

export interface ExperiencesState extends SpaceList<ExperienceRow, ExperienceFilters, ExperienceDetail> {
  readonly stats: KbStats | null
  /** Why the open one was found; null when it was not searched for. */
  readonly openMatch: ExperienceMatch | null
  readonly source: Trajectory | null
  readonly sourceProblem: LoamErrorShape | null

  show(experienceId: string | null): Promise<void>
  loadSource(): Promise<void>
  /** Each resolves to the problem, or null. */
  remove(experienceId: string): Promise<LoamErrorShape | null>
  restore(experienceId: string): Promise<LoamErrorShape | null>
  /** Opens the new version. */
  edit(experienceId: string, edit: ExperienceEdit): Promise<LoamErrorShape | null>
}

export type ExperiencesStore = StoreApi<ExperiencesState>

export const NO_FILTERS: ExperienceFilters = {
  text: '',
  mode: 'hybrid',
  alpha: 0.5,
  k: 20,
  show: 'live',
  framework: null,
  domain: null,
  outcome: null,
}

const NOTHING_ABOUT = { openMatch: null, source: null, sourceProblem: null } as const

/** The experiences of one space as a list of any length, read where it is looked at, with one of them open. */
export function createExperiencesStore(client: LoamClient): ExperiencesStore {
  return createStore<ExperiencesState>()((set, get) => {
    async function readStats() {
      const { spaceId } = get()
      if (!spaceId) return
      try {
        const stats = await client.experiences.stats({ spaceId })
        if (get().spaceId === spaceId) set({ stats })
      } catch {
        // The list meets the same problem and says so.
      }
    }

    const { list, change, about } = createSpaceList<ExperiencesState>(set, get, {
      idOf: ({ experience }) => experience.id,
      read: (spaceId, filters, offset, limit) =>
        client.experiences.list({ spaceId, ...filters, offset, limit }),
      filters: NO_FILTERS,
      filtersElsewhere: { framework: null, domain: null },
      empty: { ...NOTHING_ABOUT, stats: null },
      beside: readStats,
    })

    /** Makes a change, and shows the open one as it is then. */
    const changeOne = (kind: 'delete' | 'restore') => (experienceId: string) =>
      change(async (spaceId) => {
        await client.experiences[kind]({ spaceId, experienceId })
        if (get().open?.experience.id !== experienceId) return
        set({ open: await client.experiences.get({ spaceId, experienceId }) })
      })

    return {
      ...list,
      ...NOTHING_ABOUT,
      stats: null,
      async show(experienceId) {
        const { spaceId, rows } = get()
        if (!experienceId || !spaceId) {
          set({ open: null, openMatch: null, openProblem: null })
          return
        }
        const openMatch = [...rows.values()].find(({ id }) => id === experienceId)?.match ?? null
        set({ ...NOTHING_ABOUT, openProblem: null })
        try {
          set({ open: await client.experiences.get({ spaceId, experienceId }), openMatch })
        } catch (error) {
          set({ open: null, openProblem: errorShape(error) })
        }
      },
      loadSource: () =>
        about(
          (spaceId, { experience }) => client.experiences.source({ spaceId, experienceId: experience.id }),
          (source, sourceProblem) => ({ source, sourceProblem }),
        ),
      remove: changeOne('delete'),
      restore: changeOne('restore'),
      edit: (experienceId, edit) =>
        change(async (spaceId) => {
          set({ open: await client.experiences.edit({ spaceId, experienceId, edit }), ...NOTHING_ABOUT })
        }),
    }
  })
}
