import { createStore, type StoreApi } from 'zustand/vanilla'

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
  dismiss(id: number): void
}

export type ToastsStore = StoreApi<ToastsState>

const MOST_TOASTS = 3

/** Notes at the edge of the screen: results of long work, undo, failures of small actions. */
export function createToastsStore(): ToastsStore {
  let lastId = 0
  return createStore<ToastsState>()((set) => ({
    toasts: [],
    show(toast) {
      lastId += 1
      const id = lastId
      set((state) => ({ toasts: [...state.toasts, { ...toast, id }].slice(-MOST_TOASTS) }))
      return id
    },
    dismiss(id) {
      set((state) => ({ toasts: state.toasts.filter((toast) => toast.id !== id) }))
    },
  }))
}
