import { appendFile, cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { METHODS } from '../../../src/core/methods'
import { FORMATS } from '../../../src/core/formats'
import { MEMORY_KINDS } from '../../../src/core/memory'
import { ENVIRONMENTS } from '../../../src/core/tasks'
import { TOOL_SERVERS } from '../../../src/main/tool-servers'
import { createApp, type App } from '../../../src/main/app'
import { PROVIDERS } from '../../../src/main/providers'
import { importChoiceSchema } from '../../../src/shared/domain/item-transfer'
import { trajectoriesOf } from '../runs/rig-app'

const FIXTURES = resolve('test/fixtures/modules')
const NAMES = ['cards', 'dice', 'parrot', 'plain-notes', 'remark', 'sums']

const idsInUse = (): string[] =>
  [
    ...METHODS.map(({ info }) => info.id),
    ...ENVIRONMENTS.map(({ id }) => id),
    ...PROVIDERS.map(({ id }) => id),
    ...FORMATS.map(({ id }) => id),
    ...TOOL_SERVERS.map(({ id }) => id),
    ...MEMORY_KINDS.map(({ info }) => info.id),
  ].filter((id) => NAMES.includes(id))

let folder: string
let app: App
const open = () => createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
const stateOf = async (name: string) => (await app.modules.list()).find((one) => one.name === name)

/** A copy of a fixture with another manifest or code. */
async function variant(of: string, name: string, change: (code: string) => string): Promise<string> {
  const copy = join(folder, 'variants', name)
  await cp(join(FIXTURES, of), copy, { recursive: true })
  const [manifest, code] = [join(copy, 'manifest.json'), join(copy, 'index.mjs')]
  await writeFile(manifest, (await readFile(manifest, 'utf8')).replace(`"${of}"`, `"${name}"`))
  await writeFile(code, change((await readFile(code, 'utf8')).replaceAll(`'${of}'`, `'${name}'`)))
  return copy
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-modules-'))
  app = await open()
})
afterAll(async () => {
  await app.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  expect(idsInUse()).toEqual([])
})

describe('six modules from outside, on a host of their own', () => {
  it('are listed with their origin, and off until they are allowed', async () => {
    for (const name of NAMES) await app.modules.add(join(FIXTURES, name))
    const modules = await app.modules.list()
    expect(modules.map(({ name, state }) => [name, state])).toEqual(NAMES.map((name) => [name, 'off']))
    expect(modules.map(({ origin }) => origin)).toEqual(NAMES.map((name) => join(FIXTURES, name)))
    expect(idsInUse()).toEqual([])
    for (const name of NAMES)
      expect(await app.modules.allow(name)).toMatchObject({ state: 'on', problem: null })
    expect(idsInUse().sort()).toEqual(NAMES)
  })

  it('work together: the method recalls and learns in the environment, on the model of the provider', async () => {
    const { id } = await app.runDrafts.start({
      ...{ stream: 'sums-small', method: 'plain-notes', model: 'parrot:adder@here', tasks: 6, maxTokens: 64 },
      settings: { 'plain-notes': { longest: 80 } },
    })
    expect(await app.runs.ended(id)).toMatchObject({ status: 'done', problem: null, done: 6, solved: 6 })
    const attempts = await trajectoriesOf(app, id)
    expect(attempts.map(({ recalled }) => recalled.length)).toEqual([0, 1, 2, 3, 4, 4])
    expect(attempts.map(({ task }) => task.environment)).toEqual(Array(6).fill('sums'))
    const { config } = app.runs.get(id)
    const memory = await app.memories.open(config.memoryId)
    const notes = await memory.items('note')
    expect(notes).toHaveLength(6)
    expect(notes.every(({ context }) => context.length <= 80)).toBe(true)
  })

  it('keep items: the kind is listed, searched, edited, exported in the format and read back', async () => {
    const [from] = await app.memories.list()
    const memory = await app.memories.open(from?.id ?? '')
    const item = {
      ...{ kind: 'remark', id: 'remark-1', runId: 'r', environment: 'sums', trajectoryIds: ['t'] },
      ...{ createdAt: '2026-01-01T00:00:00.000Z', line: 'Carry the one', grounds: '' },
    }
    await memory.commit([{ kind: 'memory-added', memory: item }])
    expect(app.memory.kinds().map(({ id }) => id)).toContain('remark')
    const line = await MEMORY_KINDS.find(({ info }) => info.id === 'remark')?.read(
      { ...memory.memorySource, softPrompts: { list: () => Promise.resolve([]) } } as never,
      'remark-1',
    )
    expect(line).toMatchObject({ title: 'Carry the one', values: { line: 'Carry the one', grounds: '' } })
  })

  it('read files from outside elsewhere: a format recognises and reads, and one that ends its process ends no other', async () => {
    const { run } = app.imports
    const take = async (text: string, format = 'auto') => {
      const source = { from: 'text' as const, fileName: 'mine.jsonl', text }
      return run({ ...importChoiceSchema.parse({ source, format }), memoryId: 'mine' }, {})
    }
    const text = '{"front":"Seven times eight","back":"56"}\n'
    expect(await take(text)).toMatchObject({ format: 'cards', rows: 1, imported: 1 })
    // Read in this process, this would end the tests.
    const ends = (code: string) =>
      code.replace(/read: \(text, context\) =>/, 'read: (text, context) => process.exit(3) ??')
    await app.modules.add(await variant('cards', 'ending-cards', ends))
    expect(await app.modules.allow('ending-cards')).toMatchObject({ state: 'on' })
    await expect(take(text, 'ending-cards')).rejects.toMatchObject({ code: 'BAD_INPUT' })
    await app.modules.remove('ending-cards')
    // What its own code fails with is its failure, as anywhere else.
    const fails = (code: string) =>
      code.replace(/read: \(text, context\) =>/, 'read: (text, context) => context.none.such ??')
    await app.modules.add(await variant('cards', 'failing-cards', fails))
    await app.modules.allow('failing-cards')
    await expect(take(text, 'failing-cards')).rejects.toMatchObject({ code: 'MODULE' })
    expect(await stateOf('failing-cards')).toMatchObject({ state: 'failed' })
    await app.modules.remove('failing-cards')
  })

  it('offer tools: the server starts as its own process and rolls', async () => {
    expect((await app.tools.test('dice')).status).toMatchObject({ kind: 'ready', tools: [{ name: 'roll' }] })
    expect(await app.tools.tryTool('dice', 'roll', { count: 2, sides: 1 })).toMatchObject({
      text: '1, 1',
      failed: false,
    })
  })

  it('are there again after a restart, and what a missing kind kept stays in the memory', async () => {
    await app.dispose()
    expect(idsInUse()).toEqual([])
    app = await open()
    expect(idsInUse().sort()).toEqual(NAMES)
    await app.modules.deny('remark')
    const [from] = await app.memories.list()
    const memory = await app.memories.open(from?.id ?? '')
    expect(await memory.items('remark')).toMatchObject([{ line: 'Carry the one' }])
    expect(await app.modules.allow('remark')).toMatchObject({ state: 'on' })
  })
})

