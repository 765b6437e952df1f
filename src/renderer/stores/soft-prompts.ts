import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import {
  SHOWN_PRESETS,
  type ComparisonChoice,
  type TrainInput,
  type ConsolidationView,
  type TrainingWork,
  type ScheduleRule,
  type SoftPromptListView,
  type TrainerBackend,
} from '../../shared/domain/soft-prompt-training'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { runCommand, errorShape } from './error-shape'
import { followFeed } from './feed'

/** What the person has chosen for the next training; null choices take what is sensible. */
export interface TrainingForm {
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

export interface SoftPromptsData {
  readonly memoryId: string | null
  readonly work: TrainingWork | null
  readonly feedProblem: LoamErrorShape | null
  readonly softPromptList: SoftPromptListView | null
  readonly softPromptProblem: LoamErrorShape | null
  /** A call that the host has not answered yet. */
  readonly busy: boolean
  /** Why the last call was refused. */
  readonly problem: LoamErrorShape | null
  readonly form: TrainingForm
}

export const isWorking = (work: TrainingWork | null): work is TrainingWork =>
  work !== null && work.phase !== 'done' && work.phase !== 'failed' && work.phase !== 'cancelled'

/** What belongs to one memory, while nothing is heard of it. */
const NOTHING = {
  work: null,
  feedProblem: null,
  softPromptList: null,
  softPromptProblem: null,
  problem: null,
} as const

const FORM: TrainingForm = {
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
}

/** The soft prompts of the open memory, and what is being done for them. */
export function createSoftPromptsStore(client: LoamClient) {
  let stop = () => {}
  const start: SoftPromptsData = { ...NOTHING, memoryId: null, busy: false, form: FORM }
  return createStore(
    combine(start, (set, get) => {
      async function reload() {
        const { memoryId } = get()
        if (memoryId === null) return
        try {
          const softPromptList = await client.softPrompts.list({ memoryId })
          if (get().memoryId === memoryId) set({ softPromptList, softPromptProblem: null })
        } catch (error) {
          if (get().memoryId === memoryId) set({ softPromptProblem: errorShape(error) })
        }
      }

      async function command(act: (memoryId: string) => Promise<unknown>): Promise<boolean> {
        const { memoryId } = get()
        if (memoryId === null) return false
        return runCommand(
          async () => {
            await act(memoryId)
            await reload()
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
          open: (since, signal) => client.softPrompts.watch({ memoryId, since }, { signal }),
          onState({ work, softPromptList }, before) {
            set({ work })
            if (softPromptList !== before?.softPromptList) void reload()
          },
          onProblem: (feedProblem) => set({ feedProblem }),
        })

      return {
        /** Follows a memory; what belonged to another one goes. */
        enter(memoryId: string) {
          if (memoryId === get().memoryId) return
          stop()
          set({ ...NOTHING, memoryId })
          stop = follow(memoryId)
        },
        leave() {
          stop()
          stop = () => {}
          set({ memoryId: null })
        },
        change: (change: Partial<TrainingForm>) => set(({ form }) => ({ form: { ...form, ...change } })),
        reload,
        // All resolve to whether the host agreed.
        start: (input: TrainInput) => command(() => client.softPrompts.start(input)),
        resume: () => command((memoryId) => client.softPrompts.resume({ memoryId })),
        compare: (adapter: string, choice: ComparisonChoice) =>
          command((memoryId) => client.softPrompts.compare({ memoryId, adapter, choice })),
        cancel: () => command((memoryId) => client.softPrompts.cancel({ memoryId })),
        forget: () => command((memoryId) => client.softPrompts.forget({ memoryId })),
        accept: (adapter: string) => command((memoryId) => client.softPrompts.accept({ memoryId, adapter })),
        withdraw: (environment: string) =>
          command((memoryId) => client.softPrompts.withdraw({ memoryId, environment })),
        undo: (environment: string) =>
          command((memoryId) => client.softPrompts.undo({ memoryId, environment })),
        remove: (adapter: string) => command((memoryId) => client.softPrompts.remove({ memoryId, adapter })),
        restore: (adapter: string) =>
          command((memoryId) => client.softPrompts.restore({ memoryId, adapter })),
        setSchedule: (rule: ScheduleRule, input: TrainInput | null) =>
          command((memoryId) => client.softPrompts.setSchedule({ memoryId, rule, input })),
        clearProblem: () => set({ problem: null }),
      }
    }),
  )
}
