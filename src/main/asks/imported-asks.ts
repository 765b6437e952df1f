import { createHash } from 'node:crypto'
import { UNJUDGED } from '../../core/agent/straight'
import { canonicalJson } from '../../core/ground/canonical-json'
import { attemptId } from '../../core/ground/identity'
import type { ForeignChat, ForeignTry, ForeignTurn } from '../../core/memory/experiences/import/foreign-chat'
import { specOf, type AskAttempt, type AskFile, type AskInfo, type AskSpec } from '../../shared/domain/ask'
import { IMPORTED_MODEL, type AskOrigin } from '../../shared/domain/ask-origin'
import { NO_USAGE } from '../../shared/domain/trajectory'
import type { ChatArrival, ChatStanding, ImportedAsks } from '../memories/imported-chats'
import type { AskEntry } from './ask-entry'
import { keepGiven, type GivenFile } from './ask-files'
import { applyAskEvent, titleOf, type AskEvent, type AskState, type AskTodo } from './ask-record'
import type { AskStore } from './ask-store'

/** What it is done with. */
export interface ImportedAskPorts {
  readonly store: AskStore
  /** All asks, by id. */
  readonly entries: Map<string, AskEntry>
  add(state: AskState): AskEntry
  record(entry: AskEntry, event: AskEvent): Promise<AskInfo>
  /** Who goes on with what another program answered. @throws LoamError `CONFLICT` where there is no such model */
  ownModel(): Promise<string>
  /** How asks work where nobody chose. */
  usual(): Pick<AskSpec, 'method' | 'k'>
}

const hash = (value: unknown): string => createHash('sha256').update(canonicalJson(value)).digest('hex')

/** What was said in a conversation, whatever it is called. */
const printOf = ({ program, turns }: ForeignChat): string => hash({ program, turns }).slice(0, 32)

/** Whether a person said more, judged, or had something tried again since it came in. */
function isGoneOnWith({ state: { ask, turns, attempts, queue } }: AskEntry): boolean {
  const { origin } = ask
  return (
    origin !== null &&
    (turns.length > origin.turns ||
      attempts.length > origin.attempts ||
      queue.length > 0 ||
      attempts.some(({ judgement }) => judgement !== null))
  )
}

/** What was imported is gone on with by a model that is here. */
export async function withOwnModel(
  { state }: AskEntry,
  todo: AskTodo,
  { ownModel }: Pick<ImportedAskPorts, 'ownModel'>,
): Promise<AskTodo> {
  if (specOf(state.ask, todo).model !== IMPORTED_MODEL) return todo
  return { ...todo, changes: { ...todo.changes, model: await ownModel() } }
}

/** Opens it. */
export function openImportedAsks({
  store,
  entries,
  add,
  record,
  usual,
}: Omit<ImportedAskPorts, 'ownModel'>): ImportedAsks {
  const imported = (fits: (origin: AskOrigin, ask: AskInfo) => boolean): AskEntry[] =>
    [...entries.values()].filter(({ state: { ask } }) => ask.origin !== null && fits(ask.origin, ask))
  const ofImport = (importId: string): AskEntry[] => imported((origin) => origin.importId === importId)
  /** Earlier states of a conversation that came in and are there. */
  const earlierOf = ({ program, sourceId }: ForeignChat): AskEntry[] =>
    sourceId === null
      ? []
      : imported(
          (origin, { deletedAt }) =>
            deletedAt === null && origin.program === program && origin.sourceId === sourceId,
        )

  const standing = (chat: ForeignChat): ChatStanding => {
    const print = printOf(chat)
    const same = imported((origin) => origin.print === print)
    if (same.some(({ state }) => state.ask.deletedAt === null)) return 'there'
    return same.length > 0 ? 'deleted' : 'fresh'
  }

  return {
    standing,
    async takeChat(chat, arrival) {
      const earlier = earlierOf(chat).find((entry) => !isGoneOnWith(entry))
      const createdAt = chat.createdAt ?? chat.turns[0]?.time ?? arrival.now
      const print = printOf(chat)
      const id = `ask-${createdAt.slice(0, 10)}-${hash({ print, importId: arrival.importId }).slice(0, 10)}`
      const inputs: AskFile[][] = []
      for (const [turn, { files }] of chat.turns.entries())
        inputs.push(await keepGiven(store.givenFolder(id, turn), filesOf(files)))
      const spec = { ...usual(), memoryId: arrival.memoryId }
      const events = eventsOf(id, chat, { ...arrival, createdAt, print, spec, inputs })
      await store.append(id, ...events)
      const state = events.reduce<AskState | null>((before, event) => applyAskEvent(before, event), null)
      if (!state) throw new Error('An ask begins with what is asked.')
      add(state)
      if (earlier) await record(earlier, { kind: 'replaced', importId: arrival.importId, at: arrival.now })
      return id
    },
    goneOnWith: (importId) =>
      ofImport(importId)
        .filter((entry) => entry.state.ask.deletedAt === null && isGoneOnWith(entry))
        .map(({ state }) => state.ask),
    async undoChats(importId) {
      let [removals, restored] = [0, 0]
      for (const entry of ofImport(importId)) {
        if (entry.state.ask.deletedAt === null && isGoneOnWith(entry)) continue
        await store.erase(entry.state.ask.id)
        entries.delete(entry.state.ask.id)
        entry.feed.close()
        removals++
      }
      for (const entry of imported((origin) => origin.replacedBy === importId)) {
        await record(entry, { kind: 'replaced', importId: null, at: entry.state.ask.changedAt })
        restored++
      }
      return { removed: removals, restored }
    },
  }
}

