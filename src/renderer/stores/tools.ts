import { createStore, type StoreApi } from 'zustand/vanilla'
import type { OwnServer, ToolRequest, ToolServerInfo } from '../../shared/domain/tool'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { errorShape } from './error-shape'
import { followFeed } from './feed'
import type { SettingsStore } from './settings'

export type ToolOutcome = Awaited<ReturnType<LoamClient['tools']['try']>>

export interface ToolsState {
  /** Null until the host has told. */
  readonly servers: readonly ToolServerInfo[] | null
  readonly problem: LoamErrorShape | null
  /** Servers that are being tested. */
  readonly testing: readonly string[]
  /** Tools that wait for the person's word, oldest first. */
  readonly requests: readonly ToolRequest[]
  load(): Promise<void>
  enable(id: string, enabled: boolean): Promise<void>
  remove(id: string): Promise<void>
  test(id: string): Promise<void>
  /** Resolves to the problem, or null. */
  save(
    server: OwnServer,
    secrets: Readonly<Record<string, string>>,
    isNew: boolean,
  ): Promise<LoamErrorShape | null>
  /** One call to a tool. */
  tryTool(id: string, tool: string, args: Record<string, unknown>): Promise<ToolOutcome | LoamErrorShape>
  answer(id: string, answer: 'once' | 'run' | 'no'): Promise<void>
  /** Hears of tools that wait, until the returned function is called. */
  follow(): () => void
}

export type ToolsStore = StoreApi<ToolsState>

/** Tool servers and the questions of runs that want to use them. */
export function createToolsStore(client: LoamClient, settings: SettingsStore): ToolsStore {
  return createStore<ToolsState>()((set, get) => {
    /** Runs a change; the host keeps servers within the settings, so those are read again. */
    const change = async (work: () => Promise<readonly ToolServerInfo[]>): Promise<LoamErrorShape | null> => {
      try {
        set({ servers: await work(), problem: null })
        await settings.getState().load()
        return null
      } catch (error) {
        return errorShape(error)
      }
    }
    const getView = async (work: Promise<LoamErrorShape | null>): Promise<void> => {
      const problem = await work
      if (problem) set({ problem })
    }
    return {
      servers: null,
      problem: null,
      testing: [],
      requests: [],
      async load() {
        try {
          set({ servers: await client.tools.servers(), problem: null })
        } catch (error) {
          set({ problem: errorShape(error) })
        }
      },
      enable: (id, enabled) => getView(change(() => client.tools.enable({ id, enabled }))),
      remove: (id) => getView(change(() => client.tools.remove({ id }))),
      save: (server, secrets, isNew) => change(() => client.tools.save({ server, secrets, isNew })),
      async test(id) {
        set({ testing: [...get().testing, id] })
        try {
          const info = await client.tools.test({ id })
          set({ servers: get().servers?.map((server) => (server.id === id ? info : server)) ?? null })
        } catch (error) {
          set({ problem: errorShape(error) })
        } finally {
          set({ testing: get().testing.filter((other) => other !== id) })
        }
      },
      async tryTool(id, tool, args) {
        try {
          return await client.tools.try({ id, tool, args })
        } catch (error) {
          return errorShape(error)
        }
      },
      async answer(id, answer) {
        // The question goes at once; the host's own list follows.
        set({ requests: get().requests.filter((request) => request.id !== id) })
        try {
          await client.tools.answer({ id, answer })
        } catch (error) {
          set({ problem: errorShape(error) })
        }
      },
      follow: () =>
        followFeed<ToolRequest[]>({
          open: (since, signal) => client.tools.requests({ since }, { signal }),
          onState: (requests) => set({ requests }),
        }),
    }
  })
}
