import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { EngineSupervisor } from '../../../../src/main/engine-client/supervisor'
import { MECHANISMS, playPlans } from '../../../core/memory/cases/stream'
import { TORTURE } from '../../../torture'

const POTION = resolve(import.meta.dirname, '../../../../../shared/models/potion-base-2M')
const present = existsSync(POTION)
if (!present) process.stderr.write(`Skipped: the small embedding model is not at ${POTION}\n`)

describe.skipIf(!present || !TORTURE)('a world in which what was done decides the worth of a case', () => {
  const engine = new EngineSupervisor({ modelFolders: () => [] })
  afterAll(() => engine.dispose())

  const shareUseful = async (name: string, k: number): Promise<number> => {
    const create = MECHANISMS[name]
    if (!create) throw new Error(`There is no learner called ${name}.`)
    const embedder = await engine.embedder(POTION)
    const shares: number[] = []
    for (const seed of [1, 2, 3, 4]) shares.push(await playPlans(create, seed, { k, embedder }))
    return shares.reduce((sum, each) => sum + each, 0) / shares.length
  }

  it.each([1, 4])(
    'learned Q that reads plans by a real embedding model chooses careful cases first, with %i a task',
    async (k) => {
      expect(await shareUseful('parametric', k)).toBeGreaterThanOrEqual(0.9)
    },
    240_000,
  )

  it('which the relations between tasks cannot tell', async () => {
    expect(await shareUseful('parametric, relations alone', 4)).toBeLessThan(0.7)
  }, 240_000)
})
