import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import type { LoamErrorShape } from '../../shared/errors'

export interface Toast {
  readonly id: number
  readonly title: string
  readonly detail?: string
  readonly tone: 'plain' | 'problem'
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** What screen readers say, as one piece. */
export interface Saying {
  readonly id: number
  readonly words: string
}

const MOST_TOASTS = 3

/** How long words stand where screen readers find them, in ms: one that is slow still says them, and whoever reads on meets none of them. */
const SAID_MS = 5_000

/** Marks that stand for looks alone, in text that is said. */
const MARKS = /[*_`#>|]+/g

/** Notes at the edge of the screen: results of long work, undo, failures of small actions. And what is said to those who do not see it. */
export function createToastsStore() {
  let lastId = 0
  return createStore(
    combine({ toasts: [] as readonly Toast[], sayings: [] as readonly Saying[] }, (set) => {
      /** Has screen readers say something once, after what they are saying. */
      function say(words: string): void {
        lastId += 1
        const id = lastId
        set((state) => ({ sayings: [...state.sayings, { id, words: words.replace(MARKS, '') }] }))
        setTimeout(
          () => set((state) => ({ sayings: state.sayings.filter((saying) => saying.id !== id) })),
          SAID_MS,
        )
      }
      /** Shows a quiet note, and has it said; at most three are kept. Returns its id. */
      function show(toast: Omit<Toast, 'id'>): number {
        lastId += 1
        const id = lastId
        set((state) => ({ toasts: [...state.toasts, { ...toast, id }].slice(-MOST_TOASTS) }))
        say(
          [toast.title, toast.detail ?? '', toast.action ? `F8 leads to ${toast.action.label}` : '']
            .filter((part) => part !== '')
            .map((part) => (/[.!?…]$/.test(part) ? part : `${part}.`))
            .join(' '),
        )
        return id
      }
      return {
        show,
        say,
        /** Says that something is done. */
        tell: (title: string, detail?: string) =>
          void show({ title, ...(detail !== undefined && { detail }), tone: 'plain' }),
        /** Says what went wrong, and what helps. */
        report: ({ title, suggestion }: Pick<LoamErrorShape, 'title' | 'suggestion'>) =>
          void show({ title, detail: suggestion, tone: 'problem' }),
        dismiss: (id: number) =>
          set((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) })),
      }
    }),
  )
}

export type ToastsStore = ReturnType<typeof createToastsStore>
