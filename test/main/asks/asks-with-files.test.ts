import { quoted } from '../../../src/core/ground/quote'
import { afterEach, expect, test } from 'vitest'
import type { ChatMessage, LanguageModel } from '../../../src/core/ground/chat'
import { startModelServer, type ModelServer } from '../../fixtures/model-server'
import { askAndWait, DEMO_MODEL, hasTools, listAll, passProbe, useAsksRig } from './rig'

const openRig = useAsksRig()
let server: ModelServer | null = null
afterEach(async () => {
  await server?.close()
  server = null
})

const FIRST = { attempt: 0, turn: 0 }

const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }

/** What a server's model does in these tests: reads the file, writes a sum, and answers with a table. */
const bookkeeper = (seen: ChatMessage[][]): LanguageModel => ({
  name: 'bookkeeper',
  path: 'bookkeeper',
  contextSize: 8192,
  countTokens: (texts) => Promise.resolve(texts.map((text) => Math.ceil(text.length / 4))),
  generate({ messages }, { onToken } = {}) {
    seen.push([...messages])
    const answered = messages.filter(({ role }) => role === 'tool')
    const call = (name: string, given: Record<string, unknown>) =>
      Promise.resolve({
        text: '',
        toolCalls: [{ id: `c${answered.length}`, name, arguments: given }],
        usage,
        finish: 'tool-calls' as const,
      })
    if (answered.length === 0) return call('read_file', { path: 'costs.csv' })
    if (answered.length === 1) return call('write_file', { path: 'sum.txt', text: '42\n' })
    const text = '| item | euro |\n|---|---|\n| all | **42** |'
    for (const piece of text.match(/.{1,8}/gs) ?? []) onToken?.(piece)
    return Promise.resolve({ text, usage, finish: 'end' })
  },
})

