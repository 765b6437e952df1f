import { fork } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { type EngineLanguageModel, EngineSupervisor } from '../../../../src/main/engine-client/supervisor'
import { hasStories, STORIES } from './stories-model'

const ask = (name: string) => ({
  messages: [
    { role: 'user' as const, content: `Tell me about ${name}, who went to the park with mom and dad.` },
  ],
  maxTokens: 100,
})

describe.skipIf(!hasStories)('several sequences in one context', { timeout: 120_000 }, () => {
  const engine = new EngineSupervisor()
  let model: EngineLanguageModel
  beforeAll(async () => {
    model = await engine.loadModel({ path: STORIES, gpuLayers: 'cpu', sequences: 3 })
  })
  afterAll(() => engine.dispose())

  it('writes replies side by side, more of them than there are sequences', async () => {
    const began = new Set<string>()
    const ended = new Set<string>()
    let together = 0
    const names = ['Lily', 'Tom', 'Mia', 'Ben', 'Sue']
    const results = await Promise.all(
      names.map(async (name) => {
        const result = await model.generate(ask(name), {
          onToken: () => {
            began.add(name)
            together = Math.max(together, began.size - ended.size)
          },
        })
        ended.add(name)
        return result
      }),
    )
    expect(together).toBeGreaterThan(1)
    expect(together).toBeLessThanOrEqual(3)
    for (const { text, usage } of results) {
      expect(text.length).toBeGreaterThan(20)
      expect(usage.completionTokens).toBeGreaterThan(5)
    }
  })

  it('gives a call the sequence that already holds most of its prompt', async () => {
    const first = {
      messages: [
        { role: 'user' as const, content: 'The big red ball was under the old green tree. '.repeat(4) },
      ],
      maxTokens: 8,
    }
    const second = {
      messages: [
        { role: 'user' as const, content: 'A small cat saw a bird and wanted to be its friend. '.repeat(4) },
      ],
      maxTokens: 8,
    }
    await model.generate(first)
    await model.generate(second)
    for (const request of [first, second, first]) {
      const { usage } = await model.generate(request)
      expect(usage.reusedTokens).toBeGreaterThan(usage.promptTokens - 18)
    }
  })

  it('lets a waiting call be cancelled without disturbing the others', async () => {
    const controller = new AbortController()
    const busy = ['Lily', 'Tom', 'Mia'].map((name) => model.generate(ask(name)))
    const waiting = model.generate(ask('Ben'), { signal: controller.signal })
    controller.abort()
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' })
    expect((await Promise.all(busy)).every(({ text }) => text.length > 0)).toBe(true)
  })

  it('ends with its host, however that ends', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loam-host-'))
    const supervisor = resolve(import.meta.dirname, '../../../../src/main/engine-client/supervisor.ts')
    const script = join(folder, 'host.mts')
    await writeFile(
      script,
      `const { EngineSupervisor } = await import(${JSON.stringify(pathToFileURL(supervisor).href)})
       const engine = new EngineSupervisor()
       await engine.loadModel({ path: ${JSON.stringify(STORIES)}, gpuLayers: 'cpu' })
       process.send(engine.pid)
       setInterval(() => undefined, 1000)`,
    )
    const loader = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
    const host = fork(script, [], { execArgv: ['--import', loader], stdio: 'ignore' })
    const pid = await new Promise<number>((done) => host.once('message', (message) => done(Number(message))))
    expect(() => process.kill(pid, 0)).not.toThrow()
    host.kill('SIGKILL')
    await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow(), { timeout: 10_000 })
    await rm(folder, { recursive: true, force: true })
  })
})
