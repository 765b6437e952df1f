// @own-process
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createRouter } from '../../../src/main/api/router'
import { createTransports } from '../../../src/main/api/transports'
import type { Contract } from '../../../src/shared/contract'
import { hasTinyModel, openAppRig, TINY_MODEL } from './rig-app'

const recorder = resolve('test/fixtures/record-connections.mjs')
const before = process.env['NODE_OPTIONS']
let folder = ''
let log = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-offline-'))
  log = join(folder, 'connections')
  process.env['LOAM_TEST_CONNECTIONS'] = log
  process.env['NODE_OPTIONS'] = `--import ${pathToFileURL(recorder).href}`
})
afterAll(async () => {
  if (before === undefined) delete process.env['NODE_OPTIONS']
  else process.env['NODE_OPTIONS'] = before
  delete process.env['LOAM_TEST_CONNECTIONS']
  await rm(folder, { recursive: true, force: true })
})

const recorded = async (): Promise<string[]> => (await readFile(log, 'utf8')).trim().split('\n')

test('the recorder notices a connection', async () => {
  const script = `require('node:net').connect(9, '127.0.0.1').on('error', () => {})`
  await promisify(execFile)(process.execPath, ['-e', script])
  expect((await recorded()).filter((line) => line.startsWith('connect'))).toHaveLength(1)
  await rm(log)
})

// The built-in host and its engine process, watched from their JavaScript side.
test.skipIf(!hasTinyModel)('a whole run connects to nothing and looks up no name', async () => {
  await import(recorder)
  const rig = await openAppRig(2)
  try {
    const { client } = createTransports<Contract>(createRouter(rig.app))
    const { id } = await client.runs.start({
      stream: 'small',
      method: 'case-bank',
      model: TINY_MODEL,
      maxTokens: 16,
    })
    expect(await rig.app.runs.ended(id)).toMatchObject({ status: 'done' })
  } finally {
    await rig.close()
  }
  expect([...new Set(await recorded())].sort()).toEqual(['watching engine', 'watching process'])
})
