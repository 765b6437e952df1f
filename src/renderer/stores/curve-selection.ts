import { createStore, type StoreApi } from 'zustand/vanilla'

/** What another screen asks the curves to show: all cells of an experiment, or some runs. */
export type CurveIds = { readonly experimentId: string } | { readonly runIds: readonly string[] }

export interface CurveSelectionState {
  /** What was asked for last; null until somebody asks. */
  readonly selection: CurveIds | null
  select(ids: CurveIds): void
}

export type CurveSelectionStore = StoreApi<CurveSelectionState>

/** How other screens tell the curves what to show. */
export function createCurveSelectionStore(): CurveSelectionStore {
  return createStore<CurveSelectionState>()((set) => ({
    selection: null,
    select: (selection) => set({ selection }),
  }))
}
