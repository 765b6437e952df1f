import { createStore, type StoreApi } from 'zustand/vanilla'
import type { DownloadInfo } from '../../shared/domain/download'
import type { LoamClient } from '../client-type'
import { followFeed } from './feed'

export interface DownloadsState {
  /** In their order. */
  readonly list: readonly DownloadInfo[]
  follow(): () => void
}

/** Models that are being downloaded, live. */
export const createDownloadsStore = (client: LoamClient): StoreApi<DownloadsState> =>
  createStore<DownloadsState>()((set) => ({
    list: [],
    follow: () =>
      followFeed<DownloadInfo[], DownloadInfo[]>({
        open: (since, signal) => client.downloads.watch({ since }, { signal }),
        onSnapshot: (list) => set({ list }),
        onDeltas: (lists) => set({ list: lists.at(-1) ?? [] }),
      }),
  }))
