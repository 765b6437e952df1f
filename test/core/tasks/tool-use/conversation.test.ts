import { describe, expect, it } from 'vitest'
import { LoamError } from '../../../../src/shared/errors'
import type { GenerateRequest, LanguageModel } from '../../../../src/core/ground/ports'
import { calculate } from '../../../../src/core/tasks/tool-use/calculate'
import {
  createToolUseEnvironment,
  TOOL_USE_MAX_ROUNDS,
} from '../../../../src/core/tasks/tool-use/environment'
import { parseToolUse, writeCall, writeMessage } from '../../../../src/core/tasks/tool-use/grammar'
import { scriptedUser } from '../../../../src/core/tasks/tool-use/user'

const address = { address1: '1 Elm', address2: '', city: 'Bonn', country: 'DE', state: 'NW', zip: '53111' }
const item = (item_id: string, price: number, available = true) => ({
  item_id,
  options: { size: item_id },
  available,
  price,
})
const database = {
  products: {
    P1: {
      name: 'Cap',
      product_id: 'P1',
      variants: { a: item('a', 10), b: item('b', 14), c: item('c', 9, false) },
    },
  },
  users: {
    ada: {
      user_id: 'ada',
      name: { first_name: 'Ada', last_name: 'Lund' },
      address,
      email: 'ada@example.com',
      payment_methods: {
        card: { source: 'credit_card', id: 'card' },
        gift: { source: 'gift_card', id: 'gift', balance: 3 },
      },
      orders: ['#1'],
    },
  },
  orders: {
    '#1': {
      order_id: '#1',
      user_id: 'ada',
      address,
      items: [{ name: 'Cap', product_id: 'P1', item_id: 'a', price: 10, options: { size: 'a' } }],
      status: 'pending',
      payment_history: [{ transaction_type: 'payment', amount: 10, payment_method_id: 'card' }],
    },
  },
}

const swap = (to: string, payment_method_id: string) =>
  writeCall('modify_pending_order_items', {
    order_id: '#1',
    item_ids: ['a'],
    new_item_ids: [to],
    payment_method_id,
  })
const DONE = writeMessage('It is done, that is 1,004 in all.')

function open(over: Record<string, unknown> = {}, model?: LanguageModel) {
  const environment = createToolUseEnvironment({
    systemPrompt: 'rules',
    userPrompt: 'You are a user.',
    judgePrompt: '{{rubric}}{{answer}}\n{{question}}',
    data: () => ({ policy: '# Policy', database }),
  })
  const payload = {
    id: 't',
    domain: 'retail',
    user_scenario: { instructions: 'You want the larger cap.' },
    evaluation_criteria: {
      actions: [
        {
          name: 'modify_pending_order_items',
          arguments: { order_id: '#1', item_ids: ['a'], new_item_ids: ['b'], payment_method_id: 'card' },
        },
      ],
      communicate_info: ['1004'],
    },
    ...over,
  }
  const task = { id: 't', index: 0, environment: 'tool-use', instruction: '', skills: [], payload }
  return environment.open(task, model && { model, seed: 1 })
}

