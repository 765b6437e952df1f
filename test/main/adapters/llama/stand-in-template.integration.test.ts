import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { EngineSupervisor } from '../../../../src/main/engine-client/supervisor'
import { createApp, type App } from '../../../../src/main/app'
import { findResources } from '../../../../src/main/ground/resources'
import { chatModel } from '../../../../src/main/providers/llama-cpp'
import { writeRandomModel } from '../../../models/random-model'
import { TEMPLATES } from '../../../models/templates'

const VOCABULARY = resolve('../shared/data/real/vocab/ggml-vocab-gpt-2.gguf')
const say = (content: string) => [
  { role: 'system' as const, content: 'Be brief.' },
  { role: 'user' as const, content },
]

describe.skipIf(!existsSync(VOCABULARY))(
  'models with random weights, on the real engine (needs a real vocabulary)',
  { timeout: 240_000 },
  () => {
    let folder: string
    let app: App
    const engine = new EngineSupervisor()
    const write = (name: string, template: string | null) => {
      const path = join(folder, `${name}.gguf`)
      writeRandomModel(path, { architecture: 'qwen2', vocabulary: VOCABULARY, template, seed: 5 })
      return path
    }
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'loam-layouts-'))
      app = await createApp({
        dataPath: join(folder, 'data'),
        host: 'memory',
        resources: findResources(),
        gpuLayers: 'cpu',
      })
    })
    afterAll(async () => {
      await engine.dispose()
      await app.dispose()
      await rm(folder, { recursive: true, force: true })
    })

    it.each([
      ['has no template', null, /has no chat template, so its dialogs are laid out by ChatML\./],
      [
        'has one that fails',
        "{{ raise_exception('not today') }}",
        /fails on any dialog: not today, so its dialogs/,
      ],
    ])(
      'one that %s is said so before a run and on it, and the run goes on',
      async (name, template, words) => {
        const model = write(name.replaceAll(' ', '-'), template)
        const input = {
          ...{ stream: 'house-rules-a', method: 'none', model, contextSize: 2048, tasks: 1, maxTokens: 32 },
          ...{ k: 0, seed: 3, temperature: 1 },
        }
        const before = await app.preflight.check(input)
        expect(before.fit?.layout).toMatchObject({ own: false, name: 'ChatML' })
        expect(before.notes).toEqual(
          expect.arrayContaining([
            expect.objectContaining({ level: 'warn', text: expect.stringMatching(words) as unknown }),
          ]),
        )
        const { id } = await app.runDrafts.start(input)
        const run = await app.runs.ended(id)
        expect(run).toMatchObject({ status: 'done', problem: null, done: 1 })
        expect(run.notes).toEqual([expect.stringMatching(words)])
      },
    )

    describe('one that thinks for ever', () => {
      const ask = async (thinking: 'off' | 'on' | { budget: number }) => {
        const path = write('thinker', TEMPLATES['DeepSeek R1 distill'])
        const model = chatModel(await engine.loadModel({ path, gpuLayers: 'cpu', contextSize: 1024 }))
        const shown: string[] = []
        const reply = await model.generate(
          { messages: say('Hello'), thinking, maxTokens: 80, temperature: 1, seed: 11 },
          { onToken: (piece) => shown.push(piece) },
        )
        return { ...reply, shown: shown.join('') }
      }

      it('is ended after its budget, and the answer follows', async () => {
        const { text, thought, usage, shown } = await ask({ budget: 24 })
        expect(thought?.length).toBeGreaterThan(20)
        expect(text.length).toBeGreaterThan(20)
        expect(usage.thoughtTokens).toBe(24)
        expect(usage.completionTokens).toBe(80)
        expect(text).not.toContain('think>')
        expect(shown.trim()).toBe(text)
      })

      it('thinks to the end of what it may write where nothing ends it, and has not answered', async () => {
        expect(await ask('on')).toMatchObject({
          text: '',
          finish: 'max-tokens',
          usage: { thoughtTokens: 80 },
        })
      })

      it('answers at once where it is not to think', async () => {
        const { text, thought, usage } = await ask('off')
        expect(thought).toBeUndefined()
        expect(usage.thoughtTokens).toBeUndefined()
        expect(text.length).toBeGreaterThan(20)
      })
    })
  },
)
