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

const MOST_TOASTS = 3

/** Notes at the edge of the screen: results of long work, undo, failures of small actions. */
export function createToastsStore() {
  let lastId = 0
  return createStore(
    combine({ toasts: [] as readonly Toast[] }, (set) => {
      /** Shows a quiet note; at most three are kept. Returns its id. */
      function show(toast: Omit<Toast, 'id'>): number {
        lastId += 1
        const id = lastId
        set((state) => ({ toasts: [...state.toasts, { ...toast, id }].slice(-MOST_TOASTS) }))
        return id
      }
      return {
        show,
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
