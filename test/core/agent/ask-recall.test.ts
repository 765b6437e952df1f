import { expect, test } from 'vitest'
import { withFacts } from '../../../src/core/agent/ask-recall'
import type { MethodContext, RecalledPart } from '../../../src/core/ground/method'
import { NOTHING_RECALLED } from '../../../src/core/ground/method'
import { caseBank } from '../../../src/core/methods/case-bank/case-bank'
import { builtInEncoder } from '../../../src/main/embedders/built-in-encoder'
import { encoderPath } from '../../../src/main/ground/model-file'
import { findResources } from '../../../src/main/ground/resources'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { NO_USAGE } from '../../../src/shared/domain/usage'
import { trajectoryOf } from '../../main/memory-store/fixtures'
import { fakeBank } from '../../main/runs/fakes'
import { scriptedModel, shippedPrompts } from '../methods/fixtures'

const encoder = builtInEncoder(encoderPath(findResources().models))

/** An attempt at a question, or at work with a tool; `person`: what somebody said of the answer. */
function asked(id: string, question: string, answer: string, reward: 0 | 1, person?: string): Trajectory {
  const { task } = trajectoryOf(id)
  const observation =
    person === undefined ? { observation: null } : { observation: person, from: 'user' as const }
  return trajectoryOf(id, {
    ...{ task: { ...task, environment: 'agent', instruction: question }, reward },
    rounds: [
      {
        index: 0,
        completion: answer,
        usage: NO_USAGE,
        action: { kind: question.endsWith('?') ? 'answer' : 'operation', content: answer },
        ...observation,
      },
    ],
  })
}

const ATTEMPTS = [
  asked('paris', 'What is the capital of France?', 'La Famille de France', 0),
  asked('cat', 'What is the name of our cat?', 'Luna', 0),
  asked('told', 'What is the name of our cat?', 'Luna', 0, 'No, that is wrong. It is Murphy.'),
  asked('right', 'What is the name of our cat?', 'Murphy', 1),
  asked(
    'ledger',
    'Write the harbour ledger sorted by the wharf number.',
    'Done.',
    0,
    'That is wrong, it is not sorted.',
  ),
  asked('other', 'Which port does the Vela use in Kiel?', '7411', 1),
  asked('release', 'Release version 2.4 of the billing service.', 'npm publish', 0, 'That failed.'),
  asked('berth', 'Which ship lies at berth 14?', 'Alma', 0, 'No, that is wrong. It is Vela.'),
]

/** The attempts that a program's request is shown, of all that its method recalled. */
async function shown(request: string, everyday: boolean): Promise<(string | null)[]> {
  const bank = {
    ...fakeBank(),
    // How many items there are says how alike two texts are that have nothing to do with each other.
    memorySource: { state: { live: ATTEMPTS.length } } as NonNullable<MethodContext['bank']['memorySource']>,
    trajectory: (id: string) => Promise.resolve(ATTEMPTS.find((one) => one.id === id) ?? null),
  }
  const retrieved = ATTEMPTS.map(({ id, reward, task }): RecalledPart => ({
    item: {
      kind: 'case',
      id: `case-${id}`,
      trajectoryId: id,
      title: task.instruction,
      score: 1,
      scoreKind: 'cosine',
      reward,
    },
    text: task.instruction,
  }))
  const method = { ...caseBank, recall: () => Promise.resolve({ ...NOTHING_RECALLED, retrieved }) }
  const context: MethodContext = {
    ...{
      bank,
      embedder: encoder,
      model: scriptedModel([]),
      prompts: shippedPrompts,
      settings: {},
      k: 4,
      seed: 1,
    },
  }
  const task = { ...trajectoryOf('now').task, environment: 'agent', instruction: request, payload: null }
  const parts = await withFacts(method, { most: 2 }, everyday).recall({ task, context: '' }, context)
  return [
    ...parts.successLessons.map(({ text }) => text),
    ...parts.retrieved.map(({ item }) => item.trajectoryId),
  ]
}

test('a program is shown attempts that its request is about, and wrong ones only with what a person said of them', async () => {
  expect(await shown("What's our cat called?", true)).toEqual([
    'What is the name of our cat? It is Murphy.',
    'right',
  ])
  expect(
    await shown('Write the harbour ledger sorted by the wharf number, for the northern wharf.', true),
  ).toEqual(['ledger'])
  expect(await shown('Write a poem about the sea.', true)).toEqual([])
})

test('work that was told wrong is shown where it is asked for with another number, an answer is not', async () => {
  expect(await shown('Release version 2.5 of the billing service.', true)).toEqual(['release'])
  expect(await shown('Which ship lies at berth 15?', true)).toEqual([])
})

test('in a world of its own it is shown what its method recalls', async () => {
  expect(await shown('Write a poem about the sea.', false)).toHaveLength(ATTEMPTS.length)
})