describe('a conversation with tools', () => {
  it('shows policy and tools with the schema of their arguments', () => {
    const { context } = open()
    expect(context).toContain('# Policy')
    expect(context).toMatch(/cancel_pending_order: .*"enum":\["no longer needed","ordered by mistake"\]/)
  })

  it('is solved by the right state and every fact, commas in numbers aside', async () => {
    const episode = open()
    expect(await episode.step(swap('b', 'card'))).toMatchObject({ done: false, from: 'tool', failed: false })
    expect(await episode.step(DONE)).toMatchObject({ done: true, finish: 'completed', reward: 1 })
  })

  it('refuses what the state or the arguments do not allow, and changes nothing', async () => {
    const episode = open()
    for (const [call, why] of [
      [swap('c', 'card'), 'not available'],
      [swap('b', 'gift'), 'gift card balance'],
      [swap('z', 'card'), 'not of the same product'],
      [swap('a', 'card'), 'must differ'],
      [writeCall('cancel_pending_order', { order_id: '#1', reason: 'bored' }), 'reason: Invalid'],
      [writeCall('get_order_details', { order: '#1' }), 'order_id'],
      [writeCall('fly', {}), 'there is no tool fly'],
    ] as const) {
      expect(await episode.step(call)).toMatchObject({
        done: false,
        failed: true,
        observation: expect.stringContaining(why) as string,
      })
    }
    const outcome = await episode.step(DONE)
    expect(outcome).toMatchObject({
      reward: 0,
      scores: [
        { name: 'Database as it should be', value: 0 },
        { name: 'Expected tool calls', value: 0, detail: 'missing: modify_pending_order_items' },
        { name: 'Facts told', value: 1 },
      ],
    })
    // The task's own database is as it was, and a state that was never changed equals itself.
    expect(await open({ evaluation_criteria: { actions: [] } }).step(DONE)).toMatchObject({ reward: 1 })
  })

  it('counts the gold actions only where the task says so, over the arguments it names', async () => {
    const criteria = (compare_args: string[] | null) => ({
      evaluation_criteria: {
        actions: [
          { name: 'get_user_details', arguments: { user_id: 'ada' } },
          { name: 'calculate', arguments: { expression: '1+1' }, compare_args },
        ],
        reward_basis: ['DB', 'ACTION'],
      },
    })
    const play = async (compare: string[] | null) => {
      const episode = open(criteria(compare))
      await episode.step(writeCall('get_user_details', { user_id: 'ada' }))
      await episode.step(writeCall('calculate', { expression: '2' }))
      return episode.step(DONE)
    }
    expect(await play([])).toMatchObject({ reward: 1 })
    expect(await play(null)).toMatchObject({ reward: 0 })
  })

  it('leaves ungraded what only a judge could decide, unless something else is wrong', async () => {
    const judged = {
      evaluation_criteria: {
        actions: [],
        communicate_info: ['1004'],
        nl_assertions: ['The agent is polite.'],
        reward_basis: ['DB', 'NL_ASSERTION', 'COMMUNICATE'],
      },
    }
    expect(await open(judged).step(DONE)).toMatchObject({
      reward: 0,
      ungraded: expect.stringContaining('NL_ASSERTION') as string,
    })
    const wrong = await open(judged).step(writeMessage('No.'))
    expect(wrong).toMatchObject({ done: true, reward: 0 })
    expect(wrong).not.toHaveProperty('ungraded')
  })

  it('takes a list without assertions for one that holds, and passes over gold actions that the tools refuse', async () => {
    const nothing = {
      evaluation_criteria: {
        actions: [
          { name: 'cancel_pending_order', arguments: { order_id: '#NONE', reason: 'no longer needed' } },
        ],
        communicate_info: [],
        nl_assertions: [],
        reward_basis: ['DB', 'NL_ASSERTION'],
      },
    }
    expect(await open(nothing).step(DONE)).toMatchObject({ done: true, reward: 1 })
  })

  it('ends after a transfer was told, with a reply in no known form, and at the last round', async () => {
    const asking = { user_scenario: { instructions: 'x', script: { then: ['One more thing.'] } } }
    const transferred = open(asking)
    await transferred.step(writeCall('transfer_to_human_agents', { summary: 's' }))
    expect(await transferred.step(writeMessage('Somebody else takes over.'))).toMatchObject({
      done: true,
      finish: 'completed',
    })
    const unreadable = open()
    expect(await unreadable.step('Action: Tool\n{"name"')).toMatchObject({ done: false, from: 'environment' })
    expect(await unreadable.step('')).toMatchObject({ done: true, finish: 'invalid-action', reward: 0 })
    const endless = open()
    let outcome = await endless.step(swap('b', 'card'))
    for (let i = 1; i < TOOL_USE_MAX_ROUNDS; i++)
      outcome = await endless.step(writeCall('list_all_product_types', {}))
    expect(outcome).toMatchObject({ done: true, finish: 'round-limit', reward: 0 })
  })
})

