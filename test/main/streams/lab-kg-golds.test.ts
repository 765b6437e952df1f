import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { labKg } from '../../../src/core/tasks/lab-kg'
import { findResources } from '../../../src/main/ground/resources'
import { createEnvironments } from '../../../src/main/streams/environments'
import { openStreamLibrary } from '../../../src/main/streams/stream-library'

vi.setConfig({ testTimeout: 120_000 })

const FILE = join(process.cwd(), '..', 'shared', 'data', 'lifelongagentbench', 'knowledge_graph.json')

describe("LifelongAgentBench's lists of actions on graphs derived from its entries", () => {
  it.skipIf(!existsSync(FILE))(
    'all come to the gold answers (skipped where knowledge_graph.json is not there)',
    async () => {
      const resources = findResources()
      const streams = openStreamLibrary(resources.streams, resources.streams)
      const { world } = createEnvironments(resources.prompts, (stream) => streams.filesOf(stream))
      const { tasks, info } = await streams.load(FILE)
      expect(info).toMatchObject({ environment: labKg.id, reading: { left: [] } })
      const verify = await labKg.verifier(world)
      const others: string[] = []
      for (const task of tasks) {
        const verdict = await verify(task)
        if (verdict.kind !== 'agrees') others.push(`${task.id}: ${verdict.why}`)
      }
      expect([tasks.length, others]).toEqual([316, []])
    },
  )
})
