import { z } from 'zod'
import type { ModuleManifest } from '../../shared/domain/module'
import type { LoamError } from '../../shared/errors'
import { MODULE_FOLDERS } from '../ground/module-folders'
import type { Format } from '../../core/formats/format'
import { readApart } from './format-apart'
import { guarded } from './guard'
import { checkSpi } from './manifest'
import { importModule, unusable } from './module-code'
import { SEAM_LISTS } from './seams'

/** A module in a list of this process, and how many hold it: a command and the host of its own share one. */
interface Use {
  holders: number
  readonly failures: Set<(problem: LoamError) => void>
  leave(): void
}

const uses = new Map<string, Promise<Use>>()

/**
 * Loads a module and puts it into the list of its seam. What it throws later beyond words goes to `onFailure`, once. The function that
 * is answered takes it out again.
 * @throws LoamError `MODULE` naming what it lacks or failed with
 */
export async function useModule(
  folder: string,
  manifest: ModuleManifest,
  checksum: string,
  onFailure: (problem: LoamError) => void,
): Promise<() => void> {
  const key = `${folder}\n${checksum}`
  const usePromise = uses.get(key) ?? begin(folder, manifest, checksum)
  uses.set(key, usePromise)
  usePromise.catch(() => uses.delete(key))
  const use = await usePromise
  use.holders++
  use.failures.add(onFailure)
  return () => {
    use.failures.delete(onFailure)
    if (--use.holders > 0) return
    uses.delete(key)
    use.leave()
  }
}

async function begin(folder: string, manifest: ModuleManifest, checksum: string): Promise<Use> {
  const { title, seam, name } = manifest
  checkSpi(manifest)
  const list = SEAM_LISTS[seam]
  const module = await importModule(folder, manifest, checksum)
  try {
    const id = list.check(module)
    if (id !== name) throw new Error(`its id is "${id}", and its manifest says "${name}"`)
    if (list.ids().includes(id)) throw new Error(`there is a ${seam} "${id}" already`)
  } catch (error) {
    throw unusable(title, error instanceof z.ZodError ? new Error(z.prettifyError(error)) : error)
  }
  const failures: Use['failures'] = new Set()
  const fail = (error: unknown): LoamError => {
    const problem = unusable(title, error)
    for (const getNotice of [...failures]) getNotice(problem)
    return problem
  }
  const code = { folder, title, entry: manifest.entry, checksum }
  const leaveList = list.enter(
    seam === 'tool-server'
      ? { ...module, folder }
      : guarded(seam === 'format' ? readApart(module as Format, code) : module, fail),
  )
  const leaveFolders = MODULE_FOLDERS.enter(folder)
  return {
    holders: 0,
    failures,
    leave() {
      leaveList()
      leaveFolders()
    },
  }
}
