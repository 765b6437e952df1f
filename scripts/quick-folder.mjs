import { mkdirSync, readdirSync, readFileSync, rmSync, statfsSync } from 'node:fs'
import { join } from 'node:path'

const SHARED = '/dev/shm'
const GIB = 2 ** 30
const NAME = /^loam-test-(\d+)$/

const isAlive = (pid) => {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error.code === 'EPERM'
  }
}

/** Whether programs may be started from what is mounted at `folder`, by the text of /proc/mounts. */
function mayRun(folder, mounts) {
  const mount = mounts.split('\n').find((line) => line.split(' ')[1] === folder)
  return mount !== undefined && !mount.split(' ')[3].split(',').includes('noexec')
}

/** Memory that is left to a process, in bytes, by the text of /proc/meminfo and the limit of its group (0: none). */
function memoryLeft(meminfo, limit) {
  const available = Number(/^MemAvailable: +(\d+) kB/m.exec(meminfo)?.[1] ?? 0) * 1024
  return limit > 0 ? Math.min(limit, available) : available
}

/** See quick-folder.d.mts. */
export function makeQuickFolder({ shared = SHARED, proc = '/proc', pid = process.pid, limit } = {}) {
  try {
    const most = limit ?? process.constrainedMemory?.() ?? 0
    const left = memoryLeft(readFileSync(join(proc, 'meminfo'), 'utf8'), most)
    const { bavail, bsize } = statfsSync(shared)
    if (bavail * bsize < 4 * GIB || left < 8 * GIB) return null
    if (!mayRun(shared, readFileSync(join(proc, 'mounts'), 'utf8'))) return null
    for (const name of readdirSync(shared)) {
      const owner = NAME.exec(name)?.[1]
      if (owner !== undefined && !isAlive(Number(owner)))
        rmSync(join(shared, name), { recursive: true, force: true })
    }
    const folder = join(shared, `loam-test-${pid}`)
    mkdirSync(folder, { mode: 0o700 })
    return folder
  } catch {
    // Another system, or one that does not let us: files are kept where they always are.
    return null
  }
}
