import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import type { Settings } from '../../shared/domain/memory-info'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { errorShape } from './error-shape'

export interface SettingsData {
  /** Null until the host has told. */
  readonly settings: Settings | null
  readonly problem: LoamErrorShape | null
}

/** The host keeps the settings; this window only shows and changes them. */
export const createSettingsStore = (client: LoamClient) =>
  createStore(
    combine({ settings: null, problem: null } as SettingsData, (set, get) => ({
      async load() {
        try {
          set({ settings: await client.app.settings(), problem: null })
        } catch (error) {
          set({ problem: errorShape(error) })
        }
      },
      /**
       * Shows the change at once and takes it back when the host refuses; the network is shown as on only once the host has it on, since what needs it is
       * asked for with the next click. Resolves to whether it was saved.
       */
      async save(change: Partial<Settings>): Promise<boolean> {
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
    })),
  )

export type SettingsStore = ReturnType<typeof createSettingsStore>
