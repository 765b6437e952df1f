import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../../../src/main/app'
import { startProxy, type RunningProxy } from '../../fixtures/proxy-agent'
import { writeRandomModel } from '../../models/random-model'
import { DEMO_MODEL } from '../runs/rig-app'

const LANES = 4

let folder: string
let proxy: RunningProxy
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-lanes-'))
  const memory = join(folder, 'memory')
  const app = await createApp({ dataPath: join(folder, 'own'), host: 'memory' })
  await app.memories.open(memory)
  await app.dispose()
  // It says anything, and seldom comes to an end.
  const model = join(folder, 'babel.gguf')
  writeRandomModel(model, {
    architecture: 'qwen2',
    vocabulary: DEMO_MODEL,
    template: null,
    seed: 3,
    loud: ['"', '{'],
  })
  const options = ['--memory', memory, '--data', join(folder, 'data'), '--mode', 'record', '--model', model]
  proxy = await startProxy(...options)
})
afterAll(async () => {
  await proxy.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

/** Streams one reply, telling of its tokens and its end. */
async function stream(
  number: number,
  tell: (event: 'token' | 'end', number: number) => void,
): Promise<number> {
  const begun = performance.now()
  const response = await fetch(`${proxy.baseUrl}/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${proxy.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({
      ...{ model: 'm', stream: true, max_tokens: 800, temperature: 1, seed: 3 },
      messages: [{ role: 'user', content: `Tell a long story about harbour number ${String(number)}.` }],
    }),
  })
  let firstMs = 0
  for await (const chunk of response.body ?? []) {
    const text = Buffer.from(chunk as Uint8Array).toString('utf8')
    if (/"content":"[^"]/.test(text) && firstMs === 0) {
      firstMs = performance.now() - begun
      tell('token', number)
    }
  }
  tell('end', number)
  return Math.round(firstMs)
}

it('writes four replies side by side: each begins before any has ended', async () => {
  const events: string[] = []
  const waits = await Promise.all(
    Array.from({ length: LANES }, (_, i) => stream(i, (event) => events.push(event))),
  )
  process.stdout.write(`first tokens of ${String(LANES)} at once: ${JSON.stringify(waits)} ms\n`)
  expect(events.slice(0, LANES)).toEqual(Array.from({ length: LANES }, () => 'token'))
})
