import { createStore, type StoreApi } from 'zustand/vanilla'
import {
  SHOWN_PRESETS,
  type ComparisonChoice,
  type ConsolidateInput,
  type ConsolidationView,
  type ConsolidationWork,
  type ScheduleRule,
  type ShelfView,
  type TrainerBackend,
} from '../../shared/domain/consolidation'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { runCommand } from './command'
import { errorShape } from './error-shape'
import { followFeed } from './feed'

/** What the person has chosen for the next training; null choices take what is sensible. */
export interface ConsolidationForm {
  readonly stream: string | null
  readonly model: string | null
  readonly teacher: number
  readonly student: number
  /** Tokens; 0: as many as suit the model. */
  readonly length: number
  readonly steps: number
  readonly backend: TrainerBackend
  readonly untie: boolean
  /** Tasks replayed without and with the soft prompt, and where they begin; null: the stream's last ones. */
  readonly compare: number
  readonly compareFrom: number | null
}

export interface ConsolidationState {
  readonly memoryId: string | null
  readonly work: ConsolidationWork | null
  readonly feedProblem: LoamErrorShape | null
  readonly shelf: ShelfView | null
  readonly shelfProblem: LoamErrorShape | null
  /** A call that the host has not answered yet. */
  readonly busy: boolean
  /** Why the last call was refused. */
  readonly problem: LoamErrorShape | null
  readonly form: ConsolidationForm
  /** Follows a memory; what belonged to another one goes. */
  enter(memoryId: string): void
  leave(): void
  change(change: Partial<ConsolidationForm>): void
  reload(): Promise<void>
  /** All resolve to whether the host agreed. */
  start(input: ConsolidateInput): Promise<boolean>
  resume(): Promise<boolean>
  compare(adapter: string, choice: ComparisonChoice): Promise<boolean>
  cancel(): Promise<boolean>
  forget(): Promise<boolean>
  accept(adapter: string): Promise<boolean>
  withdraw(environment: string): Promise<boolean>
  undo(environment: string): Promise<boolean>
  remove(adapter: string): Promise<boolean>
  restore(adapter: string): Promise<boolean>
  setSchedule(rule: ScheduleRule, input: ConsolidateInput | null): Promise<boolean>
  clearProblem(): void
}

export type ConsolidationStore = StoreApi<ConsolidationState>

export const isWorking = (work: ConsolidationWork | null): work is ConsolidationWork =>
  work !== null && work.phase !== 'done' && work.phase !== 'failed' && work.phase !== 'cancelled'

/** The soft prompts of the open memory, and what is being done for them. */
export function createConsolidationStore(client: LoamClient): ConsolidationStore {
  let stop = () => {}
  return createStore<ConsolidationState>()((set, get) => {
    async function command(act: (memoryId: string) => Promise<unknown>): Promise<boolean> {
      const { memoryId } = get()
      if (memoryId === null) return false
      return runCommand(
        async () => {
          await act(memoryId)
          await get().reload()
        },
        {
          begin: () => set({ busy: true, problem: null }),
          refused: (problem) => set({ problem }),
          end: () => set({ busy: false }),
        },
      )
    }

    const follow = (memoryId: string) =>
      followFeed<ConsolidationView>({
        open: (since, signal) => client.consolidation.watch({ memoryId, since }, { signal }),
        onState({ work, shelf }, before) {
          set({ work })
          if (shelf !== before?.shelf) void get().reload()
        },
        onProblem: (feedProblem) => set({ feedProblem }),
      })

    return {
      memoryId: null,
      work: null,
      feedProblem: null,
      shelf: null,
      shelfProblem: null,
      busy: false,
      problem: null,
      form: {
        stream: null,
        model: null,
        teacher: SHOWN_PRESETS[0].teacher,
        student: SHOWN_PRESETS[0].student,
        length: 0,
        steps: 100,
        backend: 'cpu',
        untie: false,
        compare: 20,
        compareFrom: null,
      },
      enter(memoryId) {
        if (memoryId === get().memoryId) return
        stop()
        set({ memoryId, work: null, shelf: null, shelfProblem: null, feedProblem: null, problem: null })
        stop = follow(memoryId)
      },
      leave() {
        stop()
        stop = () => {}
        set({ memoryId: null })
      },
      change: (change) => set(({ form }) => ({ form: { ...form, ...change } })),
      async reload() {
        const { memoryId } = get()
        if (memoryId === null) return
        try {
          const shelf = await client.consolidation.shelf({ memoryId })
          if (get().memoryId === memoryId) set({ shelf, shelfProblem: null })
        } catch (error) {
          if (get().memoryId === memoryId) set({ shelfProblem: errorShape(error) })
        }
      },
      start: (input) => command(() => client.consolidation.start(input)),
      resume: () => command((memoryId) => client.consolidation.resume({ memoryId })),
      compare: (adapter, choice) =>
        command((memoryId) => client.consolidation.compare({ memoryId, adapter, choice })),
      cancel: () => command((memoryId) => client.consolidation.cancel({ memoryId })),
      forget: () => command((memoryId) => client.consolidation.forget({ memoryId })),
      accept: (adapter) => command((memoryId) => client.consolidation.accept({ memoryId, adapter })),
      withdraw: (environment) =>
        command((memoryId) => client.consolidation.withdraw({ memoryId, environment })),
      undo: (environment) => command((memoryId) => client.consolidation.undo({ memoryId, environment })),
      remove: (adapter) => command((memoryId) => client.consolidation.remove({ memoryId, adapter })),
      restore: (adapter) => command((memoryId) => client.consolidation.restore({ memoryId, adapter })),
      setSchedule: (rule, input) =>
        command((memoryId) => client.consolidation.setSchedule({ memoryId, rule, input })),
      clearProblem: () => set({ problem: null }),
    }
  })
}
