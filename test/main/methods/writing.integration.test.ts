import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { evolutionForm, NOTE_FORM } from '../../../src/core/methods/amem/messages'
import {
  abstractionForm,
  CRITIC_FORM,
  REASON_FORM,
  refineForm,
  TROUBLE_FORM,
} from '../../../src/core/methods/agent-kb/forms'
import { RANK_FORM } from '../../../src/core/methods/agent-kb/rank'
import { WORKFLOW_FORM } from '../../../src/core/methods/awm/messages'
import {
  documentForm,
  REFLECT_FORM,
  rubricForm,
  SHORT_DOCUMENT,
} from '../../../src/core/methods/brew/messages'
import { lessonForm } from '../../../src/core/methods/evosc/messages'
import type { GenerateRequest } from '../../../src/core/ground/chat'
import type { MethodContext } from '../../../src/core/ground/method'
import { SUMMARY_FORM, YES_NO_FORM } from '../../../src/core/methods/scm/messages'
import { write, type OutputForm } from '../../../src/core/ground/writing'
import { EngineSupervisor } from '../../../src/main/engine-client/supervisor'
import { findResources } from '../../../src/main/ground/resources'
import { shippedPrompts, memoryMemory } from '../../core/methods/fixtures'
import { wordEmbedder } from '../memory-store/fixtures'
import { hasStories, STORIES } from '../adapters/llama/stories-model'
import { TORTURE } from '../../torture'
import { openAppRig, trajectoriesOf, type AppRig } from '../runs/rig-app'

const FORMS: readonly (readonly [string, OutputForm<unknown>])[] = [
  ['lesson', lessonForm(300)],
  ['workflow', WORKFLOW_FORM],
  ['yes or no', YES_NO_FORM],
  ['summary', SUMMARY_FORM],
  ['note', NOTE_FORM],
  ['evolution', evolutionForm(3)],
  ['brew rubrics', rubricForm([{ id: 'looks-up', text: 'Looks values up.' }])],
  ['brew insights', REFLECT_FORM],
  ['brew document', documentForm(SHORT_DOCUMENT)],
  ['kb reason', REASON_FORM],
  ['kb trouble', TROUBLE_FORM],
  ['kb refine', refineForm('adaptations')],
  ['kb critic', CRITIC_FORM],
  ['kb rank', RANK_FORM],
  ['kb abstraction', abstractionForm('general')],
  ['kb abstraction with search', abstractionForm('search')],
  ['kb abstraction of code', abstractionForm('code')],
]

const DEMO_MODEL = resolve(findResources().models, 'loam-demo.gguf')

// A model that knows nothing of JSON: what comes out right is the constraint's doing.
describe.skipIf(!hasStories)('forms on a real engine', () => {
  const engine = new EngineSupervisor()
  let context: MethodContext
  beforeAll(async () => {
    const model = await engine.loadModel({ path: STORIES, gpuLayers: 'cpu', threads: 1 })
    const parts = { bank: memoryMemory(), embedder: wordEmbedder(), prompts: shippedPrompts }
    context = { ...parts, model, settings: {}, k: 4, seed: 1 }
  })
  afterAll(() => engine.dispose())

  it.each(FORMS)('%s', async (name, form) => {
    const messages = [{ role: 'user' as const, content: 'Once upon a time' }]
    const written = await write({ role: name, messages, form, taskIndex: 0, maxTokens: 400 }, context)
    // The grammar guarantees the form; only a text that is never closed may be cut.
    if ('reason' in written) expect(['cut', 'empty']).toContain(written.reason)
    expect(written.usage.completionTokens).toBeGreaterThan(0)
  })
})

// Of 24 texts with room for 18 tokens, 6 were cut while their limits knew nothing of the tokens.
describe('texts that are longer than the tokens there are', () => {
  const engine = new EngineSupervisor()
  afterAll(() => engine.dispose())

  it('are kept within them, closed, or asked for once more, shorter', async () => {
    const model = await engine.loadModel({ path: DEMO_MODEL, gpuLayers: 'cpu', threads: 1 })
    const asked: GenerateRequest[] = []
    const listening = {
      ...model,
      generate: (request: GenerateRequest) => {
        asked.push(request)
        return model.generate(request)
      },
    }
    let cut = 0
    for (let taskIndex = 0; taskIndex < 24; taskIndex++) {
      const form: OutputForm<unknown> = taskIndex % 2 === 0 ? lessonForm(300) : SUMMARY_FORM
      const messages = [{ role: 'user' as const, content: `Say what was learned from task ${taskIndex}.` }]
      const order = { role: 'short', messages, form, taskIndex, maxTokens: 18, temperature: 1 }
      const written = await write(order, { model: listening, seed: 1 })
      if ('reason' in written && written.reason === 'cut') cut++
    }
    expect(cut).toBeLessThan(3)
    const again = asked.filter(({ messages }) => messages.at(-1)?.content.includes('was cut at its limit'))
    for (const { constraint } of again) expect(JSON.stringify(constraint)).toMatch(/"maxLength":\d{2}\b/)
  })
})

const TASKS = TORTURE ? 8 : 3
const hasDemo = existsSync(DEMO_MODEL)
if (!hasDemo) process.stderr.write(`Skipped: the demo model is not at ${DEMO_MODEL} yet\n`)

describe.skipIf(!hasDemo)('methods on the demo model', () => {
  let rig: AppRig
  beforeAll(async () => {
    rig = await openAppRig(1, () => Promise.resolve(findResources()))
  })
  afterAll(() => rig.close())

  // Every method plays some tasks of it in test/core/methods/conformance; of these two it is known that they keep something.
  it.each(TORTURE ? ['evosc', 'awm', 'scm', 'amem', 'agent-kb'] : ['scm', 'amem'])(
    '%s runs a stretch of the demo stream',
    { timeout: 600_000 },
    async (method) => {
      const { app } = rig
      const { id } = await app.runDrafts.start({ stream: 'house-rules-a', method, tasks: TASKS, seed: 1 })
      expect(await app.runs.ended(id)).toMatchObject({ status: 'done', done: TASKS, problem: null })
      const attempts = await trajectoriesOf(app, id)
      const learned = attempts.filter(({ learnUsage }) => learnUsage !== undefined)
      const memory = await app.memories.open(app.runs.get(id).config.memoryId)
      const kinds = ['lesson', 'workflow', 'note', 'summary'] as const
      const kept = (await Promise.all(kinds.map((kind) => memory.items(kind)))).flat()
      for (const item of kept)
        for (const source of item.trajectoryIds) expect(attempts.map((each) => each.id)).toContain(source)
      if (method === 'scm' || method === 'amem') expect(kept.length).toBeGreaterThan(0)
      if (method === 'amem') expect(learned).toHaveLength(TASKS)
    },
  )
})