describe('users', () => {
  it('a scripted one answers what is asked, agrees, goes on to the next thing and leaves', () => {
    const user = scriptedUser({
      instructions: { domain: 'retail', reason_for_call: 'A cap, please.', task_instructions: '' },
      script: {
        replies: [{ asks: ['email', 'name'], says: 'ada@example.com' }],
        then: ['And a hat?'],
        confirms: 'Yes, please go ahead.',
      },
    })
    const said = (message: string) => user.reply(message)
    expect(user.opening).toBe('A cap, please.')
    expect(said('What is your email?')).toEqual({ text: 'ada@example.com', ends: false })
    expect(said('A green cap for 10. Do you confirm (yes/no)?')).toEqual({
      text: 'Yes, please go ahead.',
      ends: false,
    })
    expect(said('The cap is on its way.')).toEqual({ text: 'And a hat?', ends: false })
    expect(said('Which colour?')).toEqual({ text: 'I have nothing to add.', ends: false })
    expect(said('There are no hats.')).toMatchObject({ ends: true })
  })

  it("tells the benchmark's prose piece by piece, as their own", () => {
    const user = scriptedUser({
      instructions: {
        domain: 'airline',
        reason_for_call: 'You want to cancel your flight.',
        known_info: 'You are Ada Lund.\nYour user id is ada_1.',
        task_instructions: 'If you cannot, complain.',
      },
    })
    expect(user.opening).toBe('I want to cancel my flight.')
    expect(user.reply('What is your user id?')).toMatchObject({
      text: 'I am Ada Lund.\nMy user id is ada_1.',
    })
    expect(user.reply('That is not possible.')).toMatchObject({ text: 'If I cannot, complain.', ends: false })
    expect(user.reply('I am sorry.')).toMatchObject({ ends: true })
  })

  it('a model plays the user where the task says so, until it stops or no longer fits', async () => {
    const requests: GenerateRequest[] = []
    const replies: (string | Error)[] = [
      'My name is Ada.',
      'Thanks. ###STOP###',
      new LoamError('CONTEXT_OVERFLOW', 'too long', { suggestion: 'x' }),
    ]
    const usage = { promptTokens: 1, completionTokens: 1, reusedTokens: 0, ms: 1 }
    const model: LanguageModel = {
      name: 'm',
      path: '/m.gguf',
      contextSize: 512,
      countTokens: (texts) => Promise.resolve(texts.map(() => 1)),
      generate(request) {
        const reply = replies[requests.length] ?? ''
        requests.push({ ...request, messages: [...request.messages] })
        return reply instanceof Error
          ? Promise.reject(reply)
          : Promise.resolve({ text: reply, usage, finish: 'end' })
      },
    }
    const episode = open({ user: 'model' }, model)
    expect(await episode.step(writeMessage('Your name?'))).toMatchObject({
      observation: 'My name is Ada.',
      from: 'user',
    })
    expect(await episode.step(writeMessage('Done.'))).toMatchObject({ done: true, finish: 'completed' })
    expect(requests[1]?.messages.map(({ role, content }) => `${role}: ${content}`)).toEqual([
      'system: You are a user.\n\nYou want the larger cap.',
      'user: Hello, how can I help you?',
      'assistant: I want the larger cap.',
      'user: Your name?',
      'assistant: My name is Ada.',
      'user: Done.',
    ])
    expect(await open({ user: 'model' }, model).step(DONE)).toMatchObject({
      done: true,
      finish: 'context-overflow',
      reward: 0,
    })
  })
})

it('reads calls with and without a fence, and messages of several lines', () => {
  const call = { kind: 'call', name: 'f', args: { a: 1 } }
  expect(parseToolUse(writeCall('f', { a: 1 }))).toEqual(call)
  expect(parseToolUse('I look.\nAction: Tool\n{"name": "f", "arguments": {"a": 1}}')).toEqual(call)
  expect(parseToolUse('Action: Tool\n{"name": "f"}')).toEqual({ ...call, args: {} })
  expect(parseToolUse('Action: Message\nHello\nAda')).toEqual({ kind: 'message', content: 'Hello\nAda' })
  for (const reply of [
    '',
    'Hello',
    'Action: Message\n',
    'Action: Tool\nf(1)',
    'Action: Tool\n[]',
    'Action: Tool\n{"a": 1}',
  ]) {
    expect(parseToolUse(reply)).toMatchObject({ kind: 'invalid' })
  }
})

it('calculates, and refuses everything else', () => {
  expect([calculate('2 + 3 * (4 - 1)'), calculate('-10/4'), calculate('0.1+0.2')]).toEqual([11, -2.5, 0.3])
  for (const text of ['', '1 +', '(1', '2 ** 3 x', 'alert(1)', '1/0', '1 2'])
    expect(() => calculate(text)).toThrow()
})
