import { readRecord, writeRecord } from '../ground/record-file'
import { existsSync } from 'node:fs'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { ModuleInfo, ModuleManifest } from '../../shared/domain/module'
import { instant } from '../../shared/domain/units'
import { loamErrorShape } from '../../shared/domain/error-shape'
import { LoamError, toErrorShape } from '../../shared/errors'
import { checksumOf } from './module-checksum'
import { fetchModule } from './fetch-module'
import { readManifest } from './manifest'

/** What is kept about a module: where it came from, and the checksum of the code that a person allowed. */
const recordSchema = z.object({
  origin: z.string(),
  addedAt: instant,
  /** Null: nobody allowed it. */
  allowed: z.string().nullable(),
  /** Why it went off. */
  problem: loamErrorShape.nullable(),
})
type ModuleRecord = z.infer<typeof recordSchema>

const recordsSchema = z.record(z.string(), recordSchema)

/** Modules from outside: folders in the data folder, of which those are in use that a person allowed as they are. */
export type Modules = Awaited<ReturnType<typeof openModules>>

export interface ModulesOptions {
  readonly dataPath: string
  readonly now: () => Date
  readonly networkAllowed: () => boolean
  /** Uses what is allowed and writes nothing: the Loam that has the folder open does. Default false. */
  readonly readOnly?: boolean
  /** Told of every failure. */
  readonly onProblem: (name: string, problem: LoamError) => void
}

/** The folder of modules in a data folder. */
export const modulesFolder = (dataPath: string): string => join(dataPath, 'modules')

/** Opens the modules of a data folder and puts those to use that were allowed. One that fails is off; the others are not touched. */
export async function openModules({
  dataPath,
  now,
  networkAllowed,
  onProblem,
  readOnly = false,
}: ModulesOptions) {
  const modules = modulesFolder(dataPath)
  const file = join(modules, 'modules.json')
  const records: Record<string, ModuleRecord> = await readRecord(file, recordsSchema, {})
  const inUse = new Map<string, () => void>()
  const problems = new Map<string, LoamError>()

  let saving: Promise<void> = Promise.resolve()
  const save = (): Promise<void> =>
    (saving = saving.catch(() => undefined).then(() => (readOnly ? undefined : writeRecord(file, records))))
  const recordOf = (name: string): ModuleRecord =>
    (records[name] ??= { origin: 'its folder', addedAt: now().toISOString(), allowed: null, problem: null })

  const leave = (name: string): void => {
    inUse.get(name)?.()
    inUse.delete(name)
  }
  const enter = async (manifest: ModuleManifest, checksum: string): Promise<void> => {
    const { name } = manifest
    problems.delete(name)
    const onFailure = (problem: LoamError): void => {
      leave(name)
      recordOf(name).problem = problem.toShape()
      void save()
      onProblem(name, problem)
    }
    try {
      // Most people have no module: what modules may join is loaded with the first.
      const { useModule } = await import('./use-module')
      inUse.set(name, await useModule(join(modules, name), manifest, checksum, onFailure))
    } catch (error) {
      const problem = error instanceof LoamError ? error : LoamError.fromShape(toErrorShape(error))
      problems.set(name, problem)
      onProblem(name, problem)
    }
  }

  const manifestOf = async (name: string): Promise<ModuleManifest> => {
    const manifest = await readManifest(join(modules, name)).catch(() => null)
    if (manifest?.name === name) return manifest
    throw new LoamError('NOT_FOUND', `There is no module "${name}".`, {
      suggestion: 'See which there are with: loam module list',
    })
  }
  const infoOf = async (manifest: ModuleManifest): Promise<ModuleInfo> => {
    const { name } = manifest
    const { origin = 'its folder', addedAt = null, allowed = null, problem = null } = records[name] ?? {}
    const failure = problem ?? problems.get(name)?.toShape() ?? null
    const isChanged = allowed !== null && (await checksumOf(join(modules, name)).catch(() => '')) !== allowed
    const state =
      allowed === null ? 'off' : failure ? 'failed' : isChanged ? 'changed' : inUse.has(name) ? 'on' : 'off'
    return { ...manifest, origin, addedAt, state, problem: allowed === null ? null : failure }
  }
  const names = async (): Promise<string[]> =>
    (await readdir(modules, { withFileTypes: true }).catch(() => []))
      .filter((entry) => entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
      .map(({ name }) => name)
      .sort()
  const manifests = async (): Promise<ModuleManifest[]> => {
    const read = await Promise.all((await names()).map((name) => manifestOf(name).catch(() => null)))
    return read.flatMap((manifest) => manifest ?? [])
  }

  for (const manifest of await manifests()) {
    const { allowed = null, problem = null } = records[manifest.name] ?? {}
    if (allowed === null || problem !== null) continue
    const checksum = await checksumOf(join(modules, manifest.name)).catch(() => '')
    if (checksum === allowed) await enter(manifest, checksum)
  }

  return {
    list: async (): Promise<ModuleInfo[]> => Promise.all((await manifests()).map(infoOf)),
    /** Copies a module from a folder or a package; it is off until it is allowed. @throws LoamError `MODULE`, `NETWORK_OFF`, `BAD_INPUT` */
    async add(source: string, signal?: AbortSignal): Promise<ModuleInfo> {
      const { manifest, origin } = await fetchModule(source, modules, networkAllowed, signal)
      leave(manifest.name)
      const { allowed = null } = records[manifest.name] ?? {}
      records[manifest.name] = { origin, addedAt: now().toISOString(), allowed, problem: null }
      await save()
      return infoOf(manifest)
    },
    /** Puts a module to use, as its code is now; a failure stands in its `problem`. @throws LoamError `NOT_FOUND` */
    async allow(name: string): Promise<ModuleInfo> {
      const manifest = await manifestOf(name)
      leave(name)
      const checksum = await checksumOf(join(modules, name))
      Object.assign(recordOf(name), { allowed: checksum, problem: null })
      await save()
      await enter(manifest, checksum)
      return infoOf(manifest)
    },
    /** @throws LoamError `NOT_FOUND` */
    async deny(name: string): Promise<ModuleInfo> {
      const manifest = await manifestOf(name)
      leave(name)
      problems.delete(name)
      Object.assign(recordOf(name), { allowed: null, problem: null })
      await save()
      return infoOf(manifest)
    },
    /** Deletes its folder. @throws LoamError `NOT_FOUND` */
    async remove(name: string): Promise<void> {
      await manifestOf(name)
      leave(name)
      await rm(join(modules, name), { recursive: true, force: true })
      // oxlint-disable-next-line typescript/no-dynamic-delete -- records are a file's object
      delete records[name]
      await save()
    },
    /** Takes every module out of use. */
    async close(): Promise<void> {
      for (const name of [...inUse.keys()]) leave(name)
      await saving
    },
  }
}

/** The modules that were allowed, for a command that names things of theirs; null where there are none. */
export const readModules = async (
  dataPath: string,
  onProblem: ModulesOptions['onProblem'],
): Promise<Modules | null> =>
  existsSync(join(modulesFolder(dataPath), 'modules.json'))
    ? openModules({ dataPath, now: () => new Date(), networkAllowed: () => false, onProblem, readOnly: true })
    : null
