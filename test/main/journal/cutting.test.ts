import type * as files from 'node:fs/promises'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'

/** As Windows does it: a handle opened to append may not cut, and here its second write fails half way. */
const disk = vi.hoisted(() => ({ failing: false }))

vi.mock('node:fs/promises', async (original) => {
  const real = await original<typeof files>()
  return {
    ...real,
    open: async (path: string, flags: string) => {
      const handle = await real.open(path, flags)
      if (flags !== 'a') return handle
      const append = handle.appendFile.bind(handle)
      handle.appendFile = async (data) => {
        if (!disk.failing) return append(data)
        await append(String(data).slice(0, 5))
        throw Object.assign(new Error('no room'), { code: 'ENOSPC' })
      }
      handle.truncate = () => Promise.reject(Object.assign(new Error('not permitted'), { code: 'EPERM' }))
      return handle
    },
  }
})

const { openBuildLog } = await import('../../../src/main/journal/build-log')

it('a piece that did not fit is cut off where an appending handle may not cut', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loam-cutting-'))
  const log = openBuildLog(folder, 'b1')
  const path = join(folder, 'b1.jsonl')
  await log.append({ kind: 'first' } as never)
  const whole = await readFile(path, 'utf8')
  disk.failing = true
  await expect(log.append({ kind: 'second' } as never)).rejects.toMatchObject({ code: 'DISK_FULL' })
  disk.failing = false
  expect(await readFile(path, 'utf8')).toBe(whole)
})
