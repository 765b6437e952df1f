import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { utils, write } from '@e965/xlsx'
import { zipSync } from 'fflate/browser'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { FORMATS } from '../../../src/core/formats'
import { createWorkbooks } from '../../../src/main/adapters/sheets/workbooks'
import { readForeignStudy } from '../../../src/main/experiments/study-file'
import { MANIFEST, sha256Of, type BundleManifest } from '../../../src/main/bundle/manifest'
import { openBundleFile } from '../../../src/main/bundle/open-bundle'
import { plannedChange } from '../../../src/main/share/connect/change-file'
import { checkedAnswer } from '../../../src/main/mcp/answer-lines'
import { ProcessTransport } from '../../../src/main/mcp/process-transport'
import { readReply } from '../../../src/main/providers/openai/read-reply'
import { readGgufHeader } from '../../../src/main/gguf/read-gguf'
import { importFiles } from '../../../src/main/memories/import-files'
import { readFormat } from '../../../src/main/memories/read-format'
import { readBytes, readRowsApart, readTableApart } from '../../../src/main/ground/isolate/foreign-rows'
import { digestOf, createWorld } from '../../../src/main/streams/world'
import { toolUse } from '../../../src/core/tasks/tool-use'
import { openEpisode, type Environment } from '../../../src/core/ground/environment'
import { findResources } from '../../../src/main/ground/resources'
import { LoamError } from '../../../src/shared/errors'
import { longestBlock } from '../../longest-block'
import { buildGguf } from '../adapters/llama/gguf-fixture'

const stream = (file: Awaited<ReturnType<typeof readBytes>>) =>
  readRowsApart({ as: 'stream', id: 'rows', source: 'file', file, beside: new Map() })

let folder: string
const blocks: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-foreign-'))
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
  // A report, not a promise: machines that run tests are busy.
  process.stdout.write(`Longest block of the host's event loop: ${blocks.join(', ')}\n`)
})

const file = async (name: string, bytes: Uint8Array | string): Promise<string> => {
  const path = join(folder, name)
  await writeFile(path, bytes)
  return path
}
const context = { memoryId: 'm', now: '2026-01-01T00:00:00.000Z', hash: (text: string) => text }
const formatOf = (id: string) => {
  const format = FORMATS.find((one) => one.id === id)
  if (!format) throw new Error(id)
  return format
}
async function foundIn(id: string, bytes: Uint8Array): Promise<unknown[]> {
  const pieces = (async function* () {
    await Promise.resolve()
    for (let at = 0; at < bytes.length; at += 65_536)
      yield Buffer.from(bytes.subarray(at, at + 65_536)).toString('utf8')
  })()
  const all: unknown[] = []
  for await (const one of readFormat(
    formatOf(id),
    { name: id, pieces, bytes: () => Promise.resolve({ bytes, beside: null }) },
    context,
  ))
    all.push(one)
  return all
}

/** A workbook whose 400 formulas go over 400 cells each. */
function slowWorkbook(): Uint8Array {
  const sheet = utils.aoa_to_sheet(Array.from({ length: 400 }, (_, i) => [i]))
  for (let i = 1; i <= 400; i++) sheet[`B${i}`] = { t: 'n', f: `SUMPRODUCT((A1:A400>A${i})*(A1:A400))` }
  sheet['!ref'] = 'A1:B400'
  const book = utils.book_new()
  utils.book_append_sheet(book, sheet, 'S')
  return new Uint8Array(write(book, { type: 'array', bookType: 'xlsx' }) as ArrayBuffer)
}
/** A header whose metadata is an array of arrays, 200,000 deep. */
function deepGguf(): Buffer {
  const whole = buildGguf({ metadata: { 'general.architecture': 'llama' }, tensors: [] })
  const head = Buffer.from(whole)
  head.writeBigUInt64LE(2n, 16)
  const key = Buffer.alloc(8 + 4 + 4)
  key.writeBigUInt64LE(4n, 0)
  key.write('deep', 8)
  key.writeUInt32LE(9, 12)
  const level = Buffer.alloc(12)
  level.writeUInt32LE(9, 0)
  level.writeBigUInt64LE(1n, 4)
  return Buffer.concat([head, key, ...Array.from({ length: 200_000 }, () => level)])
}
const yamlBomb = Array.from({ length: 12 }, (_, i) =>
  i === 0
    ? 'a0: &a0 [x, x, x, x, x, x, x, x, x]'
    : `a${i}: &a${i} [${Array(9)
        .fill(`*a${i - 1}`)
        .join(', ')}]`,
).join('\n')

