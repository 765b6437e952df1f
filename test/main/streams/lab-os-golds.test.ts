import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { verifyEntry } from '../../../src/core/tasks/lab-os/verify'
import { parseStream } from '../../../src/core/streams/parse-stream'
import { SYSTEMS } from '../machines/systems'
import { TORTURE } from '../../torture'

vi.setConfig({ testTimeout: 900_000 })

const FILE = join(process.cwd(), '..', 'shared', 'data', 'lifelongagentbench', 'os_interaction.json')

/** Every how many tasks one is played; with `npm run torture` all are. */
const EVERY = TORTURE ? 1 : 7

/** The share of ground truths that the evaluation is content with, by system. */
const LEAST = { simulated: 0.9, bubblewrap: 0.95, container: 0.95 } as const

describe.each(SYSTEMS)("LifelongAgentBench's ground truths on a $id system", ({ id, missing, make }) => {
  const why = existsSync(FILE) ? missing : 'os_interaction.json is not there'
  it.skipIf(why !== null)(`agree often enough${why ? ` (${why})` : ''}`, async () => {
    const driver = await make()
    const { tasks: all, reading } = parseStream(readFileSync(FILE, 'utf8'), 'os_interaction.json')
    expect(reading.left).toEqual([])
    const tasks = all.filter((_, n) => n % EVERY === 0)
    const failures: string[] = []
    for (const task of tasks) {
      const verdict = await verifyEntry(driver, task, 20)
      if (verdict.kind !== 'agrees') failures.push(`${task.id}: ${verdict.why}`)
    }
    expect([(tasks.length - failures.length) / tasks.length >= LEAST[id], failures]).toEqual([true, failures])
  })
})
