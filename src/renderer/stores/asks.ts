import { combine } from 'zustand/middleware'
import { createStore } from 'zustand/vanilla'
import {
  type AskDetail,
  type AskInfo,
  type AskEnvironment,
  type MessageDraft,
  type StartAsk,
} from '../../shared/domain/ask'
import { IMPORTED_MODEL } from '../../shared/domain/ask-origin'
import type { LoamErrorShape } from '../../shared/errors'
import type { LoamClient } from '../client-type'
import { createDraftKeeper } from './draft-keeper'
import { refusalOf, runCommand } from './error-shape'
import { followFeed } from './feed'
import { handed, nextMessages, type DraftFile, type ReplyDraft } from './next-messages'
import { createNewest, NOT_READ, readInto, type Reading } from './read-into'

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
  /** How to answer, beside what the project says. */
  readonly instructions: string
  /** Null: what the project says, else what suits the model. */
  readonly temperature: number | null
  /** The same. */
  readonly topP: number | null
  /** Most tokens of one reply; null: the usual ones. */
  readonly maxTokens: number | null
  /** The project that it belongs to; null for none. */
  readonly project: string | null
  /** Nothing of it is kept. Not kept itself: a new start begins without. */
  readonly temporary: boolean
}

/** Nothing written and nothing chosen. */
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
  instructions: '',
  temperature: null,
  topP: null,
  maxTokens: null,
  project: null,
  temporary: false,
}

/** What a new ask is kept as. */
const NEW = 'new'

export interface AsksData extends Reading {
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
  /** Next messages, by ask. */
  readonly replies: Readonly<Record<string, ReplyDraft>>
  readonly starting: boolean
  /** How often something new was begun: each time the composer takes the focus. */
  readonly compositions: number
  /** Why the last command was refused. */
  readonly refused: LoamErrorShape | null
}

/** Stands where the id of an ask does while the curve of all of them is looked at. */
export const OWN_CURVE = 'curve'

/** What stands where the name of a project does, for asks that were put away. */
export const ARCHIVE = '\u0000archive'

/** What the store says while no ask is open. */
const NOTHING_OPEN = { openId: null, detail: null, detailProblem: null, refused: null } as const

const START: AsksData = {
  asks: [],
  ...NOT_READ,
  text: '',
  folder: null,
  ...NOTHING_OPEN,
  draft: EMPTY_DRAFT,
  replies: {},
  starting: false,
  compositions: 0,
}

/** The asks that hold the words that are searched for; a folder is looked into as long as something is in it. */
async function readList(client: LoamClient, get: () => AsksData): Promise<Partial<AsksData>> {
  const { text } = get()
  const asks = await client.asks.list({ text })
  const { folder } = get()
  const isGone =
    text === '' && !asks.some((ask) => (folder === ARCHIVE ? ask.archived : ask.folder === folder))
  return { asks, ...(isGone && { folder: null }) }
}

/** What an ask began with, its files too, as a draft of another. */
async function draftOf(client: LoamClient, { ask, turns }: AskDetail): Promise<AskDraft> {
  const { text, way, world, tools, remember, ownFiles, memoryId } = ask.spec
  // What Loam chose then it chooses anew.
  const method = ask.spec.automatic === true ? null : ask.spec.method
  const model = ask.spec.model === IMPORTED_MODEL ? null : ask.spec.model
  const { instructions, temperature, topP, maxTokens } = ask.spec
  const files = (turns[0]?.given ?? []).map(async ({ name, bytes }) => {
    const { base64 } = await client.asks.file({ askId: ask.id, name })
    return { name, bytes, base64 }
  })
  const choice = { text, way, world, model, method, tools, remember, ownFiles, memoryId }
  return {
    ...choice,
    ...{ instructions, temperature, topP, maxTokens, project: ask.folder, temporary: ask.temporary },
    files: await Promise.all(files),
  }
}

/** Bytes that base64 stands for, which fills its end up. */
const bytesOf = (base64: string): number => Math.floor(base64.replace(/={1,2}$/, '').length * 0.75)

const draftFiles = (files: MessageDraft['files']): DraftFile[] =>
  files.map((file) => ({ ...file, bytes: bytesOf(file.base64) }))

/** What the host has kept, beside what was written since. */
function withKept({ draft, replies }: AsksData, drafts: readonly MessageDraft[]): Partial<AsksData> {
  const own = drafts.find(({ key }) => key === NEW)
  const others = drafts.filter(({ key }) => key !== NEW)
  return {
    ...(own &&
      draft === EMPTY_DRAFT && {
        draft: {
          ...EMPTY_DRAFT,
          ...own.choices,
          world: own.choices?.world,
          text: own.text,
          files: draftFiles(own.files),
        },
      }),
    replies: {
      ...Object.fromEntries(others.map(({ key, text, files }) => [key, { text, files: draftFiles(files) }])),
      ...replies,
    },
  }
}

