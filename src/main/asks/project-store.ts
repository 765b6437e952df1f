import { projectSettingsSchema, type ProjectSettings } from '../../shared/domain/ask'
import { createSerial } from '../../shared/serial'
import { readRecord, writeRecord } from '../ground/record-file'
import type { AskTry } from './play-ask'

const settingsSchema = projectSettingsSchema.array()

/** How the asks of each project are answered, in one file. */
export type ProjectStore = ReturnType<typeof openProjectStore>

export function openProjectStore(path: string) {
  const serial = createSerial()
  const read = (): Promise<ProjectSettings[]> => readRecord(path, settingsSchema, [])
  return {
    list: (): Promise<ProjectSettings[]> => serial(read),
    /** Keeps them for one project; one that says nothing is not kept. @throws LoamError `DISK_FULL`, `DISK_WRITE` */
    set: (settings: ProjectSettings): Promise<ProjectSettings[]> =>
      serial(async () => {
        const others = (await read()).filter(({ name }) => name !== settings.name)
        const { name: _, instructions, ...sampling } = settings
        const isAny = instructions !== '' || Object.values(sampling).some((value) => value !== null)
        const all = [...others, ...(isAny ? [settings] : [])].sort((a, b) => a.name.localeCompare(b.name))
        await writeRecord(path, all)
        return all
      }),
    /** What was set for one project is so for another; what that one has itself stays. @throws as `set` */
    rename: (from: string, name: string): Promise<void> =>
      serial(async () => {
        const all = await read()
        const own = all.some((one) => one.name === name)
        const others = all.filter((one) => one.name !== from || !own)
        await writeRecord(
          path,
          others.map((one) => (one.name === from ? { ...one, name } : one)),
        )
      }),
  }
}

/** A try with what its project says where the ask itself says nothing; instructions of both stand together, the project's first. */
export async function inProject(one: AskTry, { list }: Pick<ProjectStore, 'list'>): Promise<AskTry> {
  const { folder, spec } = one.ask
  const project = folder === null ? undefined : (await list()).find(({ name }) => name === folder)
  if (!project) return one
  const instructions = [project.instructions, spec.instructions].filter((part) => part !== '').join('\n\n')
  const temperature = spec.temperature ?? project.temperature
  const topP = spec.topP ?? project.topP
  const maxTokens = spec.maxTokens ?? project.maxTokens
  return { ...one, ask: { ...one.ask, spec: { ...spec, instructions, temperature, topP, maxTokens } } }
}
