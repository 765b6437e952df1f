import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import type { HouseServices } from '../../../src/main/mcp/house-requests'
import { ServerConnection } from '../../../src/main/mcp/server-connection'
import { builtInSpec } from '../../../src/main/tools/server-specs'
import { toolSettingsSchema } from '../../../src/shared/domain/tool'
import { openAppRig, type AppRig } from '../runs/rig-app'
import { findResources } from '../../../src/main/ground/resources'

// Servers start slowly on a busy machine.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })
const isBuilt = existsSync(resolve('out/main/mcp/index.js'))

let folder: string
let web: Server
let asked: { path: string; body: string }[] = []
const base = (): string => `http://127.0.0.1:${(web.address() as AddressInfo).port}`

/** A search engine and a model server that sees, in one. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-house-'))
  await writeFile(join(folder, 'photo.png'), Buffer.from([1, 2, 3]))
  await writeFile(join(folder, 'talk.wav'), Buffer.from([4, 5]))
  web = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      const path = request.url ?? ''
      asked.push({ path, body })
      if (path.startsWith('/search')) {
        response.setHeader('content-type', 'application/json')
        const results = ['A cat in a bag', 'Felines at home'].map((title, i) => ({
          url: `https://x/${i}`,
          title,
          content: '',
        }))
        response.end(JSON.stringify({ results }))
      } else if (path.endsWith('/models')) {
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ data: [{ id: 'eye' }] }))
      } else if (path.endsWith('/chat/completions') && body.includes('input_audio')) {
        response.statusCode = 400
        response.setHeader('content-type', 'application/json')
        response.end(JSON.stringify({ error: { message: 'audio input is not supported' } }))
      } else if (path.endsWith('/chat/completions')) {
        response.setHeader('content-type', 'text/event-stream')
        const chunk = (delta: object, finish: string | null) =>
          `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`
        response.end(`${chunk({ content: 'A red mill.' }, null)}${chunk({}, 'stop')}data: [DONE]\n\n`)
      } else {
        response.statusCode = 404
        response.end('{}')
      }
    })
  })
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done))
})
afterAll(async () => {
  web.close()
  await rm(folder, { recursive: true, force: true })
})

async function call(id: string, tool: string, args: object, house?: HouseServices, network = false) {
  const tools = toolSettingsSchema.parse({ searxng: base() })
  const connection = new ServerConnection(
    { ...builtInSpec(id, { tools, network, folder }), ...(house && { house }) },
    { client: { name: 'test', version: '1' } },
  )
  try {
    return await connection.call(tool, { ...args }, { timeMs: 60_000 })
  } finally {
    await connection.close()
  }
}

describe.skipIf(!isBuilt)('what Loam does for its own tool servers (needs a build)', () => {
  const nobody = (): Promise<never> => Promise.reject(new Error('not asked for'))

  test('what a search engine gave is ordered by the encoder, and by words where there is none', async () => {
    const seen: string[][] = []
    // An encoder to which cats and felines are one thing.
    const house: HouseServices = {
      embed: (texts) => {
        seen.push([...texts])
        return Promise.resolve(
          texts.map((text) => Float32Array.of(/feline|cat /i.test(text) && !/bag/.test(text) ? 1 : 0.1, 0.5)),
        )
      },
      describe: nobody,
    }
    const query = { query: 'cat in the house' }
    const first = (text: string) => text.split('\n')[0]
    expect(first((await call('search', 'search_web', query, house, true)).text)).toBe('- Felines at home')
    expect(seen).toEqual([['cat in the house', 'A cat in a bag ', 'Felines at home ']])
    expect(first((await call('search', 'search_web', query, undefined, true)).text)).toBe('- A cat in a bag')
  })

  test('a picture goes to the model that sees, with the question; without one the answer says why', async () => {
    const shown: unknown[] = []
    const house: HouseServices = {
      embed: nobody,
      describe: (media, question) => {
        shown.push([media, question])
        return Promise.resolve('A red mill.')
      },
    }
    expect(await call('captions', 'describe_image', { path: 'photo.png', question: 'What?' }, house)).toEqual(
      { text: 'A red mill.', failed: false },
    )
    expect(shown).toEqual([[{ kind: 'image', type: 'image/png', data: 'AQID' }, 'What?']])
    const alone = await call('captions', 'describe_image', { path: 'photo.png' })
    expect(alone).toMatchObject({
      failed: true,
      text: expect.stringMatching(/^Not available: it was not started by Loam/) as string,
    })
    expect((await call('captions', 'transcribe_audio', { path: 'photo.png' }, house)).text).toContain(
      'none of .wav',
    )
    expect((await call('captions', 'describe_image', { path: '../photo.png' }, house)).failed).toBe(true)
  })
})

describe.skipIf(!isBuilt)('the whole way to a model server that sees', () => {
  let rig: AppRig
  beforeAll(async () => {
    rig = await openAppRig(0, () => Promise.resolve(findResources()))
  })
  afterAll(() => rig.close())

  test('from the tool to the server and back, and in words where it cannot be', async () => {
    const { app } = rig
    const describe = (tool: string, path: string) =>
      app.tools.tryTool('captions', tool, { path: join(folder, path) })
    const set = (captionModel: string | null) =>
      app.saveSettings({ tools: toolSettingsSchema.parse({ folders: [folder], captionModel }) })
    await set(null)
    expect((await describe('describe_image', 'photo.png')).text).toContain(
      'Not available: No model that takes pictures is chosen.',
    )
    await set('/some/model.gguf')
    expect((await describe('describe_image', 'photo.png')).text).toContain('those take no pictures here')
    await set(`openai:eye@${base()}/v1`)
    asked = []
    expect(await describe('describe_image', 'photo.png')).toMatchObject({
      text: 'A red mill.',
      failed: false,
    })
    const sent = JSON.parse(asked.find(({ path }) => path.endsWith('/chat/completions'))?.body ?? '{}') as {
      messages?: unknown[]
    }
    expect(sent.messages).toMatchObject([
      {
        role: 'user',
        content: [{ type: 'text' }, { type: 'image_url', image_url: { url: 'data:image/png;base64,AQID' } }],
      },
    ])
    const deaf = await describe('transcribe_audio', 'talk.wav')
    expect(deaf.failed).toBe(true)
    expect(deaf.text).toMatch(/^Not available: .*audio input is not supported/)
  })
})
