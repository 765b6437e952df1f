import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openLogger } from '../../../src/main/ground/logger'
import { onTrail } from '../../../src/main/ground/trail'
import { LoamError } from '../../../src/shared/errors'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-log-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

test('writes one JSON object per line', async () => {
  const log = openLogger(folder)
  log.info('Started', { run: 'r1' })
  await log.flush()
  const lines = (await readFile(join(folder, 'loam.jsonl'), 'utf8')).trim().split('\n')
  expect(lines).toHaveLength(1)
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({
    level: 'info',
    message: 'Started',
    run: 'r1',
  })
})

test('says in each line which work it is about', async () => {
  const log = openLogger(folder)
  await onTrail('ask-1', async () => {
    await Promise.resolve()
    log.info('Within')
    onTrail('run-1', () => log.info('Within that'))
    log.warn('Of the engine', { trails: ['a', 'b'] })
  })
  log.info('Outside')
  await log.flush()
  const lines = (await readFile(join(folder, 'loam.jsonl'), 'utf8')).trim().split('\n')
  const trails = lines.map((line) => (JSON.parse(line) as { trails?: unknown }).trails)
  expect(trails).toEqual([['ask-1'], ['run-1'], ['a', 'b'], undefined])
})

test('keeps the home folder and credentials out, also inside errors', async () => {
  const log = openLogger(folder)
  log.error(`See http://127.0.0.1:1/#token=abc123`, {
    token: 'abc123',
    headers: { authorization: 'Bearer abc123' },
    note: 'Bearer abc123',
    command: 'sshpass -p abc123 ssh me@there; export DB_PASSWORD=abc1234; docker login -u me -p abc12345',
    error: new LoamError('DISK_WRITE', `${homedir()}/x`, { suggestion: '' }),
    promptTokens: 5,
  })
  await log.flush()
  const text = await readFile(join(folder, 'loam.jsonl'), 'utf8')
  expect(text).not.toContain('abc123')
  expect(text).not.toContain(homedir())
  expect(JSON.parse(text)).toMatchObject({ promptTokens: 5, error: { code: 'DISK_WRITE', cause: '~/x' } })
})

test('rotates and keeps five files', async () => {
  const log = openLogger(folder, { rotateBytes: 200 })
  for (let i = 0; i < 20; i++) {
    log.info(`Line ${i} ${'x'.repeat(120)}`)
    await log.flush()
  }
  expect((await readdir(folder)).sort()).toEqual([
    'loam.1.jsonl',
    'loam.2.jsonl',
    'loam.3.jsonl',
    'loam.4.jsonl',
    'loam.jsonl',
  ])
  expect(await readFile(join(folder, 'loam.jsonl'), 'utf8')).toContain('Line 19')
})