/** All asks, one of them live, and the one that is being written. */
export function createAsksStore(client: LoamClient) {
  let stop = () => {}
  const newest = createNewest()
  const keeper = createDraftKeeper(client)
  let reading: Promise<void> | null = null
  return createStore(
    combine(START, (set, get) => {
      const put = (ask: AskInfo) => {
        const before = get().asks.find(({ id }) => id === ask.id)
        set(({ asks }) => ({ asks: asks.map((record) => (record.id === ask.id ? ask : record)) }))
        // A new message moves it to the top.
        if (before && before.messageAt !== ask.messageAt) void load()
      }

      const follow = (askId: string) =>
        followFeed<AskDetail>({
          open: (since, signal) => client.asks.watch({ askId, since }, { signal }),
          onState(detail, before) {
            set({ detail })
            if (detail.ask !== before?.ask) put(detail.ask)
          },
          onProblem: (detailProblem) => set({ detailProblem }),
        })

      /** Asks the host for something; why it was refused is held. Resolves to whether it was taken. */
      const command = (act: () => Promise<unknown>): Promise<boolean> =>
        runCommand(act, {
          begin: () => set({ refused: null }),
          refused: (refused) => set({ refused }),
        })

      /** Once: later what this window writes is newer. */
      const readDrafts = () =>
        (reading ??= client.asks.drafts().then(
          (drafts) => set((state) => withKept(state, drafts)),
          () => {
            reading = null
          },
        ))

      const keepDraft = (withFiles: boolean): void => {
        const { text: words, files, temporary, ...choices } = get().draft
        const { tools } = choices
        // Of a temporary one the disk gets nothing, and loses what it had.
        const text = temporary ? '' : words
        keeper.keep({
          ...{ key: NEW, text, choices: { ...choices, tools: tools && [...tools] } },
          ...((withFiles || temporary) && { files: temporary ? [] : handed(files) }),
        })
      }

      const write = (change: Partial<AskDraft>): void => {
        set(({ draft }) => ({ draft: { ...draft, ...change } }))
        keepDraft(change.files !== undefined || change.temporary !== undefined)
      }

      const load = () => readInto<AsksData>(set, () => readList(client, get), newest())

      /** Changes an ask of the list. Resolves to the problem, or null. */
      const change = (work: Promise<AskInfo>): Promise<LoamErrorShape | null> =>
        refusalOf(
          work.then((ask) => {
            put(ask)
            return load()
          }),
        )

      /** Puts an ask on screen and follows it; null goes to the composer. */
      function open(openId: string | null) {
        if (get().openId === openId) return
        stop()
        stop = () => {}
        set({ ...NOTHING_OPEN, openId })
        if (openId !== null && openId !== OWN_CURVE) stop = follow(openId)
      }

      return {
        async load() {
          await Promise.all([readDrafts(), load()])
        },
        /** Has the host keep at once what is being written. */
        keepDrafts: keeper.flush,
        ...nextMessages({ get, set, keeper, command }),
        search(text: string) {
          set({ text })
          void load()
        },
        look: (folder: string | null) => set({ folder }),
        /** Goes to the composer, in the project that is looked into, else in none; what is being written there already stays in its own. */
        begin(project: string | null) {
          const { draft } = get()
          if (project !== null || (draft.text === '' && draft.files.length === 0)) write({ project })
          open(null)
          set(({ compositions }) => ({ compositions: compositions + 1 }))
        },
        open,
        write,
        /** Puts what the open ask began with into the composer, files too, and goes there. */
        rewrite: () =>
          command(async () => {
            const { detail } = get()
            if (!detail) return
            write(await draftOf(client, detail))
            open(null)
          }),
        /** Asks, and opens what was asked. */
        async start(input: StartAsk) {
          set({ starting: true })
          await command(async () => {
            const ask = await client.asks.start(input)
            // What was chosen stays for the next one.
            if (get().draft.text === input.text) write({ text: '', files: [], temporary: false })
            keeper.flush()
            set({ text: '' })
            await load()
            open(ask.id)
          })
          set({ starting: false })
        },
        command,
        change,
        /** Makes a new ask of all up to a try, and opens it. */
        fork: (askId: string, attempt: number) =>
          command(async () => {
            const ask = await client.asks.fork({ askId, attempt })
            await load()
            open(ask.id)
          }),
        remove(askId: string) {
          if (get().openId === askId) open(null)
          return change(client.asks.remove({ askId }))
        },
        clearRefused: () => set({ refused: null }),
        stopWatching: () => stop(),
      }
    }),
  )
}
