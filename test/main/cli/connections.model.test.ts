import { readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { llamaCpp } from '../../../src/main/providers/llama-cpp'
import { startModelServer, type ModelServer } from '../../fixtures/model-server'
import { demoModel, testWorld, type TestWorld } from '../providers/world'
import { tempFolder } from '../runs/rig-app'
import { lastLine, loamHere, type Ended } from './loam-process'
import { longTest } from '../../torture'

let folder: string
let world: TestWorld
let server: ModelServer

beforeAll(async () => {
  folder = await tempFolder()
  world = await testWorld()
  const model = await llamaCpp.open(world).load(demoModel, { contextSize: 4096, sequences: 4 })
  server = await startModelServer('loam-demo', model)
  process.env['LOAM_TEST_KEY'] = 'sk-made-up-for-a-test'
})
afterAll(async () => {
  delete process.env['LOAM_TEST_KEY']
  await server.close()
  await world.close()
  await rm(folder, { recursive: true, force: true })
})

const run = (...args: string[]): Promise<Ended> => loamHere(...args, '--data', join(folder, 'data'), '--json')

test('a connection is added, tested, listed and used by a run; its key stands in no other file', async () => {
  const added = await run('servers', 'add', 'here', '--url', server.url, '--key-env', 'LOAM_TEST_KEY')
  expect(added.code).toBe(0)
  expect(added.out + added.err).not.toContain('sk-made-up')

  const tested = await run('servers', 'test', 'here', '--model', 'loam-demo')
  expect(lastLine(tested.out)).toMatchObject({
    program: 'llama-server',
    models: ['loam-demo'],
    reply: { model: 'loam-demo', contextSize: 4096 },
  })
  expect(server.keys.at(-1)).toBe('Bearer sk-made-up-for-a-test')

  expect(lastLine((await run('servers', 'list')).out)).toMatchObject({
    servers: [{ name: 'here', provider: 'openai', url: server.url, key: true }],
  })
  const { models } = lastLine((await run('models')).out) as { models: { path: string }[] }
  expect(models.map(({ path }) => path)).toContain('openai:loam-demo@here')

  const ran = await run(
    'run',
    '--stream',
    'house-rules-a',
    '--method',
    'case-bank',
    '--tasks',
    '6',
    '--model',
    'openai:loam-demo@here',
  )
  expect(ran.code).toBe(0)
  const report = lastLine(ran.out) as { tasks: number }
  const [id = ''] = await readdir(join(folder, 'data', 'runs'))
  expect(report.tasks).toBe(6)
  const record = await readFile(join(folder, 'data', 'runs', id, 'run.json'), 'utf8')
  expect(JSON.parse(record)).toMatchObject({
    modelName: 'loam-demo',
    config: { model: 'openai:loam-demo@here' },
  })
  expect(record).not.toContain('sk-made-up')
  expect(await readFile(join(folder, 'data', 'connections.json'), 'utf8')).not.toContain('sk-made-up')

  expect((await run('servers', 'remove', 'here')).code).toBe(0)
  expect(await readFile(join(folder, 'data', 'credentials.json'), 'utf8')).not.toContain('sk-made-up')
  expect((await run('servers', 'test', 'here')).code).toBe(2)
})

longTest('a run over a server solves what the same model solves in the engine', async () => {
  const words = ['run', '--stream', 'house-rules-a', '--method', 'none', '--tasks', '8', '--seed', '3']
  const over = await run(...words, '--model', `openai:loam-demo@${server.url}`, '--key-env', 'LOAM_TEST_KEY')
  const inside = await run(...words, '--model', demoModel)
  const curve = (ended: Ended) => (lastLine(ended.out) as { curve: unknown }).curve
  expect(over.code).toBe(0)
  expect(curve(over)).toEqual(curve(inside))
})

test('what is missing is said: the variable, the server, the model', async () => {
  const words = ['run', '--stream', 'house-rules-a', '--method', 'none', '--tasks', '1']
  const noKey = await run(...words, '--model', `openai:x@${server.url}`, '--key-env', 'LOAM_NO_SUCH_KEY')
  expect([noKey.code, noKey.err]).toEqual([2, expect.stringContaining('LOAM_NO_SUCH_KEY')])
  const noModel = await run(...words, '--model', `openai:x@${server.url}`)
  expect(noModel.err).toContain('has no model "x"')
  expect(noModel.err).toContain('It has: loam-demo.')
  const noServer = await run(...words, '--model', 'openai:x@http://127.0.0.1:9/v1')
  expect(noServer.err).toContain('Nobody answers at 127.0.0.1:9')
  const noProvider = await run(...words, '--model', 'nobody:x@y')
  expect(noProvider.err).toContain('No provider of models is called "nobody"')
})

test('a server that goes pauses the run; once it is back the run goes on and comes to the same', async () => {
  const words = ['run', '--stream', 'house-rules-a', '--method', 'case-bank', '--tasks', '12', '--seed', '5']
  const model = await llamaCpp.open(world).load(demoModel, { contextSize: 4096, sequences: 4 })
  const first = await startModelServer('loam-demo', model)
  const named = `openai:loam-demo@${first.url}`
  const going = run(...words, '--model', named)
  await expect.poll(() => first.keys.length, { timeout: 60_000 }).toBeGreaterThan(6)
  await first.close()
  const stopped = await going
  expect(stopped.code).toBe(1)
  expect(lastLine(stopped.out)).toMatchObject({ error: { code: 'MODEL_SERVER' } })
  const [, id = ''] = /loam resume (\S+)/.exec(stopped.err) ?? []
  const again = await startModelServer('loam-demo', model, Number(new URL(first.url).port))
  try {
    const resumed = await run('resume', id)
    expect(resumed.code).toBe(0)
    const whole = await run(...words, '--model', named)
    const curve = (ended: Ended) => (lastLine(ended.out) as { curve: unknown }).curve
    expect(curve(resumed)).toEqual(curve(whole))
  } finally {
    await again.close()
  }
})