test.skipIf(!hasTools)(
  'an ask with a file: real tools read it and leave another, the answer is kept (needs a build)',
  async () => {
    const seen: ChatMessage[][] = []
    server = await startModelServer('bookkeeper', bookkeeper(seen))
    const { app } = await openRig()
    const { ask, attempts } = await askAndWait(app, {
      text: 'Add up the costs.',
      model: `openai:bookkeeper@${server.url}`,
      tools: ['code'],
      files: [{ name: 'costs.csv', base64: Buffer.from('item,euro\nink,40\npen,2\n').toString('base64') }],
    })
    expect(ask).toMatchObject({ status: 'done', problem: null, given: [{ name: 'costs.csv', bytes: 23 }] })
    const [attempt] = attempts
    expect(attempt?.trajectory.rounds.map(({ action }) => action.kind)).toEqual([
      'operation',
      'operation',
      'answer',
    ])
    expect(attempt?.trajectory.rounds[0]?.observation).toContain('ink,40')
    expect(attempt?.trajectory.question?.answer).toContain('**42**')
    expect(attempt?.made).toEqual([{ name: 'sum.txt', bytes: 3 }])
    const made = await app.asks.readFile(ask.id, FIRST, 'sum.txt')
    expect(Buffer.from(made.base64, 'base64').toString()).toBe('42\n')
    await expect(app.asks.readFile(ask.id, FIRST, '../../ask.jsonl')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    expect(JSON.stringify(seen[0])).toContain('costs.csv')

    // What the answer should have been is what the next ask recalls.
    await app.asks.teach(ask.id, 0, {
      verdict: 'partly',
      answer: '42 euro',
      wrongAt: 2,
      note: 'say the unit',
    })
    await app.asks.settled()
    const again = await askAndWait(app, { ...ask.spec, tools: [], text: 'Add up the costs once more.' })
    const told = JSON.stringify(seen.find((dialog) => JSON.stringify(dialog).includes('once more')))
    expect(told).toContain('42 euro')
    expect(told).toContain('say the unit')
    // The answer that was not right is in no later prompt.
    expect(again.attempts[0]?.trajectory.recalled).toHaveLength(1)
  },
)

test('files with folders in their names, and names twice, are refused', async () => {
  const { app } = await openRig()
  const file = (name: string) => ({ name, base64: '' })
  for (const files of [[file('../a')], [file('a/b')], [file('a'), file('A')], [file('..')]])
    await expect(app.askDrafts.start({ model: DEMO_MODEL, text: 'Look.', files })).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
  expect(app.asks.list({ text: '', deleted: false })).toEqual([])
})

test.skipIf(!hasTools)(
  'a rewritten call is made anew in the folder as it then was; the next message finds what was made (needs a build)',
  async () => {
    const seen: ChatMessage[][] = []
    server = await startModelServer('bookkeeper', bookkeeper(seen))
    const { app } = await openRig()
    const { ask } = await askAndWait(app, {
      text: 'Add up the costs.',
      model: `openai:bookkeeper@${server.url}`,
      tools: ['code'],
      files: [{ name: 'costs.csv', base64: Buffer.from('ink,40\n').toString('base64') }],
    })
    const edit = 'write_file {"path":"total.txt","text":"40\\n"}'
    await app.askDrafts.branch(ask.id, { attempt: 0, step: 1, edit }, {})
    await app.asks.settled()
    const branched = app.asks.get(ask.id).attempts[1]
    expect(branched?.trajectory.rounds.map(({ action }) => action.kind)).toEqual([
      'operation',
      'operation',
      'answer',
    ])
    // The sum of the first try came after the step that this one leaves it at.
    expect(branched?.made).toEqual([{ name: 'total.txt', bytes: 3 }])
    // What a try kept of the one that it left is still there for one that leaves it.
    await app.askDrafts.branch(ask.id, { attempt: 0, step: 2, edit: null }, {})
    await app.asks.settled()
    await app.askDrafts.branch(ask.id, { attempt: 2, step: 2, edit }, {})
    await app.asks.settled()
    expect(app.asks.get(ask.id).attempts[3]?.made.map(({ name }) => name)).toEqual(['sum.txt', 'total.txt'])
    await expect(
      app.askDrafts.branch(ask.id, { attempt: 0, step: 1, edit: 'write_file {"path":}' }, {}),
    ).resolves.toBeDefined()
    await app.asks.settled()
    expect(app.asks.get(ask.id).ask.problem).toMatchObject({ code: 'BAD_INPUT' })

    const more = [{ name: 'more.csv', base64: Buffer.from('pen,2\n').toString('base64') }]
    await app.asks.say(ask.id, 'And with these?', more, 1)
    await app.asks.settled()
    const { attempts, turns } = app.asks.get(ask.id)
    expect(turns[1]).toMatchObject({ after: 1, given: [{ name: 'more.csv' }] })
    const dialog = seen.at(-1) ?? []
    expect(dialog.filter(({ role }) => role === 'user').map(({ content }) => content)).toEqual([
      'Add up the costs.',
      `${quoted('File costs.csv:\nink,40\n\nFile more.csv:\npen,2\n\nFile total.txt:\n40', 'the files of the ask')}\n\nAnd with these?`,
    ])
    // Its steps are in the dialog as they were: calls, and what tools answered.
    expect(dialog.find(({ role }) => role === 'tool')?.content).toContain('ink,40')
    expect(attempts.at(-1)?.trajectory.question?.answer).toContain('**42**')
  },
)

test.skipIf(!hasTools)(
  'a word said while a tool works is in the next step; one said during the answer makes it go on (needs a build)',
  async () => {
    const seen: ChatMessage[][] = []
    const steps: (() => void)[] = []
    const inner = bookkeeper(seen)
    server = await startModelServer('bookkeeper', {
      ...inner,
      async generate(request, options) {
        const reply = await inner.generate(request, options)
        steps.shift()?.()
        return reply
      },
    })
    const { app } = await openRig()
    let id = ''
    steps.push(
      () => undefined,
      () => app.asks.steer(id, 'Only the ink.'),
      () => app.asks.steer(id, 'In euro, please.'),
    )
    id = (
      await app.askDrafts.start({
        text: 'Add up the costs.',
        model: `openai:bookkeeper@${server.url}`,
        tools: ['code'],
        files: [{ name: 'costs.csv', base64: Buffer.from('ink,40\n').toString('base64') }],
      })
    ).id
    await app.asks.settled()
    const rounds = app.asks.get(id).attempts[0]?.trajectory.rounds
    expect(rounds?.map(({ action, heard }) => [action.kind, heard ?? null])).toEqual([
      ['operation', null],
      ['operation', null],
      ['message', 'Only the ink.'],
      ['answer', 'In euro, please.'],
    ])
    expect(seen.at(-1)?.at(-1)?.content).toBe('In euro, please.')
  },
)

test.skipIf(!hasTools)(
  'a check judges each try and teaches; a model judges where a person asks it to, marked as its word (needs a build)',
  async () => {
    const seen: ChatMessage[][] = []
    const inner = bookkeeper(seen)
    let verdict = '{"rationale":"The sum is right.","judgement":"correct"}'
    server = await startModelServer('bookkeeper', {
      ...inner,
      generate(request, options) {
        if (!JSON.stringify(request.messages).includes('Predicted answer'))
          return inner.generate(request, options)
        options?.onToken?.(verdict)
        return Promise.resolve({ text: verdict, usage, finish: 'end' })
      },
    })
    const { app } = await openRig()
    const { ask } = await askAndWait(app, {
      text: 'Add up the costs.',
      model: `openai:bookkeeper@${server.url}`,
      tools: ['code'],
      files: [{ name: 'costs.csv', base64: Buffer.from('ink,40\n').toString('base64') }],
    })
    // Nobody has judged it: nothing is learned.
    expect((await app.memory.list(listAll(ask.spec.memoryId))).total).toBe(0)
    // A model that nobody has tested as a judge is none.
    await expect(app.asks.judge(ask.id, 0)).rejects.toMatchObject({
      why: expect.stringMatching(/not known yet whether .*bookkeeper.* judges/) as unknown,
    })
    await passProbe(app, ask.spec.model, 'roles')
    await app.asks.judge(ask.id, 0)
    await app.asks.settled()
    const judged = app.asks.get(ask.id)
    expect(judged.attempts[0]?.judgement).toMatchObject({
      by: 'model',
      judge: 'bookkeeper',
      verdict: 'right',
      note: 'The sum is right.',
    })
    const [item] = judged.attempts[0]?.judgement?.learned ?? []
    if (!item) throw new Error('It learned from the judge.')
    const { trajectoryIds } = await app.memory.get(ask.spec.memoryId, item)
    const learned = await app.memory.attempt(ask.spec.memoryId, trajectoryIds[0] ?? '')
    expect(learned.scores).toMatchObject([{ name: 'Judged by bookkeeper' }])

    // The person's word counts before the model's.
    await app.asks.teach(ask.id, 0, { verdict: 'wrong', answer: null, wrongAt: null, note: null })
    await app.asks.settled()
    expect(app.asks.get(ask.id).ask.verdict).toBe('wrong')
    expect((await app.memory.get(ask.spec.memoryId, item)).gone).toMatchObject({ why: 'deleted' })

    // A judge that says nothing that can be read judges nothing.
    await app.asks.retry(ask.id)
    await app.asks.settled()
    verdict = 'Hm.'
    await expect(app.asks.judge(ask.id, 1)).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(app.asks.get(ask.id).attempts[1]?.judgement).toBeNull()

    // A check judges what is there, and what comes.
    await app.asks.check(ask.id, { turn: 0, how: { kind: 'regex' }, answer: String.raw`\*\*42\*\*` })
    await app.asks.settled()
    expect(app.asks.get(ask.id).attempts[1]?.judgement).toMatchObject({ by: 'check', verdict: 'right' })
    await app.asks.check(ask.id, { turn: 0, how: { kind: 'exact', caseMatters: false }, answer: '43' })
    await app.asks.retry(ask.id)
    await app.asks.settled()
    expect(app.asks.get(ask.id).attempts[2]?.judgement).toMatchObject({ by: 'check', verdict: 'wrong' })
  },
)

test('planned work hears a word before its next plan or subtask, and goes on with what was said before', async () => {
  const { app } = await openRig()
  const planners: string[] = []
  const executors: string[] = []
  let id = ''
  const inner = bookkeeper([])
  server = await startModelServer('planner', {
    ...inner,
    generate({ messages }, options) {
      const say = (text: string) => {
        options?.onToken?.(text)
        // Each request is fuller than the one before.
        const promptTokens = 100 * (planners.length + executors.length)
        return Promise.resolve({ text, usage: { ...usage, promptTokens }, finish: 'end' as const })
      }
      const asked = JSON.stringify(messages)
      if (!messages[0]?.content.startsWith('You plan how')) {
        executors.push(asked)
        return say('{"answer":"They come to 42."}')
      }
      planners.push(asked)
      if (planners.length > 1) return say('FINAL ANSWER: 42')
      app.asks.steer(id, 'In euro, please.')
      return say('{"plan":[{"id":1,"description":"Add them up."}]}')
    },
  })
  const started = await app.askDrafts.start({
    text: 'Add up the costs.',
    way: 'plan',
    model: `openai:planner@${server.url}`,
    tools: [],
  })
  id = started.id
  await app.asks.settled()
  const [first] = app.asks.get(id).attempts
  expect(first?.trajectory.question?.answer).toBe('42')
  // The last of its three requests took most of what the model can read.
  expect(first).toMatchObject({ contextSize: 8192, contextUsed: 305, unread: '' })
  // The executor hears it before its subtask, the planner with its next plan.
  expect(executors[0]).toContain('In euro, please.')
  expect(planners[0]).not.toContain('In euro')
  expect(planners[1]).toContain('In euro, please.')
  expect(first?.trajectory.cycles?.[1]?.heard).toBe('In euro, please.')

  await app.asks.say(id, 'And in dollars?', [], null)
  await app.asks.settled()
  const next = app.asks.get(id).attempts[1]?.trajectory
  expect(planners.at(-1)).toMatch(/And in dollars\?.*We said before.*Add up the costs\..*42/)
  expect(next?.task.instruction).toBe('And in dollars?')
  expect(next?.question?.answer).toBe('42')
  // From a step of the plan on: what came before is not asked for again.
  const [asked, done] = [planners.length, executors.length]
  await app.askDrafts.branch(id, { attempt: 0, step: 1, edit: 'RESULT: They come to 43.' }, {})
  await app.asks.settled()
  const again = app.asks.get(id).attempts[2]
  expect(again?.trajectory.cycles?.[0]?.subtasks[0]?.result).toBe('They come to 43.')
  expect([planners.length - asked, executors.length - done]).toEqual([1, 0])
  expect(planners.at(-1)).toContain('They come to 43.')
  // Straight work knows no such step, and there are only three.
  for (const [step, changes] of [
    [1, { way: 'straight' }],
    [3, {}],
  ] as const)
    await expect(app.askDrafts.branch(id, { attempt: 0, step, edit: null }, changes)).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
})

test('what of a long file is not read is said while the rest is read', async () => {
  const { app } = await openRig()
  let id = ''
  const notices: (string | undefined)[] = []
  server = await startModelServer('reader', {
    ...bookkeeper([]),
    generate() {
      notices.push(app.asks.get(id).live?.unread)
      return Promise.resolve({ text: 'Seventy.', usage, finish: 'end' as const })
    },
  })
  const text = 'The valve beside the pump is checked every week.\n'.repeat(2000)
  const started = await app.askDrafts.start({
    text: 'What is checked?',
    model: `openai:reader@${server.url}`,
    tools: [],
    files: [{ name: 'manual.txt', base64: Buffer.from(text).toString('base64') }],
  })
  id = started.id
  await app.asks.settled()
  expect(notices[0]).toMatch(/^manual\.txt read in part, [\d,]+ of 98,000 characters$/)
  expect(app.asks.get(id).attempts[0]?.unread).toBe(notices[0])
})
