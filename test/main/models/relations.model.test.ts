import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { RELATION_QUESTIONS } from '../../../src/core/agent/probe/relation-questions'
import { readingOf, readingRequest } from '../../../src/core/verdict/message-reader'
import { createApp } from '../../../src/main/app'
import { LEAST_FOR_RELATIONS } from '../../../src/shared/domain/model-profile'
import { READ_RELATIONS } from '../../../src/shared/domain/verdict'
import { longTest } from '../../torture'
import { hasSmolLm2, SMOLLM2 } from '../adapters/llama/smollm2-model'

describe.skipIf(!hasSmolLm2)('SmolLM2, a real model of 135 million weights', () => {
  longTest('is asked what all labelled messages mean, and does not pass', { timeout: 600_000 }, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loam-relations-'))
    const app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
    try {
      const model = await app.loadModel(SMOLLM2, {})
      const said = new Map<string, number>()
      let rightCount = 0
      for (const { relation, message, ...before } of RELATION_QUESTIONS) {
        const { text } = await model.generate(readingRequest(before, message), {})
        const reading = readingOf(text)
        // Held to the form, it always says one of the ten.
        expect(READ_RELATIONS).toContain(reading)
        said.set(String(reading), (said.get(String(reading)) ?? 0) + 1)
        if (reading === relation) rightCount += 1
      }
      process.stderr.write(
        `SmolLM2 told ${rightCount} of ${RELATION_QUESTIONS.length}: ${JSON.stringify(Object.fromEntries(said))}\n`,
      )
      expect(rightCount).toBeLessThan(LEAST_FOR_RELATIONS)
    } finally {
      await app.dispose()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
