import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { runStage } from '../../../src/core/methods/agent-kb/stages'
import { refineForm, TROUBLE_FORM } from '../../../src/core/methods/agent-kb/forms'
import { FEEDBACK_REASON, FEEDBACK_REFINE } from '../../../src/core/methods/agent-kb/templates'
import { calibrated, onScaleOf } from '../../../src/core/retrieval/calibration'
import type { Embedder } from '../../../src/core/ground/ports'
import { createApp, type App } from '../../../src/main/app'
import { experienceOf } from '../../core/memory/experiences/fixtures'
import { openLab } from '../../core/methods/fixtures'
import { DEMO_MODEL } from '../runs/rig-app'
import { agentKb } from '../../../src/core/methods/agent-kb/agent-kb'

const POTION = resolve('../shared/models/potion-base-2M')
const present = existsSync(POTION)
if (!present) process.stderr.write(`Skipped: the small embedding model is not at ${POTION}\n`)
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

let folder: string
let app: App
let encoder: Embedder

describe.skipIf(!present)('thresholds of Agent KB on the scale of a real embedding model', () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-real-encoder-'))
    app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
    await app.saveSettings({ embedder: POTION })
    encoder = await app.embedder()
  })
  afterAll(async () => {
    await app.dispose()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  const PLAN = ['Read the sales file.', 'Add up the units of each region.', 'Answer with the largest.']

  test.each([
    ['the plan with a step more', [PLAN[0], 'Look at its header first.', PLAN[1], PLAN[2]], true],
    ['the plan with another order', [PLAN[1], PLAN[0], PLAN[2]], true],
    ['a plan for something else', ['Search the web for the town.', 'Compare both censuses.'], false],
    ['a plan that forgets what it is about', ['Fix the parser.', 'Run the tests.', 'Commit it.'], false],
  ] as const)('the gate, of %s', async (_, refined, applied) => {
    const lab = openLab(agentKb, ({ messages }) =>
      messages[0]?.content.includes('Improve its plan') === true
        ? JSON.stringify({ suggestions: [], plan: refined })
        : JSON.stringify({ summary: 'It failed.', queries: ['units of a region'] }),
    )
    const embedder = await calibrated(encoder, lab.memory)
    const told = experienceOf('told', 'Add up units')
    await lab.memory.commit([{ kind: 'experience-added', compared: true, experience: told }])
    const { decision } = await runStage(
      {
        ...{ stage: 'feedback', round: 0, trigger: 'environment', taskIndex: 0, domain: 'qa', tools: [] },
        ...{ task: 'Task: sales', about: 'Task: sales', bareQuery: 'sales', gated: true },
        plan: PLAN.map((line, i) => `${i + 1}. ${line}`).join('\n'),
        ...{ reasonRole: FEEDBACK_REASON, reasonForm: TROUBLE_FORM },
        ...{ refineRole: FEEDBACK_REFINE, refineForm: refineForm('suggestions') },
      },
      { ...lab.context, embedder },
    )
    expect(decision).toMatchObject({ applied, why: applied ? 'applied' : 'gate' })
    expect(decision.beta).toBeCloseTo(onScaleOf(embedder, 0.8), 6)
    // Texts without relation have something in common for it all the same.
    expect(embedder.unrelated).toBeGreaterThan(0)
    expect(decision.beta).toBeGreaterThan(0.8)
  })

  test.skipIf(!existsSync(DEMO_MODEL))(
    'what says the same is ranked, also outside of runs, and what does not is not',
    async () => {
      const { id } = await app.memories.create('Handed in')
      const about = { client: 'editor', framework: 'editor', domain: 'general' }
      for (const question of [
        'How many bookings are cancelled?',
        'Count the cancelled bookings.',
        'Which region sold the most units in total?',
      ])
        await app.kb.submit(id, { question, agent_plan: `1. ${question}`, agent_experience: 'Look.' }, about)
      const report = await app.kb.abstract(id, { model: DEMO_MODEL, seed: 1, limit: null, tau: 0.8 })
      expect(report).toMatchObject({ compared: 3, ranked: 1 })
      const memory = await app.memories.open(id)
      const { unrelated = 0 } = await calibrated(encoder, memory)
      const rankings = [...memory.experiences.entries()].flatMap(({ gone }) => gone?.ranking ?? [])
      expect(rankings).toHaveLength(1)
      expect(rankings[0]?.tau).toBeCloseTo(onScaleOf({ unrelated }, 0.8), 6)
      expect(rankings[0]?.tau).toBeGreaterThan(0.8)
      expect(rankings[0]?.cosine).toBeGreaterThan(rankings[0]?.tau ?? 1)
    },
  )
})