/** Makes each sample ready, and answers how it is read: only that is measured. */
const SAMPLES: Record<string, () => Promise<() => Promise<unknown>>> = {
  'model header': async () => {
    const path = await file('deep.gguf', deepGguf())
    return () => readGgufHeader(path)
  },
  bundle: async () => {
    const bomb = zipSync({ 'manifest.json': new Uint8Array(200_000_000) }, { level: 9 })
    const path = await file('bomb.loam', bomb)
    return () => openBundleFile(path)
  },
  workbook: () => {
    const bytes = slowWorkbook()
    return Promise.resolve(() => createWorkbooks().open(bytes).describe(5))
  },
  'damaged workbook': () => {
    const bytes = slowWorkbook().subarray(0, 5000)
    return Promise.resolve(() => createWorkbooks().open(bytes).describe(5))
  },
  'task table': async () => {
    const path = await file('rows.parquet', Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(200_000, 7)]))
    return async () => readTableApart(await readBytes(path))
  },
  'task stream of plain text': async () => {
    const path = await file('rows.json', `[${'['.repeat(8_000_000)}`)
    return async () => stream(await readBytes(path))
  },
  'task table of plain text': async () => {
    const path = await file('rows.csv', `a,b\n${'"'.repeat(8_000_000)}`)
    return async () => stream(await readBytes(path))
  },
  'database of conversations': async () => {
    // Tables in tables, more of them than a host can be handed at once.
    const toml = Array.from({ length: 12_000 }, (_, i) => `[a${i}.${'b.'.repeat(40)}c]\nx = 1`).join('\n')
    const files = ['main_policy.md', 'tech_support_manual.md', 'db.toml', 'user_db.toml']
    const texts = ['# Policy', '# Manual', toml, 'x = ['.repeat(50_000)]
    for (const [i, name] of files.entries()) await file(name, texts[i] ?? '')
    const world = createWorld(findResources().prompts, () => folder)
    const environment = (await toolUse.open(world, {})) as Environment
    const task = {
      ...{ id: 't', index: 0, environment: 'tool-use', instruction: '', skills: [] },
      payload: {
        ...{ id: 't', domain: 'telecom', user_scenario: { instructions: 'x' } },
        ...{ evaluation_criteria: { actions: [] } },
        digest: digestOf(texts.map((text) => Buffer.from(text))),
      },
    }
    return () => openEpisode(environment, task)
  },
  'report of a harness': async () => {
    const deep = `{"resolved_ids":${'['.repeat(8_000_000)}`
    const path = await file('report.json', deep)
    const told: unknown[] = []
    const read = (name: string, verdicts: (id: string) => boolean | null) =>
      Promise.reject(new LoamError('BAD_INPUT', `${name}: ${told.push(verdicts('x'))}`, { suggestion: '' }))
    return () => importFiles([path], { read }, { file: path, format: 'auto' })
  },
  'line of a bundle': async () => {
    const lines = [`{"a":${'['.repeat(8_000_000)}`, `[${'{},'.repeat(1_000_000)}{}]`, '{"a":1}'].join('\n')
    const data = Buffer.from(`${lines}\n`)
    const manifest: BundleManifest = {
      ...{ format: 'loam-bundle', version: 1, loam: '0', createdAt: '', models: [], redacted: {} },
      ...{ licence: null, provenance: null, counts: { case: 3 }, commits: null },
      ...{ space: { id: 's', name: 's', createdAt: '' }, encoder: { id: 'e', dimension: 1 } },
      files: [{ path: 'data/case.jsonl', bytes: data.length, sha256: sha256Of(data) }],
    }
    const packed = zipSync({ [MANIFEST]: Buffer.from(JSON.stringify(manifest)), 'data/case.jsonl': data })
    const path = await file('lines.loam', packed)
    return async () => {
      const bundle = await openBundleFile(path)
      const whys: (string | null)[] = []
      for await (const { why } of bundle.values('data/case.jsonl')) whys.push(why)
      // It is left open, so that its process is seen.
      expect(whys).toEqual([
        'it is nested more than 200 deep',
        'it holds more than 400000 lists and objects',
        null,
      ])
    }
  },
  'configuration of another program': async () => {
    const path = await file('config.toml', `x = ${'['.repeat(1_000_000)}`)
    const form = { kind: 'toml', table: ['mcp_servers', 'loam'], value: { command: 'loam' } } as const
    return () => plannedChange({ path, form } as never)
  },
  'answer of a model server': () => {
    const call = '{"function":{"name":"f","arguments":{}}},'
    const text = `{"choices":[{"message":{"tool_calls":[${call.repeat(100_000)}{}]}}]}`
    async function* pieces() {
      await Promise.resolve()
      yield text.slice(0, 4_000_000)
    }
    const answer = { pieces: pieces(), type: 'application/json', drop: () => undefined, status: 200 }
    const source = { host: 'server', model: 'm', tools: [], onToken: undefined }
    return Promise.resolve(() =>
      readReply({ ...answer, retryAfterMs: null, text: () => Promise.resolve('') }, source),
    )
  },
  // 16 MiB of lists: an answer that fails, in a message of its own.
  'message of a tool server': () => {
    const lists = `process.stdout.write('{"jsonrpc":"2.0","id":1,"result":{"content":['+'[],'.repeat(5500000)+'0]}}\\n')`
    return Promise.resolve(async () => {
      const transport = new ProcessTransport({ command: process.execPath, args: ['-e', lists], env: {} })
      const message = new Promise((resolve) => (transport.onmessage = resolve))
      await transport.start()
      expect(await message).toMatchObject({
        id: 1,
        error: { message: expect.stringContaining('values') as string },
      })
    })
  },
  'answer of a tool server': () => {
    const lists = `data: {"jsonrpc":"2.0","id":1,"result":{"content":[${'[],'.repeat(1_000_000)}0]}}\n\n`
    return Promise.resolve(async () => {
      const answer = new Response(lists, { headers: { 'content-type': 'text/event-stream' } })
      expect(await (await checkedAnswer(answer, 'server')).text()).toMatch(/^data: .{1,200}too long.*\n\n$/)
    })
  },
  'settings text': () => Promise.resolve(() => readForeignStudy(yamlBomb, 'bomb.yaml')),
  'Parquet memory': () => {
    const bytes = Buffer.concat([Buffer.from('PAR1'), Buffer.alloc(300_000, 255), Buffer.from('PAR1')])
    return Promise.resolve(() => foundIn('parquet', bytes))
  },
  'agent log': () => {
    const bytes = Buffer.from(`${'['.repeat(1_000_000)}\n${'{"a":'.repeat(200_000)}\n`)
    return Promise.resolve(() => foundIn('jsonl', bytes))
  },
}

