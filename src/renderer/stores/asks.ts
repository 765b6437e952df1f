import { createStore, type StoreApi } from 'zustand/vanilla'
import type {
  AskBranch,
  AskChanges,
  AskCheck,
  AskDetail,
  AskInfo,
  VerdictInput,
  AskEnvironment,
  StartAsk,
} from '../../shared/domain/ask'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { runCommand } from './command'
import { errorShape } from './error-shape'
import { followFeed } from './feed'
import { createNewest, NOT_READ, readInto, type Reading } from './read-into'

/** A file that goes with an ask that is being written. */
export interface DraftFile {
  readonly name: string
  readonly base64: string
  readonly bytes: number
}

/** What is written in the composer. `memoryId` null: the window's memory; other null choices fall back to those of the newest ask in the same memory. */
export interface AskDraft {
  readonly text: string
  readonly files: readonly DraftFile[]
  readonly way: 'straight' | 'plan' | null
  /** `undefined` while nobody chose; null for no world. */
  readonly world: AskEnvironment | null | undefined
  readonly model: string | null
  readonly method: string | null
  readonly tools: readonly string[] | null
  readonly remember: boolean
  /** Whether passages of the memory's own files are recalled. */
  readonly ownFiles: boolean
  readonly memoryId: string | null
}

export const EMPTY_DRAFT: AskDraft = {
  text: '',
  files: [],
  way: null,
  world: undefined,
  model: null,
  method: null,
  tools: null,
  remember: true,
  ownFiles: true,
  memoryId: null,
}

type Refused = Promise<LoamErrorShape | null>

export interface AsksState extends Reading {
  readonly asks: readonly AskInfo[]
  /** Words that the list is searched for. */
  readonly text: string
  /** The folder whose asks are listed; null for all. */
  readonly folder: string | null
  /** Null shows the composer. */
  readonly openId: string | null
  readonly detail: AskDetail | null
  /** The connection to the open ask broke, or there is no such ask. */
  readonly detailProblem: LoamErrorShape | null
  readonly draft: AskDraft
  readonly starting: boolean
  /** Why the last command was refused. */
  readonly refused: LoamErrorShape | null

  load(): Promise<void>
  search(text: string): void
  look(folder: string | null): void
  /** Puts an ask on screen and follows it; null goes to the composer. */
  open(askId: string | null): void
  write(change: Partial<AskDraft>): void
  /** Puts what the open ask began with into the composer, files too, and goes there. */
  rewrite(): Promise<boolean>
  /** Asks, and opens what was asked. */
  start(input: StartAsk): Promise<void>
  /** Sends the next message after an attempt. Resolves to whether it was taken. */
  say(text: string, files: readonly DraftFile[], after: number | null): Promise<boolean>
  /** Says something while it works. Resolves to whether it was taken. */
  steer(text: string): Promise<boolean>
  /** Tries a message again, from a step of an attempt, or with something changed. */
  branch(from: AskBranch, changes: AskChanges): Promise<boolean>
  judge(attempt: number): Promise<boolean>
  check(check: AskCheck | null): Promise<boolean>
  retry(): Promise<boolean>
  stop(): Promise<boolean>
  teach(attempt: number, teaching: VerdictInput): Promise<boolean>
  rename(askId: string, title: string): Refused
  pin(askId: string, pinned: boolean): Refused
  putIn(askId: string, folder: string | null): Refused
  remove(askId: string): Refused
  restore(askId: string): Refused
  clearRefused(): void
  stopWatching(): void
}

export type AsksStore = StoreApi<AsksState>

/** Stands where the id of an ask does while the curve of all of them is looked at. */
export const OWN_CURVE = 'curve'

/** What the store says while no ask is open. */
const NOTHING_OPEN = { openId: null, detail: null, detailProblem: null, refused: null } as const

/** The asks that hold the words that are searched for; a folder is looked into as long as something is in it. */
async function readList(client: LoamClient, get: () => AsksState): Promise<Partial<AsksState>> {
  const { text } = get()
  const asks = await client.asks.list({ text })
  const { folder } = get()
  const isGone = text === '' && !asks.some((ask) => ask.folder === folder)
  return { asks, ...(isGone && { folder: null }) }
}