const PLAIN = /[^\p{L}\p{N}._ -]/gu

/** Files that a log holds, under plain names of which each stands for one. */
function filesOf(files: ForeignTurn['files']): GivenFile[] {
  const names = new Set<string>()
  return files.flatMap(({ name, base64 }, i) => {
    if (base64 === null) return []
    const plain = name
      .replaceAll(PLAIN, '_')
      .replace(/^[. ]+/, '')
      .slice(-100)
    const own = plain === '' || names.has(plain.toLowerCase()) ? `${i + 1}-${plain}` : plain
    names.add(own.toLowerCase())
    return [{ name: own, base64 }]
  })
}

interface EventParts extends ChatArrival {
  readonly createdAt: string
  readonly print: string
  readonly spec: Pick<AskSpec, 'method' | 'k' | 'memoryId'>
  /** The files of each message, as they are kept. */
  readonly inputs: readonly AskFile[][]
}

/** An ask as its events would have it that was asked when the log says so. */
function eventsOf(id: string, chat: ForeignChat, parts: EventParts): AskEvent[] {
  const { createdAt, print, importId, project, inputs } = parts
  const { program, sourceId, turns } = chat
  const spec: AskSpec = {
    ...{ text: turns[0]?.text ?? '', way: 'straight', world: null, model: IMPORTED_MODEL, automatic: true },
    ...{ remember: true, ownFiles: true, tools: null, instructions: '', seed: null },
    ...{ temperature: null, topP: null, maxTokens: null },
    ...parts.spec,
  }
  const attempts = turns.reduce((sum, { tries }) => sum + tries.length, 0)
  const origin = { program, sourceId, importId, print, turns: turns.length, attempts, replacedBy: null }
  const events: AskEvent[] = []
  let [index, at, after]: [number, string, number | null] = [0, createdAt, null]
  for (const [turn, { text, time, files, tries }] of turns.entries()) {
    at = later(at, time)
    const own = { given: inputs[turn] ?? [], missing: missingOf(files) }
    if (turn === 0)
      events.push({ ...{ kind: 'asked', id, spec, folder: project, temporary: false, origin, at }, ...own })
    else events.push({ kind: 'said', turn: { ...own, text, after, at, removed: false }, at })
    const startedAt = at
    for (const one of tries) {
      at = later(at, one.time)
      const message = { text: one.text ?? text, turn, startedAt, at }
      events.push({ kind: 'tried', attempt: attemptOf(id, index, spec, one, message), isNews: false, at })
      after = index++
    }
  }
  // Nobody answered its last message: it waits for the person, not for a model.
  if (turns.at(-1)?.tries.length === 0) events.push({ kind: 'stopped', problem: null, at })
  return [...events, { kind: 'titled', title: titleOf(chat.title ?? spec.text), at }]
}

const missingOf = (files: ForeignTurn['files']): string[] =>
  files.flatMap(({ name, base64 }) => (base64 === null ? [name.slice(0, 200)] : []))

/** Times of a log may be missing, or out of order. */
const later = (before: string, time: string | null): string =>
  time !== null && time > before ? time : before

function attemptOf(
  id: string,
  index: number,
  { method, memoryId }: AskSpec,
  { text: words, model, rounds }: ForeignTry,
  {
    text,
    turn,
    startedAt,
    at,
  }: { readonly text: string; readonly turn: number; readonly startedAt: string; readonly at: string },
): AskAttempt {
  const action = rounds.at(-1)?.action
  const answer = action?.kind === 'answer' ? action.content : null
  return {
    ...{ index, turn, changes: turn === 0 && words === null ? {} : { text }, from: null, fitted: null },
    trajectory: {
      ...{ id: attemptId(id, index), runId: id, memoryId, method, model: model ?? '', seed: 0, recalled: [] },
      task: { id, index, environment: 'general', instruction: text, skills: [], context: '' },
      ...{ rounds: [...rounds], finish: answer === null ? 'stopped' : 'completed' },
      question: { level: null, dataset: null, answer, grades: null },
      ...{ reward: 0, ungraded: UNJUDGED, usage: NO_USAGE, startedAt, finishedAt: at },
    },
    ...{ made: [], facts: [], offers: [], contextSize: null, contextUsed: null, unread: '', removed: false },
    ...{ misplaced: [], judgement: null, ruled: null, reading: null },
  }
}
