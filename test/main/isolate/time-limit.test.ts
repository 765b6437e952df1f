import { readdir, readFile } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import type { CodeReply, CodeRequest } from '../../../src/main/adapters/isolate/work/code'
import { Isolate } from '../../../src/main/ground/isolate/isolate'

const isolates: Isolate<CodeRequest, CodeReply>[] = []
afterEach(() => {
  for (const isolate of isolates.splice(0)) isolate.end()
})
function codeIsolate(): Isolate<CodeRequest, CodeReply> {
  const isolate = new Isolate<CodeRequest, CodeReply>('javascript')
  isolates.push(isolate)
  return isolate
}
const requestOf = (code: string) => (): CodeRequest => ({
  ...{ code, files: { changed: [], removed: [] }, folderBytes: 1000, timeMs: 3_600_000, libraries: [] },
})
const HOUR = 3_600_000

/** Processes of isolates below this one. */
async function children(): Promise<number[]> {
  const threads = await readdir('/proc/self/task')
  const text = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
  const lists = await Promise.all(threads.map((id) => text(`/proc/self/task/${id}/children`)))
  const all = lists.flatMap((list) => list.split(' ').filter(Boolean))
  const commands = await Promise.all(all.map((id) => text(`/proc/${id}/cmdline`)))
  return all.filter((_, i) => commands[i]?.includes('isolate.js')).map(Number)
}

it('work that takes more processor time than it may is ended, and what comes after it is done', async () => {
  const isolate = codeIsolate()
  const limit = { cpuMs: 500, clockMs: HOUR }
  await expect(isolate.call(requestOf('for (;;);'), limit)).rejects.toMatchObject({ reason: 'time' })
  expect(await isolate.call(requestOf('1 + 1'), limit)).toMatchObject({ value: '2' })
})

it.runIf(process.platform === 'linux')(
  'work that gets no processor is waited for, and by the clock not for ever',
  async () => {
    // Files before this one share its process, and may have left some.
    const others = new Set(await children())
    const isolate = codeIsolate()
    await isolate.call(requestOf('0'), HOUR)
    const [child = 0] = (await children()).filter((id) => !others.has(id))
    process.kill(child, 'SIGSTOP')
    const late = isolate.call(requestOf('1 + 1'), { cpuMs: 500, clockMs: HOUR })
    await setTimeout(1500)
    process.kill(child, 'SIGCONT')
    expect(await late).toMatchObject({ value: '2' })
    process.kill(child, 'SIGSTOP')
    const never = isolate.call(requestOf('1 + 1'), { cpuMs: HOUR, clockMs: 500 })
    await expect(never).rejects.toMatchObject({ reason: 'time' })
  },
)
