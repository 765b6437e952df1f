import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getLlama, LlamaGrammarEvaluationState, type Llama, type LlamaModel } from 'node-llama-cpp'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { executorConstraint } from '../../../../src/core/agent/executor-reply'
import type { ToolInfo } from '../../../../src/core/ground/tools'
import { declaredConstraints, type OutputConstraint } from '../../../../src/core/ground/constraint'
import { compileGrammar } from '../../../../src/main/adapters/llama/grammar'
import { openToolBox } from '../../../../src/main/mcp/tool-box'
import { builtInSpec } from '../../../../src/main/tools/server-specs'
import { TOOL_SERVERS } from '../../../../src/main/tool-servers'
import { toolSettingsSchema } from '../../../../src/shared/domain/tool'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

// Loading a module enters its roles into the register: all of them are loaded, so none can be left out of this test.
const modules = import.meta.glob('../../../../src/core/**/*.ts', { eager: true })

let llama: Llama
let model: LlamaModel
beforeAll(async () => {
  llama = await getLlama({ gpu: false, build: 'never' })
  model = await llama.loadModel({ modelPath: 'models/loam-demo.gguf' })
})
afterAll(() => llama.dispose())

/** As the engine does before it writes the first token. */
async function compile(constraint: OutputConstraint): Promise<void> {
  const { grammar } = await compileGrammar(llama, constraint)
  new LlamaGrammarEvaluationState({ model, grammar })
}

describe('every constraint that a role sends compiles in llama.cpp', () => {
  it('knows every role', () => {
    expect(Object.keys(modules).length).toBeGreaterThan(100)
    const roles = declaredConstraints().map(({ role }) => role)
    expect(roles).toEqual(
      expect.arrayContaining(['planner', 'executor', 'judge', 'error-class', 'evosc-lesson']),
    )
    for (const { role, samples } of declaredConstraints())
      expect(samples().length, `samples of ${role}`).toBeGreaterThan(0)
  })

  it.each(declaredConstraints().map(({ role, samples }) => ({ role, samples })))(
    '$role',
    async ({ samples }) => {
      for (const sample of samples()) await compile(sample)
    },
  )

  it('the executor, with every built-in tool alone and with all of them', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'loam-constraints-'))
    const tools = toolSettingsSchema.parse({})
    const box = await openToolBox({
      client: { name: 'test', version: '1' },
      servers: TOOL_SERVERS.map(({ id }) => builtInSpec(id, { tools, network: true, folder })),
      folder,
      allowed: 'all',
      ask: () => Promise.reject(new Error('nobody was to be asked')),
      secrets: [],
    })
    try {
      const all: readonly ToolInfo[] = box.list()
      expect(new Set(all.map(({ server }) => server))).toEqual(new Set(TOOL_SERVERS.map(({ id }) => id)))
      for (const tool of all) await compile(executorConstraint([tool]))
      await compile(executorConstraint(all))
    } finally {
      await box.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