/** What an ask began with, its files too, as a draft of another. */
async function draftOf(client: LoamClient, { ask, turns }: AskDetail): Promise<AskDraft> {
  const { text, way, world, model, method, tools, remember, ownFiles, memoryId } = ask.spec
  const files = (turns[0]?.given ?? []).map(async ({ name, bytes }) => {
    const { base64 } = await client.asks.file({ askId: ask.id, name })
    return { name, bytes, base64 }
  })
  const choice = { text, way, world, model, method, tools, remember, ownFiles, memoryId }
  return { ...choice, files: await Promise.all(files) }
}

/** All asks, one of them live, and the one that is being written. */
export function createAsksStore(client: LoamClient): AsksStore {
  let stop = () => {}
  const newest = createNewest()
  return createStore<AsksState>()((set, get) => {
    const put = (ask: AskInfo) =>
      set(({ asks }) => ({ asks: asks.map((record) => (record.id === ask.id ? ask : record)) }))

    const follow = (askId: string) =>
      followFeed<AskDetail>({
        open: (since, signal) => client.asks.watch({ askId, since }, { signal }),
        onState(detail, before) {
          set({ detail })
          if (detail.ask !== before?.ask) put(detail.ask)
        },
        onProblem: (detailProblem) => set({ detailProblem }),
      })

    const command = (act: () => Promise<unknown>): Promise<boolean> =>
      runCommand(act, {
        begin: () => set({ refused: null }),
        refused: (refused) => set({ refused }),
        end: () => undefined,
      })

    /** A command on the ask that is open. */
    const onOpen = async (act: (askId: string) => Promise<unknown>): Promise<boolean> => {
      const { openId } = get()
      return openId !== null && openId !== OWN_CURVE && command(() => act(openId))
    }

    /** Changes an ask of the list. Resolves to the problem, or null. */
    async function change(make: () => Promise<AskInfo>): Refused {
      try {
        put(await make())
        await get().load()
        return null
      } catch (error) {
        return errorShape(error)
      }
    }

    return {
      asks: [],
      ...NOT_READ,
      text: '',
      folder: null,
      ...NOTHING_OPEN,
      draft: EMPTY_DRAFT,
      starting: false,

      load: () => readInto(set, () => readList(client, get), newest()),
      search(text) {
        set({ text })
        void get().load()
      },
      look: (folder) => set({ folder }),
      open(openId) {
        if (get().openId === openId) return
        stop()
        stop = () => {}
        set({ ...NOTHING_OPEN, openId })
        if (openId !== null && openId !== OWN_CURVE) stop = follow(openId)
      },
      write: (change) => set(({ draft }) => ({ draft: { ...draft, ...change } })),
      rewrite: () =>
        onOpen(async () => {
          const { detail } = get()
          if (!detail) return
          set({ draft: await draftOf(client, detail) })
          get().open(null)
        }),
      async start(input) {
        set({ starting: true })
        await command(async () => {
          const ask = await client.asks.start(input)
          const { draft } = get()
          // What was chosen stays for the next one.
          set({ draft: { ...draft, text: '', files: [] }, text: '' })
          await get().load()
          get().open(ask.id)
        })
        set({ starting: false })
      },
      say: (text, files, after) =>
        onOpen((askId) =>
          client.asks.say({
            askId,
            text,
            after,
            files: files.map(({ name, base64 }) => ({ name, base64 })),
          }),
        ),
      steer: (text) => onOpen((askId) => client.asks.steer({ askId, text })),
      branch: (from, changes) => onOpen((askId) => client.asks.branch({ askId, from, changes })),
      judge: (attempt) => onOpen((askId) => client.asks.judge({ askId, attempt })),
      check: (check) => onOpen((askId) => client.asks.check({ askId, check })),
      retry: () => onOpen((askId) => client.asks.retry({ askId })),
      stop: () => onOpen((askId) => client.asks.stop({ askId })),
      teach: (attempt, teaching) => onOpen((askId) => client.asks.teach({ askId, attempt, teaching })),
      rename: (askId, title) => change(() => client.asks.rename({ askId, title })),
      pin: (askId, pinned) => change(() => client.asks.pin({ askId, pinned })),
      putIn: (askId, folder) => change(() => client.asks.putIn({ askId, folder })),
      async remove(askId) {
        if (get().openId === askId) get().open(null)
        return change(() => client.asks.remove({ askId }))
      },
      restore: (askId) => change(() => client.asks.restore({ askId })),
      clearRefused: () => set({ refused: null }),
      stopWatching: () => stop(),
    }
  })
}
