import { createStore, type StoreApi } from 'zustand/vanilla'
import type {
  CaseCorrection,
  FoundCase,
  CaseMark,
  CaseQuery,
  CaseRecord,
  CaseVersion,
} from '../../shared/domain/case'
import type { Trajectory } from '../../shared/domain/trajectory'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { errorShape } from './error-shape'
import { createSpaceList, type SpaceList } from './space-list'

export type CaseFilters = Pick<CaseQuery, 'text' | 'mode' | 'reward' | 'includeDeleted'>

export interface CasesState extends SpaceList<FoundCase, CaseFilters, CaseRecord> {
  readonly source: Trajectory | null
  readonly sourceProblem: LoamErrorShape | null
  /** How the open case read, oldest first; null until asked for. */
  readonly versions: readonly CaseVersion[] | null

  show(caseId: string | null): Promise<void>
  loadSource(): Promise<void>
  /** Deletes, or brings back. Resolves to the problem, or null. */
  setDeleted(caseId: string, deleted: boolean): Promise<LoamErrorShape | null>
  /** Pins, mutes, or takes that back. */
  mark(caseId: string, mark: CaseMark | null): Promise<LoamErrorShape | null>
  correct(caseId: string, correction: CaseCorrection): Promise<LoamErrorShape | null>
  /** Reads how the open case read before. */
  loadVersions(): Promise<void>
}

export type CasesStore = StoreApi<CasesState>

const NOTHING_ABOUT = { source: null, sourceProblem: null, versions: null } as const

/** The case bank of one space as a searchable list with one case open. */
export function createCasesStore(client: LoamClient): CasesStore {
  return createStore<CasesState>()((set, get) => {
    const { list, change, about } = createSpaceList<CasesState>(set, get, {
      idOf: ({ id }) => id,
      read: async (spaceId, filters, offset, limit) => {
        const { hits, ...page } = await client.cases.search({ spaceId, ...filters, limit, offset })
        return { ...page, rows: hits }
      },
      filters: { text: '', mode: 'text', reward: null, includeDeleted: false },
      empty: NOTHING_ABOUT,
    })

    /** Makes a change, and shows the open case as it is then. */
    const changeCase = (make: (spaceId: string) => Promise<CaseRecord>) =>
      change(async (spaceId) => {
        const record = await make(spaceId)
        if (get().open?.id === record.id) set({ open: record, versions: null })
      })

    return {
      ...list,
      ...NOTHING_ABOUT,
      async show(caseId) {
        const { spaceId, rows } = get()
        const known = [...rows.values()].find((found) => found.case.id === caseId)?.case ?? null
        set({ open: known, openProblem: null, ...NOTHING_ABOUT })
        if (!caseId || !spaceId || known) return
        try {
          set({ open: await client.cases.get({ spaceId, caseId }) })
        } catch (error) {
          set({ openProblem: errorShape(error) })
        }
      },
      loadSource: () =>
        about(
          (spaceId, { id: caseId }) => client.cases.source({ spaceId, caseId }),
          (source, sourceProblem) => ({ source, sourceProblem }),
        ),
      setDeleted: (caseId, deleted) =>
        changeCase((spaceId) => client.cases[deleted ? 'delete' : 'restore']({ spaceId, caseId })),
      mark: (caseId, mark) => changeCase((spaceId) => client.cases.mark({ spaceId, caseId, mark })),
      correct: (caseId, correction) =>
        changeCase((spaceId) => client.cases.correct({ spaceId, caseId, correction })),
      loadVersions: () =>
        about(
          (spaceId, { id: caseId }) => client.cases.versions({ spaceId, caseId }),
          (versions, openProblem) => ({ versions, openProblem }),
        ),
    }
  })
}
