import { createStore, type StoreApi } from 'zustand/vanilla'

/** What the Learning curves screen shows: whole experiments and single runs. */
export interface CurveSelection {
  readonly experimentIds: readonly string[]
  readonly runIds: readonly string[]
}

export interface CurveSelectionState extends CurveSelection {
  /** Replaces what is chosen. Other screens call it before they go to the curves. */
  select(selection: CurveSelection): void
}

export type CurveSelectionStore = StoreApi<CurveSelectionState>

/** The choice of experiments and runs, shared by the screens that link to the curves. */
export function createCurveSelectionStore(): CurveSelectionStore {
  return createStore<CurveSelectionState>()((set) => ({
    experimentIds: [],
    runIds: [],
    select: ({ experimentIds, runIds }) => set({ experimentIds, runIds }),
  }))
}
