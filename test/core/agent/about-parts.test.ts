import { expect, test } from 'vitest'
import { forAsks, withFacts } from '../../../src/core/agent/ask-recall'
import type { Method, MethodContext, RecalledPart } from '../../../src/core/ground/method'
import { NOTHING_RECALLED } from '../../../src/core/ground/method'
import { evosc } from '../../../src/core/methods/evosc/evosc'
import { builtInEncoder } from '../../../src/main/embedders/built-in-encoder'
import { encoderPath } from '../../../src/main/ground/model-file'
import { findResources } from '../../../src/main/ground/resources'
import { USUAL_FACT_FORM } from '../../../src/shared/domain/model-profile'
import { trajectoryOf } from '../../main/memory-store/fixtures'
import { fakeBank } from '../../main/runs/fakes'
import { scriptedModel, shippedPrompts } from '../methods/fixtures'

const encoder = builtInEncoder(encoderPath(findResources().models))

const textOf = (id: string, text: string, pinned = false): RecalledPart => ({
  text,
  item: {
    ...{ kind: 'lesson', id, trajectoryId: null, title: text },
    ...{ score: 1, scoreKind: 'cosine', reward: 0, ...(pinned && { pinned: true as const }) },
  },
})
const LESSONS = [
  textOf('fee', 'The harbour fee of a fishing boat is asked in cents, not in euros.'),
  textOf('street', 'Write names of streets in lower case.'),
  textOf('tone', 'Answer the harbour master in full sentences.', true),
]
const GUIDE = textOf(
  'guide',
  'Refunds\nA refund above fifty euros needs the signature of the shift lead.\nIt is paid out on Fridays.',
)

/** Ids of the lessons and guides that are shown of all that a method recalls. */
async function shownOf(request: string, wrap: (method: Method) => Pick<Method, 'recall'>) {
  const recall = () =>
    Promise.resolve({
      ...NOTHING_RECALLED,
      ...{ errorLessons: LESSONS.slice(0, 1), successLessons: LESSONS.slice(1), documents: [GUIDE] },
    })
  const context: MethodContext = {
    ...{ bank: fakeBank(), embedder: encoder, model: scriptedModel([]), prompts: shippedPrompts },
    ...{ settings: {}, k: 4, seed: 1 },
  }
  const task = { ...trajectoryOf('now').task, environment: 'agent', instruction: request, payload: null }
  const parts = await wrap({ ...evosc, recall }).recall({ task, context: '' }, context)
  return [...parts.errorLessons, ...parts.successLessons, ...(parts.documents ?? [])].map(
    ({ item }) => item.id,
  )
}

const inAsks = (method: Method) => forAsks(method, USUAL_FACT_FORM)

test('an ask is shown the lessons and guides that it is about, and those that are pinned', async () => {
  expect(await shownOf('What is the harbour fee of a fishing boat?', inAsks)).toEqual(['fee', 'tone'])
  expect(await shownOf('Who has to sign a refund of eighty euros?', inAsks)).toEqual(['tone', 'guide'])
  for (const text of ['What is the capital of France?', 'Write a poem about a boat', 'How do I boil an egg?'])
    expect(await shownOf(text, inAsks), text).toEqual(['tone'])
})

test('what tools refuse is told whatever an ask is about: it is for the calls to come', async () => {
  const refusal = textOf('refusal', 'sql refuses: column names without backticks.')
  const parts = {
    ...NOTHING_RECALLED,
    errorLessons: [{ ...refusal, item: { ...refusal.item, kind: 'belief' } }],
  }
  const method = { ...evosc, recall: () => Promise.resolve(parts) }
  expect(await shownOf('Write a poem about a boat', () => inAsks(method))).toEqual(['refusal'])
})

test('a program gets them like a person where its user is one, and whatever is recalled in a world of its own', async () => {
  const poem = 'Write a poem about a boat'
  expect(await shownOf(poem, (method) => withFacts(method, USUAL_FACT_FORM, true))).toEqual(['tone'])
  expect(await shownOf(poem, (method) => withFacts(method, USUAL_FACT_FORM, false))).toEqual([
    'fee',
    'street',
    'tone',
    'guide',
  ])
})
