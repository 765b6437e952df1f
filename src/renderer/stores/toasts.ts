import { createStore, type StoreApi } from 'zustand/vanilla'
import type { LoamErrorShape } from '../../shared/errors'

export interface Toast {
  readonly id: number
  readonly title: string
  readonly detail?: string
  readonly tone: 'plain' | 'problem'
  readonly action?: { readonly label: string; readonly run: () => void }
}

export interface ToastsState {
  readonly toasts: readonly Toast[]
  /** Shows a quiet note; at most three are kept. Returns its id. */
  show(toast: Omit<Toast, 'id'>): number
  /** Says that something is done. */
  tell(title: string, detail?: string): void
  /** Says what went wrong, and what helps. */
  report(problem: Pick<LoamErrorShape, 'title' | 'suggestion'>): void
  dismiss(id: number): void
}

export type ToastsStore = StoreApi<ToastsState>

const MOST_TOASTS = 3

/** Notes at the edge of the screen: results of long work, undo, failures of small actions. */
export function createToastsStore(): ToastsStore {
  let lastId = 0
  return createStore<ToastsState>()((set, get) => ({
    toasts: [],
    show(toast) {
      lastId += 1
      const id = lastId
      set((state) => ({ toasts: [...state.toasts, { ...toast, id }].slice(-MOST_TOASTS) }))
      return id
    },
    tell(title, detail) {
      get().show({ title, ...(detail !== undefined && { detail }), tone: 'plain' })
    },
    report({ title, suggestion }) {
      get().show({ title, detail: suggestion, tone: 'problem' })
    },
    dismiss(id) {
      set((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) }))
    },
  }))
}
