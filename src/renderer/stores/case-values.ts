import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import {
  caseLandscapeSchema,
  caseWorthSchema,
  type CaseLandscape,
  type CaseWorth,
} from '../../shared/domain/case'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { errorShape } from './error-shape'

/** What the right side of the memory screen shows of cases: one case, the worth of cases for a task, or how it moved. */
export type CasesView = 'case' | 'worth' | 'landscape'

/** An answer, as far as it is there. The last one stays while a new one is on its way. */
export interface Answer<T> {
  readonly data: T | null
  readonly loading: boolean
  readonly problem: LoamErrorShape | null
}

export interface CaseValuesData {
  readonly view: CasesView
  readonly memoryId: string | null
  /** Null: as the newest run here. */
  readonly method: string | null
  /** The task in words. */
  readonly text: string
  readonly worth: Answer<CaseWorth>
  readonly landscape: Answer<CaseLandscape>
}

const NOTHING = { data: null, loading: false, problem: null } as const

const NOTHING_ASKED = { view: 'case', method: null, text: '', worth: NOTHING, landscape: NOTHING } as const

/** What learned case banks make of the cases of one memory. */
export function createCaseValuesStore(client: LoamClient) {
  let latest: AbortController | null = null

  const start: CaseValuesData = { ...NOTHING_ASKED, memoryId: null }
  return createStore(
    combine(start, (set, get) => {
      /** Asks for one of the two answers; whatever is still being worked out is given up. */
      async function ask<K extends 'worth' | 'landscape'>(
        kind: K,
        request: (signal: AbortSignal) => Promise<NonNullable<CaseValuesData[K]['data']>>,
      ): Promise<void> {
        latest?.abort()
        const mine = new AbortController()
        latest = mine
        const put = (answer: Answer<CaseWorth | CaseLandscape>) => {
          if (latest === mine) set({ [kind]: answer })
        }
        put({ ...get()[kind], loading: true, problem: null })
        try {
          put({ data: await request(mine.signal), loading: false, problem: null })
        } catch (error) {
          put({ data: null, loading: false, problem: errorShape(error) })
        }
      }

      async function reload(): Promise<void> {
        const { view, memoryId, method, text } = get()
        if (!memoryId) return
        if (view === 'worth' && text.trim() !== '')
          await ask('worth', async (signal) =>
            caseWorthSchema.parse(
              await client.items.view(
                { memoryId, kind: 'case', ability: 'worth', input: { method, text } },
                { signal },
              ),
            ),
          )
        if (view === 'landscape')
          await ask('landscape', async (signal) =>
            caseLandscapeSchema.parse(
              await client.items.view(
                { memoryId, kind: 'case', ability: 'landscape', input: { method } },
                { signal },
              ),
            ),
          )
      }

      return {
        enter(memoryId: string) {
          if (get().memoryId !== memoryId) set({ memoryId, ...NOTHING_ASKED })
        },
        look(view: CasesView) {
          set({ view })
          void reload()
        },
        choose(method: string) {
          set({ method })
          void reload()
        },
        /** Weighs the cases for a task; again, when cases were marked or corrected. */
        weigh(text: string) {
          set({ text })
          return reload()
        },
        /** Asks again for what is on screen. */
        reload,
      }
    }),
  )
}
