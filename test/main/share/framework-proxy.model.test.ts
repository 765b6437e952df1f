import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp, type App } from '../../../src/main/app'
import type { Environment } from '../../../src/core/ground/environment'
import type { Task } from '../../../src/shared/domain/task'
import { playOverFramework } from '../../fixtures/framework-agent'
import { startProxy } from '../../fixtures/proxy-agent'

/** Tasks of the stream that are played; the figures of docs/share.md are over 50. */
const COUNT = Number(process.env['LOAM_FRAMEWORK_TASKS'] ?? 10)

let folder: string
let app: App
let environment: Environment
let tasks: Task[]

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-framework-'))
  app = await createApp({ dataPath: join(folder, 'own'), host: 'memory' })
  const stream = await app.streams.load('house-rules-a')
  tasks = [...stream.tasks]
  environment = await app.environments.acting(stream.info.environment)
})
afterAll(async () => {
  await app.dispose()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})

async function playAll(mode: string): Promise<number[]> {
  const memory = join(folder, mode)
  await app.memories.open(memory)
  await app.memories.release(memory)
  const data = join(folder, `${mode}-data`)
  const proxy = await startProxy(
    '--memory',
    memory,
    '--data',
    data,
    '--mode',
    mode,
    '--environment',
    environment.id,
  )
  const rewards: number[] = []
  try {
    for (const task of tasks.slice(0, COUNT)) rewards.push(await playOverFramework(proxy, environment, task))
  } finally {
    await proxy.close()
  }
  return rewards
}

it(
  'an agent of the AI SDK solves more of a stream with the memory than without, its code unchanged',
  { timeout: 1_800_000 },
  async () => {
    const sum = (rewards: readonly number[]): number => rewards.reduce((total, reward) => total + reward, 0)
    const [without, withItem] = await Promise.all([playAll('record'), playAll('both')])
    if (COUNT > 10)
      process.stdout.write(
        `${JSON.stringify({ COUNT, without, withItem, solved: [sum(without), sum(withItem)] })}\n`,
      )
    expect(sum(withItem)).toBeGreaterThan(sum(without))
  },
)
