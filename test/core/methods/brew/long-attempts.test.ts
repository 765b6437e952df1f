import { describe, expect, test } from 'vitest'
import { shortDialogText } from '../../../../src/core/ground/prompt'
import type { GenerateRequest } from '../../../../src/core/ground/ports'
import { unsaidInsights } from '../../../../src/core/memory/guides/zero-loss'
import type { Round } from '../../../../src/shared/domain/trajectory'
import { attemptAt, scriptedModel, shippedPrompts } from '../fixtures'
import { wordEmbedder } from '../../../main/memory-store/fixtures'
import { reply, RUBRICS, searchRig } from './fixtures'

/** Words of a request, which is what the scripted model counts as tokens. */
const wordsOf = ({ messages }: GenerateRequest): number =>
  messages.reduce((sum, { content }) => sum + content.split(/\s+/).length, 0)

const CONTEXT = 4096
/** Refuses what does not fit, as an engine would. */
const limited = (answer: (request: GenerateRequest) => string) =>
  scriptedModel((request) => (wordsOf(request) > CONTEXT ? 'overflow' : answer(request)))

const longRounds = (observation: string, count: number): Round[] =>
  Array.from({ length: count }, (_, index) => ({
    ...(attemptAt(0, 0).rounds[0] as Round),
    index,
    completion: `Call ${index}.`,
    observation,
  }))

describe('an attempt that is longer than the context of whoever reads it', () => {
  test('is judged and learned from all the same, its longest texts without their middle', async () => {
    const model = limited(reply)
    const rig = searchRig({ iterations: 0 })
    const context = { model, embedder: wordEmbedder(256), prompts: shippedPrompts, seed: 1 }
    const end = await rig.run({
      context,
      rubrics: RUBRICS,
      play(task, id) {
        const made = attemptAt(task.index, 0)
        const rounds = longRounds('flight HAT001 leaves at noon '.repeat(60), 40)
        const context = 'Policy: never cancel basic economy. '.repeat(200)
        return Promise.resolve({
          ...made,
          id,
          task: { ...made.task, instruction: task.instruction, context },
          rounds,
        })
      },
    })
    if (end.kind !== 'done') throw new Error('The build is not done.')
    expect(end.outcome).toMatchObject({ concepts: 3, documents: 3, unusable: 0 })
    const read = model.requests.filter(({ messages }) => messages[0]?.content.startsWith('Read an attempt'))
    expect(read.length).toBe(12)
    for (const request of read) {
      expect(wordsOf(request)).toBeLessThanOrEqual(CONTEXT)
      const text = request.messages[1]?.content ?? ''
      for (const part of ['Policy: never cancel', 'Agent: Call 0.', 'Agent: Call 39.', '[...]'])
        expect(text).toContain(part)
    }
  })

  test('loses rounds in its middle where nothing else is left, and says how many', () => {
    const rounds = longRounds('x'.repeat(500), 100)
    const text = shortDialogText(rounds, 3000)
    expect(text.length).toBeLessThanOrEqual(3100)
    expect(text).toContain('Call 0.')
    expect(text).toContain('Call 99.')
    expect(text).toMatch(/\[\d+ rounds left out\]/)
    expect(shortDialogText(rounds, 100_000)).not.toContain('[')
  })
})

test('a concept whose first document cannot be written has its insights word for word', async () => {
  const rig = searchRig({ iterations: 1 })
  const writes = ({ messages }: GenerateRequest): boolean => !!messages[1]?.content.startsWith('Document:')
  const model = scriptedModel((request) => (writes(request) ? 'I would rather not.' : reply(request)))
  const end = await rig.run({
    context: { model, embedder: wordEmbedder(256), prompts: shippedPrompts, seed: 1 },
  })
  if (end.kind !== 'done') throw new Error('The build is not done.')
  expect(end.outcome.documents).toBe(3)
  expect(end.outcome.unusable).toBeGreaterThanOrEqual(3)
  const state = rig.memory.concepts
  for (const concept of state.builds.get('build-1')?.concepts ?? []) {
    const said = concept.insights.flatMap((id) => state.builds.get('build-1')?.insights.get(id)?.text ?? [])
    const [version] = [...state.versions.values()].filter(({ conceptId }) => conceptId === concept.id)
    if (!version) throw new Error('There is no document.')
    expect(unsaidInsights(said, version.text)).toEqual([])
  }
})