/** The isolates of this process, as the system lists its children. */
async function isolates(): Promise<string[]> {
  const threads = await readdir('/proc/self/task')
  const text = (path: string): Promise<string> => readFile(path, 'utf8').catch(() => '')
  const lists = await Promise.all(threads.map((id) => text(`/proc/self/task/${id}/children`)))
  const children = lists.flatMap((list) => list.split(' ').filter(Boolean))
  const commands = await Promise.all(children.map((pid) => text(`/proc/${pid}/cmdline`)))
  return commands.filter((command) => command.includes('isolate.js'))
}

/** Looks now and then, until it is asked: the most isolates that there were. */
function isolatesDuring(): () => Promise<number> {
  let most = 0
  const look = async (): Promise<void> => {
    most = Math.max(most, (await isolates()).length)
  }
  const timer = setInterval(() => void look(), 50)
  return async () => {
    clearInterval(timer)
    await look()
    return most
  }
}

it.each(Object.entries(SAMPLES))(
  'reads a hostile %s elsewhere, or refuses it in words',
  async (name, prepare) => {
    const read = await prepare()
    const before = process.cpuUsage()
    const apart = isolatesDuring()
    const { ms, came } = await longestBlock(() => read().catch((error: unknown) => error))
    const used = process.cpuUsage(before)
    blocks.push(`${name} ${Math.round(ms)} ms (${Math.round((used.user + used.system) / 1000)} ms CPU)`)
    if (came instanceof Error) expect(came).toBeInstanceOf(LoamError)
    // The work was in a process of its own, which may wait for more.
    if (process.platform === 'linux') expect(await apart()).toBeGreaterThan(0)
  },
)

it('counts the bytes of what a tool server sends, not the characters', async () => {
  const long = '€'.repeat(6_000_000)
  for (const type of ['text/event-stream', 'application/json']) {
    const answer = new Response(`data: ${long}`, { headers: { 'content-type': type } })
    await expect(checkedAnswer(answer, 'server').then((checked) => checked.text())).rejects.toThrow(
      /larger than|too long/,
    )
  }
})
