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
  readonly spaceId: string | null
  readonly work: ConsolidationWork | null
  readonly feedProblem: LoamErrorShape | null
  readonly shelf: ShelfView | null
  readonly shelfProblem: LoamErrorShape | null
  /** A call that the host has not answered yet. */
  readonly busy: boolean
  /** Why the last call was refused. */
  readonly problem: LoamErrorShape | null
  readonly form: ConsolidationForm
  /** Follows a space; what belonged to another one goes. */
  enter(spaceId: string): void
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

/** The soft prompts of the open space, and what is being done for them. */
export function createConsolidationStore(client: LoamClient): ConsolidationStore {
  let stop = () => {}
  return createStore<ConsolidationState>()((set, get) => {
    async function command(act: (spaceId: string) => Promise<unknown>): Promise<boolean> {
      const { spaceId } = get()
      if (spaceId === null) return false
      return runCommand(
        async () => {
          await act(spaceId)
          await get().reload()
        },
        {
          begin: () => set({ busy: true, problem: null }),
          refused: (problem) => set({ problem }),
          end: () => set({ busy: false }),
        },
      )
    }

    const follow = (spaceId: string) =>
      followFeed<ConsolidationView>({
        open: (since, signal) => client.consolidation.watch({ spaceId, since }, { signal }),
        onState({ work, shelf }, before) {
          set({ work })
          if (shelf !== before?.shelf) void get().reload()
        },
        onProblem: (feedProblem) => set({ feedProblem }),
      })

    return {
      spaceId: null,
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
      enter(spaceId) {
        if (spaceId === get().spaceId) return
        stop()
        set({ spaceId, work: null, shelf: null, shelfProblem: null, feedProblem: null, problem: null })
        stop = follow(spaceId)
      },
      leave() {
        stop()
        stop = () => {}
        set({ spaceId: null })
      },
      change: (change) => set(({ form }) => ({ form: { ...form, ...change } })),
      async reload() {
        const { spaceId } = get()
        if (spaceId === null) return
        try {
          const shelf = await client.consolidation.shelf({ spaceId })
          if (get().spaceId === spaceId) set({ shelf, shelfProblem: null })
        } catch (error) {
          if (get().spaceId === spaceId) set({ shelfProblem: errorShape(error) })
        }
      },
      start: (input) => command(() => client.consolidation.start(input)),
      resume: () => command((spaceId) => client.consolidation.resume({ spaceId })),
      compare: (adapter, choice) =>
        command((spaceId) => client.consolidation.compare({ spaceId, adapter, choice })),
      cancel: () => command((spaceId) => client.consolidation.cancel({ spaceId })),
      forget: () => command((spaceId) => client.consolidation.forget({ spaceId })),
      accept: (adapter) => command((spaceId) => client.consolidation.accept({ spaceId, adapter })),
      withdraw: (environment) =>
        command((spaceId) => client.consolidation.withdraw({ spaceId, environment })),
      undo: (environment) => command((spaceId) => client.consolidation.undo({ spaceId, environment })),
      remove: (adapter) => command((spaceId) => client.consolidation.remove({ spaceId, adapter })),
      restore: (adapter) => command((spaceId) => client.consolidation.restore({ spaceId, adapter })),
      setSchedule: (rule, input) =>
        command((spaceId) => client.consolidation.setSchedule({ spaceId, rule, input })),
      clearProblem: () => set({ problem: null }),
    }
  })
}
