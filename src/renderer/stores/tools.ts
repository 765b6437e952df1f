import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import type { OwnServer, ToolRequest, ToolServerInfo } from '../../shared/domain/tool'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { refusalOf } from './error-shape'
import { followFeed } from './feed'
import type { SettingsStore } from './settings'

export interface ToolsData {
  /** Null until the host has told. */
  readonly servers: readonly ToolServerInfo[] | null
  readonly problem: LoamErrorShape | null
  /** Servers that are being tested. */
  readonly testing: readonly string[]
  /** Tools that wait for the person's word, oldest first. */
  readonly requests: readonly ToolRequest[]
}

/** Tool servers and the questions of runs that want to use them. */
export function createToolsStore(client: LoamClient, settings: SettingsStore) {
  const start: ToolsData = { servers: null, problem: null, testing: [], requests: [] }
  return createStore(
    combine(start, (set, get) => {
      /** Runs a change; the host keeps servers within the settings, so those are read again. */
      const change = (work: Promise<readonly ToolServerInfo[]>): Promise<LoamErrorShape | null> =>
        refusalOf(
          work.then((servers) => {
            set({ servers, problem: null })
            return settings.getState().load()
          }),
        )
      /** Does something, and shows why it was refused. */
      const attempt = async (work: Promise<unknown>): Promise<void> => {
        const problem = await refusalOf(work)
        if (problem) set({ problem })
      }
      const changeOrTell = async (work: Promise<readonly ToolServerInfo[]>): Promise<void> => {
        const problem = await change(work)
        if (problem) set({ problem })
      }
      return {
        load: () => attempt(client.tools.servers().then((servers) => set({ servers, problem: null }))),
        enable: (id: string, enabled: boolean) => changeOrTell(client.tools.enable({ id, enabled })),
        remove: (id: string) => changeOrTell(client.tools.remove({ id })),
        /** Resolves to the problem, or null. */
        save: (server: OwnServer, secrets: Readonly<Record<string, string>>, isNew: boolean) =>
          change(client.tools.save({ server, secrets, isNew })),
        async test(id: string) {
          set({ testing: [...get().testing, id] })
          await attempt(
            client.tools.test({ id }).then((info) => {
              set({ servers: get().servers?.map((server) => (server.id === id ? info : server)) ?? null })
            }),
          )
          set({ testing: get().testing.filter((other) => other !== id) })
        },
        answer(id: string, answer: 'once' | 'run' | 'no'): Promise<void> {
          // The question goes at once; the host's own list follows.
          set({ requests: get().requests.filter((request) => request.id !== id) })
          return attempt(client.tools.answer({ id, answer }))
        },
        /** Hears of tools that wait, until the returned function is called. */
        follow: () =>
          followFeed<ToolRequest[]>({
            open: (since, signal) => client.tools.requests({ since }, { signal }),
            onState: (requests) => set({ requests }),
          }),
      }
    }),
  )
}
