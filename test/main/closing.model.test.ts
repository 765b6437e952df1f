import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { expect, it } from 'vitest'
import { createApp } from '../../src/main/app'
import { closeAll } from '../../src/main/ground/close-all'
import { childrenOf, isRunning } from './headless-process'

const model = resolve(import.meta.dirname, '../../models/loam-demo.gguf')

it('closes everything, however often closing fails, and says what failed first', async () => {
  const closed: string[] = []
  const work = closeAll([
    () => closed.push('a'),
    () => Promise.reject(new Error('first')),
    () => {
      throw new Error('second')
    },
    () => closed.push('b'),
  ])
  await expect(work).rejects.toThrow('first')
  expect(closed).toEqual(['a', 'b'])
})

it.skipIf(process.platform !== 'linux' || !existsSync(model))(
  'ends the engine and gives the data folder free although a waiting run cannot be stored',
  async () => {
    const data = mkdtempSync(join(tmpdir(), 'loam-closing-'))
    const before = new Set(childrenOf(process.pid))
    const app = await createApp({ dataPath: data, host: 'memory' })
    const { runIds } = await app.runDrafts.startDemo({ tasks: 60, seed: 1 })
    await expect.poll(() => app.runs.get(runIds[0] ?? '').done).toBeGreaterThan(0)
    const engines = childrenOf(process.pid).filter((pid) => !before.has(pid))
    expect(engines.length).toBeGreaterThan(0)
    const record = join(data, 'runs', runIds[1] ?? '')
    rmSync(record, { recursive: true })
    writeFileSync(record, 'a file where a folder was, so that nothing can be appended in it')
    await expect(app.dispose()).rejects.toThrow()
    await expect.poll(() => engines.filter(isRunning)).toEqual([])
    expect(existsSync(join(data, 'lock'))).toBe(false)
    rmSync(data, { recursive: true, force: true })
  },
)
