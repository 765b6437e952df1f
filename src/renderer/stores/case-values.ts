import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'

/** What the right side of the memory screen shows of cases: one case, the worth of cases for a task, or how it moved. */
export type CasesView = 'case' | 'worth' | 'landscape'

export interface CaseValuesData {
  readonly view: CasesView
  readonly memoryId: string | null
  /** Null: as the newest run here. */
  readonly method: string | null
  /** The task in words. */
  readonly text: string
  /** Goes up whenever what learned case banks make of the cases may be another: they were changed, or are asked about again. */
  readonly version: number
}

const START: CaseValuesData = { view: 'case', memoryId: null, method: null, text: '', version: 0 }

/** Which values of the cases of one memory are looked at. */
export const createCaseValuesStore = () =>
  createStore(
    combine(START, (set, get) => ({
      enter(memoryId: string) {
        if (get().memoryId !== memoryId) set({ ...START, memoryId })
      },
      look: (view: CasesView) => set({ view }),
      choose: (method: string) => set({ method }),
      /** Weighs the cases for a task. */
      weigh: (text: string) => set({ text, version: get().version + 1 }),
      /** Asks again for what is on screen, as when cases were marked or corrected. */
      reload: () => set({ version: get().version + 1 }),
    })),
  )
