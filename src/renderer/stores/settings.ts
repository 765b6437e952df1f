import { createStore, type StoreApi } from 'zustand/vanilla'
import type { Settings } from '../../shared/domain/memory-info'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { errorShape } from './error-shape'

export interface SettingsState {
  /** Null until the host has told. */
  readonly settings: Settings | null
  readonly problem: LoamErrorShape | null
  load(): Promise<void>
  /**
   * Shows the change at once and takes it back when the host refuses; the network is shown as on only once the host has it on, since what needs it is
   * asked for with the next click. Resolves to whether it was saved.
   */
  save(change: Partial<Settings>): Promise<boolean>
}

export type SettingsStore = StoreApi<SettingsState>

/** The host keeps the settings; this window only shows and changes them. */
export function createSettingsStore(client: LoamClient): SettingsStore {
  return createStore<SettingsState>()((set, get) => ({
    settings: null,
    problem: null,
    async load() {
      try {
        set({ settings: await client.app.settings(), problem: null })
      } catch (error) {
        set({ problem: errorShape(error) })
      }
    },
    async save(change) {
      const before = get().settings
      if (before) set({ settings: { ...before, ...change, network: before.network } })
      try {
        set({ settings: await client.app.saveSettings(change), problem: null })
        return true
      } catch (error) {
        set({ settings: before, problem: errorShape(error) })
        return false
      }
    },
  }))
}
