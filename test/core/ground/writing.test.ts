import { describe, expect, test } from 'vitest'
import { mendReply } from '../../../src/core/ground/mend-reply'
import {
  createWritingTally,
  declareForm,
  listField,
  textField,
  textForm,
  write,
} from '../../../src/core/ground/writing'
import { addWritings, failureRate } from '../../../src/shared/domain/writing'
import { scriptedModel, type Reply } from '../methods/fixtures'

const FORM = declareForm('writing-test', {
  schema: {
    type: 'object',
    properties: {
      title: { type: 'string', maxLength: 40 },
      steps: { type: 'array', items: { type: 'string', maxLength: 30 }, maxItems: 2 },
      verdict: { enum: ['on-track', 'in-trouble'] },
    },
    required: ['title', 'steps', 'verdict'],
  },
  read(value) {
    const title = textField(value, 'title')
    const steps = listField(value, 'steps')
    const verdict = textField(value, 'verdict')
    if (title === undefined || steps === undefined || verdict === undefined) return undefined
    return title === '' || title.length > 40 ? null : { title, steps, verdict }
  },
})
const schema = FORM.constraint.kind === 'json-schema' ? FORM.constraint.schema : {}
const SAID = { title: 'Look first', steps: ['a', 'b'], verdict: 'on-track' }

describe('a reply slightly off its form', () => {
  const replies: readonly (readonly [string, string])[] = [
    [
      'behind a thought, in a fence',
      `<think>Hm.</think>\nHere it is:\n\`\`\`json\n${JSON.stringify(SAID)}\n\`\`\``,
    ],
    [
      'in single quotes, with a trailing comma',
      "{'title': 'Look first', 'steps': ['a', 'b'], 'verdict': 'on-track',}",
    ],
    [
      'with other spellings of names and choices',
      '{"Title": "Look first", "STEPS": ["a", "b"], "verdict": "On track"}',
    ],
    [
      'with a list written as a text',
      '{"title": "Look first", "steps": "1. a\\n2. b", "verdict": "on-track"}',
    ],
    [
      'in a list of one, with more than was asked for',
      JSON.stringify([{ ...SAID, steps: ['a', 'b', 'c'], why: 'x' }]),
    ],
  ]
  test.each(replies)('is read: %s', (_how, reply) => {
    expect(mendReply(reply, schema)).toEqual(SAID)
  })

  test('cut at its end it is closed; what is missing is empty, and nothing is made up', () => {
    expect(
      mendReply('{"title": "Look first", "verdict": "on-track", "steps": ["a", "b half', schema),
    ).toEqual({
      ...SAID,
      steps: ['a'],
    })
    // A choice is not made for it.
    expect(mendReply('{"title": "Look first", "ver', schema)).toBeUndefined()
    expect(
      mendReply(
        '{"title": "One sentence. And a second one that is too long for it.", "steps": [], "verdict": "on-track"}',
        schema,
      ),
    ).toMatchObject({ title: 'One sentence.' })
    for (const none of [
      '',
      'I cannot do that.',
      '[1, 2]',
      '{"other": 1}',
      '{{{{{{',
      `{"a":${'['.repeat(5000)}`,
      // Deeper than any stack.
      `{"steps":${'['.repeat(100_000)}`,
      `{"steps":${'{"a":'.repeat(100_000)}`,
    ])
      expect(mendReply(none, schema), none.slice(0, 20)).toBeUndefined()
  })
})

describe('what was written is counted', () => {
  const play = async (...replies: Reply[]) => {
    const tally = createWritingTally()
    const model = scriptedModel(replies)
    const order = {
      role: 'writing-test/3',
      messages: [{ role: 'user' as const, content: 'Write.' }],
      form: FORM,
      taskIndex: 0,
    }
    const written = await write(order, { model, seed: 1, wrote: tally.note })
    const [counted] = tally.take()
    expect(tally.take()).toEqual([])
    return { written, counted, calls: model.requests.length }
  }
  const none = { role: 'writing-test', asked: 1, mended: 0, again: 0, failed: 0 }

  test('as asked, used off form without asking again, asked twice, and not usable', async () => {
    const good = JSON.stringify(SAID)
    expect(await play(good)).toMatchObject({ calls: 1, counted: none, written: { value: SAID } })
    expect(await play(`Sure: ${good.slice(0, -1)},}`)).toMatchObject({
      calls: 1,
      counted: { ...none, mended: 1 },
      written: { value: SAID },
    })
    expect(await play('No.', good)).toMatchObject({ calls: 2, counted: { ...none, again: 1 } })
    expect(await play('No.', 'No.')).toMatchObject({
      calls: 2,
      counted: { ...none, again: 1, failed: 1 },
      written: { value: null, reason: 'malformed' },
    })
  })

  test('a text that is too long is cut to its sentences', async () => {
    const tally = createWritingTally()
    const model = scriptedModel([JSON.stringify({ lesson: 'Look first. Then write it down in full.' })])
    const order = {
      role: 'x',
      messages: [],
      form: textForm('writing-test-short', 'lesson', 20),
      taskIndex: 0,
    }
    expect((await write(order, { model, seed: 1, wrote: tally.note })).value).toBe('Look first.')
    expect(tally.take()).toEqual([{ ...none, role: 'x', mended: 1 }])
  })

  test('rates are of what was asked for', () => {
    const sums = addWritings([none, { ...none, failed: 1 }, { ...none, role: 'b' }])
    expect(sums.map((one) => [one.role, one.asked, failureRate(one)])).toEqual([
      ['writing-test', 2, 0.5],
      ['b', 1, 0],
    ])
    expect(failureRate({ ...none, asked: 0 })).toBe(0)
  })
})

test('an entry of a list that is of no use takes none of the others with it', () => {
  const schema = {
    type: 'object',
    properties: {
      insights: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            concept: { type: 'string', maxLength: 60 },
            insight: { type: 'string', maxLength: 20 },
          },
          required: ['concept', 'insight'],
        },
      },
    },
    required: ['insights'],
  }
  const good = { concept: 'fares', insight: 'Ask for the class.' }
  const long = { concept: 'fares', insight: 'One sentence that goes on and on without an end' }
  const said = (...insights: object[]) => mendReply(JSON.stringify({ insights }), schema)
  expect(said(long, good, { concept: 'bags' })).toEqual({ insights: [good] })
  expect(said(long)).toBeUndefined()
  expect(said()).toEqual({ insights: [] })
})
