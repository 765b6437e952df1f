import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { createRng } from '../../../src/core/ground/random'
import { openMemory } from '../../../src/main/memory-store/memory'
import { TORTURE } from '../../torture'
import { inTempFolder, wordEmbedder } from './fixtures'

const ROUNDS = TORTURE ? 8 : 4
const idOf = (n: number): string => `c${String(n).padStart(5, '0')}`

/** Starts the writer, kills it after a while and answers what it had acknowledged. */
async function writeUntilKilled(folder: string, first: number, afterMs: number): Promise<string[]> {
  const script = fileURLToPath(new URL('./crash-writer.ts', import.meta.url))
  const child = spawn(process.execPath, ['--import', 'tsx', script, folder, String(first)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let out = ''
  let problems = ''
  child.stderr.on('data', (chunk: Buffer) => (problems += chunk.toString()))
  const begun = once(child.stdout, 'data')
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  const exited = once(child, 'close')
  await Promise.race([begun, exited])
  await sleep(afterMs)
  child.kill('SIGKILL')
  await exited
  expect(problems).toBe('')
  return out.split('\n').slice(0, -1)
}

const numbersOf = (what: string, lines: readonly string[]): number[] =>
  lines.filter((line) => line.startsWith(`${what} `)).map((line) => Number(line.slice(what.length + 1)))

async function journalIds(folder: string): Promise<string[]> {
  const names = (await readdir(join(folder, 'journal'))).sort()
  const text = (await Promise.all(names.map((name) => readFile(join(folder, 'journal', name), 'utf8')))).join(
    '',
  )
  return [...text.matchAll(/"kind":"case-added","case":\{"id":"([^"]+)"/g)].map((match) => match[1] ?? '')
}

describe('kill -9', () => {
  it(
    'loses nothing acknowledged, doubles nothing and leaves a memory that answers as if it had never happened',
    () =>
      inTempFolder(async (folder) => {
        const random = createRng('crash')
        const acknowledged: string[] = []
        let next = 0
        for (let round = 0; round < ROUNDS; round++) {
          acknowledged.push(...(await writeUntilKilled(folder, next, random.int(500))))
          // The commit under way may have been written without being acknowledged; its number is not used again.
          next = Math.max(-1, ...acknowledged.map((line) => Number(line.split(' ')[1]))) + 2
        }
        const memory = await openMemory({ folder, embedder: wordEmbedder() })
        const added = numbersOf('added', acknowledged)
        expect(added.length).toBeGreaterThan(ROUNDS)
        for (const n of added) {
          expect(await memory.get(idOf(n))).toMatchObject({ id: idOf(n) })
          expect(await memory.trajectory(`t-${idOf(n)}`)).toMatchObject({ id: `t-${idOf(n)}` })
        }
        for (const n of numbersOf('deleted', acknowledged))
          expect((await memory.get(idOf(n)))?.deletedAt).not.toBeNull()
        const evicted = new Set(numbersOf('evicted', acknowledged))
        for (const n of numbersOf('experience', acknowledged)) {
          const hits = await memory.experiences.search({ text: `unique${n}`, mode: 'text', k: 1 })
          if (evicted.has(n)) expect(hits).toEqual([])
          // An eviction under way may have been written without being acknowledged.
          else if (n % 6 !== 0) expect(hits.map(({ experience }) => experience.id)).toEqual([`x${n}`])
        }
        const ids = await journalIds(folder)
        expect(new Set(ids).size).toBe(ids.length)
        expect(ids.length).toBeLessThanOrEqual(added.length + ROUNDS)

        const [vector = new Float32Array()] = await wordEmbedder().embed(['task 3 word'])
        const before = [
          await memory.nearest(vector, ids.length),
          await memory.search('task word', ids.length),
        ].map((hits) => hits.map((hit) => hit.case.id).sort())
        expect(before[0]).toHaveLength((await memory.info()).cases)
        await memory.reindex()
        const after = [
          await memory.nearest(vector, ids.length),
          await memory.search('task word', ids.length),
        ].map((hits) => hits.map((hit) => hit.case.id).sort())
        expect(after).toEqual(before)
        await memory.close()
      }),
    300_000,
  )

  it(
    'cuts the commit that was torn and keeps the others',
    () =>
      inTempFolder(async (folder) => {
        const acknowledged = await writeUntilKilled(folder, 1, 100)
        const segments = (await readdir(join(folder, 'journal'))).sort()
        const last = join(folder, 'journal', segments.at(-1) ?? '')
        const whole = (await readFile(last, 'utf8')).split('\n').at(-2) ?? ''
        const opened = await openMemory({ folder, embedder: wordEmbedder() })
        const { cases } = await opened.info()
        await opened.close()
        await appendFile(last, whole.slice(0, whole.length / 2))
        const memory = await openMemory({ folder, embedder: wordEmbedder() })
        expect(memory.opening.tornTail?.bytes).toBe(Buffer.byteLength(whole.slice(0, whole.length / 2)))
        expect((await memory.info()).cases).toBe(cases)
        expect(acknowledged.length).toBeGreaterThan(0)
        await memory.close()
      }),
    120_000,
  )
})
