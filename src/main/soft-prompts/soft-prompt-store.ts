import { readRecord, writeRecord } from '../ground/record-file'
import { createHash } from 'node:crypto'
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
import { replaceFile } from '../ground/atomic-file'
import { softPromptTrash, lastOf, openSoftPromptRecord } from './trash'
import { hasInfo, infoPathOf, readSoftPrompt, type SoftPromptFile } from './soft-prompt-file'

/** The soft prompts of one memory: `<memory>/artifacts/soft-prompts`. At most one per environment is in use. */
export type SoftPromptStore = ReturnType<typeof openSoftPromptStore>

const NO_SCHEDULE: Schedule = { rule: { kind: 'manual' }, input: null, lastAt: null }

/** The shelf of the memory in `memoryFolder`. Nothing is written before something is put to use. */
export function openSoftPromptStore(memoryFolder: string) {
  const record = openSoftPromptRecord(memoryFolder)
  const { folder, read, write, get } = record
  const scheduleFile = join(folder, 'schedule.json')
  const isThere = (name: string): boolean => hasInfo(join(folder, name))
  return {
    folder,
    ...softPromptTrash(record),
    /** Newest first; those that cannot be read are left out. */
    async list(): Promise<SoftPromptFile[]> {
      const read = await Promise.allSettled(
        (await record.names(folder)).map((name) => readSoftPrompt(join(folder, name))),
      )
      return read
        .flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
        .sort((a, b) => (a.info.createdAt < b.info.createdAt ? 1 : -1))
    },
    /** The one of this name (without `.gguf`); null when it was never written whole. Throws `SOFT_PROMPT` when it is damaged. */
    async find(name: string): Promise<SoftPromptFile | null> {
      const adapter = join(folder, `${name}.gguf`)
      return hasInfo(adapter) ? await readSoftPrompt(adapter) : null
    },
    /** The one in use for an environment: one that is pinned for it (the newest), else the one last put to use; none that is muted. Throws `SOFT_PROMPT` when it is damaged or gone. */
    async current(environment: string): Promise<SoftPromptFile | null> {
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
    /** Puts one of the shelf's (by adapter file name) to use, or none. */
    async use(environment: string, adapter: string | null, at: string): Promise<void> {
      const { history, ...rest } = await read()
      await write({ ...rest, history: [...history, { environment, adapter, at }] })
    },
    /** Takes the last change of an environment back; false when there is none. */
    async undo(environment: string): Promise<boolean> {
      const { history, ...rest } = await read()
      const at = history.findLastIndex((one) => one.environment === environment)
      if (at < 0) return false
      await write({ ...rest, history: history.toSpliced(at, 1) })
      return true
    },
    /** Everything with how it is used. */
    async view(): Promise<Pick<SoftPromptListView, 'items' | 'history' | 'damaged'>> {
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
    /** One of the shelf's by adapter file name. Throws `NOT_FOUND`, or `SOFT_PROMPT` when it is damaged. */
    get,
    /** Notes on a soft prompt what it did for tasks it had not learned from. */
    async noteComparison(adapter: string, comparison: Comparison): Promise<void> {
      const { info } = await get(adapter)
      await writeRecord(infoPathOf(join(folder, adapter)), { ...info, comparison })
    },
    /** Notes on a soft prompt of a run how it did on the run's held-out tasks. */
    async noteTrial(adapter: string, trial: Trial): Promise<void> {
      const { info } = await get(adapter)
      await writeRecord(infoPathOf(join(folder, adapter)), { ...info, trial })
    },
    /** Pins or mutes one; null takes that back. */
    async mark(adapter: string, mark: ItemMark | null): Promise<void> {
      await get(adapter)
      const { marks = {}, ...rest } = await read()
      const others = Object.fromEntries(Object.entries(marks).filter(([name]) => name !== adapter))
      await write({ ...rest, marks: mark === null ? others : { ...others, [adapter]: mark } })
    },
    marks: async (): Promise<Readonly<Record<string, ItemMark>>> => (await read()).marks ?? {},
    /** Gives one a name. */
    async label(adapter: string, label: string, at: string): Promise<void> {
      const { info } = await get(adapter)
      await writeRecord(infoPathOf(join(folder, adapter)), { ...info, label, labelledAt: at })
    },
    /** Puts one that came from elsewhere on the shelf; its adapter's checksum must be what `info` says. */
    async add(info: SoftPrompt, adapter: Uint8Array): Promise<void> {
      if (createHash('sha256').update(adapter).digest('hex') !== info.adapterSha256)
        throw new LoamError('CHECKSUM', `The adapter ${info.adapter} is not what its description says.`, {
          suggestion: 'Export it again where it came from.',
        })
      const name = `${info.adapterSha256.slice(0, 16)}.gguf`
      const path = join(folder, name)
      await mkdir(folder, { recursive: true })
      await replaceFile(path, adapter)
      // Without its description an adapter is not found, so it comes last.
      await writeRecord(infoPathOf(path), { ...info, adapter: name })
    },
    schedule: (): Promise<Schedule> => readRecord(scheduleFile, scheduleSchema, NO_SCHEDULE),
    async setSchedule(schedule: Schedule): Promise<void> {
      await mkdir(folder, { recursive: true })
      await writeRecord(scheduleFile, schedule)
    },
  }
}