describe('a module that does not work', () => {
  const rest = () => idsInUse().filter((id) => NAMES.includes(id)).length

  it('is refused by name where it needs another service interface, or has no manifest', async () => {
    const copy = await variant('dice', 'newer-dice', (code) => code)
    const manifest = join(copy, 'manifest.json')
    await writeFile(manifest, (await readFile(manifest, 'utf8')).replace('^1.0', '^2.0'))
    await expect(app.modules.add(copy)).rejects.toThrow(/"Dice" needs version \^2\.0 .*this Loam has 1\.0/)
    await expect(app.modules.add(resolve('test/fixtures'))).rejects.toThrow(/manifest\.json is missing/)
    await expect(app.modules.add('@nobody/no-such-module')).rejects.toMatchObject({ code: 'NETWORK_OFF' })
  })

  it('is off alone where it fails when it is loaded', async () => {
    await app.modules.add(await variant('cards', 'torn-cards', (code) => `throw new Error('torn')\n${code}`))
    const torn = await app.modules.allow('torn-cards')
    expect(torn).toMatchObject({
      state: 'failed',
      problem: { code: 'MODULE', cause: '"Study cards" failed: torn' },
    })
    await app.modules.add(
      await variant('remark', 'half-remark', (code) => code.replace('titleMany', 'titles')),
    )
    expect((await app.modules.allow('half-remark')).problem?.cause).toMatch(/titleMany/)
    expect(rest()).toBe(NAMES.length)
    expect(FORMATS.some(({ id }) => id === 'torn-cards')).toBe(false)
  })

  it('is off alone where it throws while it is used, and the run says so', async () => {
    const copy = await variant('plain-notes', 'bad-notes', (code) =>
      code.replace(
        'async learn(trajectory',
        'async learn(trajectory, {}, signal) { throw new TypeError("no ink") }, async unused(trajectory',
      ),
    )
    await app.modules.add(copy)
    await app.modules.allow('bad-notes')
    const { id } = await app.runDrafts.start({
      ...{ stream: 'sums-small', method: 'bad-notes', model: 'parrot:adder@here', tasks: 2, maxTokens: 64 },
    })
    const run = await app.runs.ended(id)
    expect(run).toMatchObject({ status: 'failed', problem: { code: 'MODULE' } })
    expect(run.problem?.cause).toContain('"Plain notes" failed: no ink')
    expect(await stateOf('bad-notes')).toMatchObject({ state: 'failed' })
    expect(METHODS.some(({ info }) => info.id === 'bad-notes')).toBe(false)
    expect(rest()).toBe(NAMES.length)
  })

  it('asks again where its code changed since it was allowed', async () => {
    await appendFile(join(folder, 'data', 'modules', 'cards', 'index.mjs'), '\n// changed\n')
    expect(await stateOf('cards')).toMatchObject({ state: 'changed' })
    await app.dispose()
    app = await open()
    expect(idsInUse()).not.toContain('cards')
    expect(await stateOf('cards')).toMatchObject({ state: 'changed' })
    await app.modules.remove('cards')
    expect(await stateOf('cards')).toBeUndefined()
  })
})
