import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  scheduleSchema,
  type Schedule,
  type StoredSoftPrompt,
  type SoftPromptListView,
} from '../../shared/domain/soft-prompt-training'
import type { ItemMark } from '../../shared/domain/item'
import type { Comparison, SoftPrompt, Trial } from '../../shared/domain/soft-prompt'
import { LoamError } from '../../shared/errors'
import { replaceFile, replaceJson } from '../ground/atomic-file'
import { readJsonOr } from '../ground/read-json'
import { softPromptTrash, type SoftPromptTrash, lastOf, openSoftPromptRecord } from './trash'
import { infoPathOf, readSoftPrompt, type SoftPromptFile } from './soft-prompt-file'

/** The soft prompts of one memory: `<memory>/artifacts/soft-prompts`. At most one per environment is in use. */
export interface SoftPromptStore extends SoftPromptTrash {
  readonly folder: string
  /** Newest first; those that cannot be read are left out. */
  list(): Promise<SoftPromptFile[]>
  /** The one of this name (without `.gguf`); null when it was never written whole. Throws `SOFT_PROMPT` when it is damaged. */
  find(name: string): Promise<SoftPromptFile | null>
  /** The one in use for an environment: one that is pinned for it (the newest), else the one last put to use; none that is muted. Throws `SOFT_PROMPT` when it is damaged or gone. */
  current(environment: string): Promise<SoftPromptFile | null>
  /** Puts one of the shelf's (by adapter file name) to use, or none. */
  use(environment: string, adapter: string | null, at: string): Promise<void>
  /** Takes the last change of an environment back; false when there is none. */
  undo(environment: string): Promise<boolean>
  /** Everything with how it is used. */
  view(): Promise<Pick<SoftPromptListView, 'items' | 'history' | 'damaged'>>
  /** One of the shelf's by adapter file name. Throws `NOT_FOUND`, or `SOFT_PROMPT` when it is damaged. */
  get(adapter: string): Promise<SoftPromptFile>
  /** Notes on a soft prompt what it did for tasks it had not learned from. */
  noteComparison(adapter: string, comparison: Comparison): Promise<void>
  /** Notes on a soft prompt of a run how it did on the run's held-out tasks. */
  noteTrial(adapter: string, trial: Trial): Promise<void>
  /** Pins or mutes one; null takes that back. */
  mark(adapter: string, mark: ItemMark | null): Promise<void>
  marks(): Promise<Readonly<Record<string, ItemMark>>>
  /** Gives one a name. */
  label(adapter: string, label: string, at: string): Promise<void>
  /** Puts one that came from elsewhere on the shelf; its adapter's checksum must be what `info` says. */
  add(info: SoftPrompt, adapter: Uint8Array): Promise<void>
  schedule(): Promise<Schedule>
  setSchedule(schedule: Schedule): Promise<void>
}

const NO_SCHEDULE: Schedule = { rule: { kind: 'manual' }, input: null, lastAt: null }

/** The shelf of the memory in `memoryFolder`. Nothing is written before something is put to use. */
export function openSoftPromptStore(memoryFolder: string): SoftPromptStore {
  const record = openSoftPromptRecord(memoryFolder)
  const { folder, read, write, get } = record
  const scheduleFile = join(folder, 'schedule.json')
  const isThere = (name: string): boolean => existsSync(infoPathOf(join(folder, name)))
  return {
    folder,
    ...softPromptTrash(record),
    async list() {
      const read = await Promise.allSettled(
        (await record.names(folder)).map((name) => readSoftPrompt(join(folder, name))),
      )
      return read
        .flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
        .sort((a, b) => (a.info.createdAt < b.info.createdAt ? 1 : -1))
    },
    async find(name) {
      const adapter = join(folder, `${name}.gguf`)
      return existsSync(infoPathOf(adapter)) ? await readSoftPrompt(adapter) : null
    },
    async current(environment) {
      const { history, marks = {} } = await read()
      const pinned = Object.keys(marks).filter((name) => marks[name] === 'pinned')
      if (pinned.length > 0) {
        const files = await Promise.all(
          pinned.filter(isThere).map((name) => readSoftPrompt(join(folder, name))),
        )
        const own = files.filter(({ info }) => info.environment === environment)
        const newest = own.sort((a, b) => (a.info.createdAt < b.info.createdAt ? 1 : -1))[0]
        if (newest) return newest
      }
      const last = lastOf(history, environment)
      return last !== null && marks[last] !== 'muted' ? await readSoftPrompt(join(folder, last)) : null
    },
    async use(environment, adapter, at) {
      const { history, ...rest } = await read()
      await write({ ...rest, history: [...history, { environment, adapter, at }] })
    },
    async undo(environment) {
      const { history, ...rest } = await read()
      const at = history.findLastIndex((one) => one.environment === environment)
      if (at < 0) return false
      await write({ ...rest, history: history.toSpliced(at, 1) })
      return true
    },
    async view() {
      const { history } = await read()
      const inUse = new Set(history.map((one) => one.environment).flatMap((of) => lastOf(history, of) ?? []))
      const items: StoredSoftPrompt[] = []
      const damaged: { file: string; problem: string }[] = []
      for (const name of await record.names(folder)) {
        try {
          const { info } = await readSoftPrompt(join(folder, name))
          const isUsed = history.some(({ adapter }) => adapter === name)
          const { size } = await stat(join(folder, name))
          items.push({
            state: inUse.has(name) ? 'in-use' : isUsed ? 'earlier' : 'candidate',
            bytes: size,
            info,
          })
        } catch (error) {
          if (!(error instanceof LoamError)) throw error
          damaged.push({ file: name, problem: error.why })
        }
      }
      items.sort((a, b) => (a.info.createdAt < b.info.createdAt ? 1 : -1))
      return { items, history: [...history], damaged }
    },
    get,
    async noteComparison(adapter, comparison) {
      const { info } = await get(adapter)
      await replaceJson(infoPathOf(join(folder, adapter)), { ...info, comparison })
    },
    async noteTrial(adapter, trial) {
      const { info } = await get(adapter)
      await replaceJson(infoPathOf(join(folder, adapter)), { ...info, trial })
    },
    async mark(adapter, mark) {
      await get(adapter)
      const { marks = {}, ...rest } = await read()
      const others = Object.fromEntries(Object.entries(marks).filter(([name]) => name !== adapter))
      await write({ ...rest, marks: mark === null ? others : { ...others, [adapter]: mark } })
    },
    marks: async () => (await read()).marks ?? {},
    async label(adapter, label, at) {
      const { info } = await get(adapter)
      await replaceJson(infoPathOf(join(folder, adapter)), { ...info, label, labelledAt: at })
    },
    async add(info, adapter) {
      if (createHash('sha256').update(adapter).digest('hex') !== info.adapterSha256)
        throw new LoamError('CHECKSUM', `The adapter ${info.adapter} is not what its description says.`, {
          suggestion: 'Export it again where it came from.',
        })
      const name = `${info.adapterSha256.slice(0, 16)}.gguf`
      const path = join(folder, name)
      await mkdir(folder, { recursive: true })
      await replaceFile(path, async (target) => target.writeFile(adapter))
      // Without its description an adapter is not found, so it comes last.
      await replaceJson(infoPathOf(path), { ...info, adapter: name })
    },
    schedule: () => readJsonOr(scheduleFile, scheduleSchema, NO_SCHEDULE),
    async setSchedule(schedule) {
      await mkdir(folder, { recursive: true })
      await replaceJson(scheduleFile, schedule)
    },
  }
}
