import { describe, expect, it } from 'vitest'
import type { GenerateRequest, LanguageModel } from '../../../../src/core/ground/ports'
import { createToolUseEnvironment } from '../../../../src/core/tasks/tool-use/environment'
import { writeCall, writeMessage } from '../../../../src/core/tasks/tool-use/grammar'
import { TELECOM } from '../../../../src/core/tasks/tool-use/telecom'
import { askFor } from '../../../../src/core/tasks/tool-use/user-tools'

const line = { customer_id: 'C1', line_id: 'L1' }
const database = {
  plans: [
    { plan_id: 'P1', name: 'Small', data_limit_gb: 5, price_per_month: 40, data_refueling_price_per_gb: 2 },
  ],
  devices: [],
  customers: [
    {
      ...{ customer_id: 'C1', full_name: 'Ada Lund', date_of_birth: '1990-01-01', phone_number: '555' },
      ...{ line_ids: ['L1'], bill_ids: [] },
    },
  ],
  lines: [
    {
      ...{ line_id: 'L1', phone_number: '555', status: 'Active', plan_id: 'P1' },
      ...{ data_used_gb: 1, data_refueling_gb: 0, roaming_enabled: false },
    },
  ],
  bills: [],
}
const permissions = { sms: true, storage: true, phone: true, network: false }
const userDatabase = {
  device: {
    active_apn_settings: { apn_name: 'internet', mmsc_url: 'http://mms.example' },
    app_statuses: { messaging: { app_name: 'messaging', permissions } },
  },
}
const user = { env_type: 'user', func_name: 'set_user_info', arguments: { name: 'Ada', phone_number: '555' } }

const speaking = (replies: readonly string[], requests: GenerateRequest[] = []): LanguageModel => ({
  name: 'm',
  path: '/m.gguf',
  contextSize: 4096,
  countTokens: (texts) => Promise.resolve(texts.map(() => 1)),
  generate(request) {
    requests.push({ ...request, messages: [...request.messages] })
    const usage = { promptTokens: 1, completionTokens: 1, reusedTokens: 0, ms: 1 }
    return Promise.resolve({ text: replies[requests.length - 1] ?? '###STOP###', usage, finish: 'end' })
  },
})

function open(
  over: Record<string, unknown>,
  ports?: { model: LanguageModel; judge?: LanguageModel; seed: number },
) {
  const environment = createToolUseEnvironment({
    systemPrompt: 'rules',
    userPrompt: 'You are a user.',
    judgePrompt: '{{rubric}}Statement: {{answer}}\n{{question}}',
    data: () => ({ policy: '# Policy', database, userDatabase }),
  })
  const payload = {
    id: 't',
    domain: 'telecom',
    user_scenario: { instructions: 'You have no mobile data.' },
    evaluation_criteria: { actions: [], reward_basis: ['ENV_ASSERTION'] },
    ...over,
  }
  const task = { id: 't', index: 0, environment: 'tool-use', instruction: '', skills: [], payload }
  return environment.open(task, ports)
}

describe('a conversation with tools on both sides', () => {
  const excellent = {
    ...{ env_type: 'user', func_name: 'assert_internet_speed' },
    arguments: { expected_speed: 200, expected_desc: 'excellent' },
  }
  const prepared = {
    initial_state: {
      initialization_actions: [
        user,
        { env_type: 'user', func_name: 'turn_data_off', arguments: {} },
        { env_type: 'assistant', func_name: 'set_data_usage', arguments: { ...line, data_used_gb: 5.5 } },
      ],
    },
    evaluation_criteria: {
      actions: [
        { requestor: 'user', name: 'toggle_data', arguments: {} },
        { requestor: 'assistant', name: 'refuel_data', arguments: { ...line, gb_amount: 2 } },
      ],
      env_assertions: [excellent],
      reward_basis: ['ENV_ASSERTION', 'ACTION'],
    },
  }

  it('starts from the prepared state, is changed from both sides and graded by the state in the end', async () => {
    const episode = open(prepared)
    const ask = (name: string) => episode.step(writeMessage(`Could you ${name} please?`))
    expect(await ask('run a speed test')).toMatchObject({
      from: 'user',
      observation: expect.stringContaining('no connection') as string,
    })
    expect(await ask('toggle your data')).toMatchObject({
      observation: expect.stringContaining('Mobile data is now ON') as string,
    })
    // What the company does to the line is felt by the phone.
    expect(await ask('run the speed test')).toMatchObject({
      observation: expect.stringContaining('no connection') as string,
    })
    await episode.step(writeCall('refuel_data', { ...line, gb_amount: 2 }))
    expect(await ask('run the speed test')).toMatchObject({
      observation: expect.stringContaining('(excellent)') as string,
    })
    expect(await leave(episode)).toMatchObject({ done: true, finish: 'completed', reward: 1 })
  })

  it('is not solved by what the other side would have had to do', async () => {
    const episode = open(prepared)
    // The agent has no hands on the phone.
    expect(await episode.step(writeCall('toggle_data', {}))).toMatchObject({ failed: true })
    await episode.step(writeCall('refuel_data', { ...line, gb_amount: 2 }))
    expect(await leave(episode)).toMatchObject({
      reward: 0,
      scores: [
        { name: 'Database as it should be', value: 0 },
        { name: 'State as the task says', value: 0 },
        { name: 'Expected tool calls', value: 0.5, detail: 'missing: toggle_data' },
      ],
    })
  })

  it('a model that plays the user uses its tools before it answers, and those alone', async () => {
    const requests: GenerateRequest[] = []
    const model = speaking([writeCall('toggle_data', {}), 'It is on now.', 'Bye. ###STOP###'], requests)
    const episode = open(prepared, { model, seed: 1 })
    expect(await episode.step(writeMessage('Turn on mobile data.'))).toMatchObject({
      from: 'user',
      observation: 'It is on now.',
    })
    expect(requests[0]?.messages[0]?.content).toContain('toggle_airplane_mode')
    expect(requests[1]?.messages.at(-1)?.content).toContain('Mobile data is now ON')
    expect(await episode.step(writeMessage('Anything else?'))).toMatchObject({ done: true, reward: 0 })
  })

  it('leaves a task ungraded whose state cannot be set up', async () => {
    const broken = {
      initial_state: {
        initialization_actions: [
          {
            env_type: 'assistant',
            func_name: 'set_data_usage',
            arguments: { ...line, line_id: 'L9', data_used_gb: 1 },
          },
        ],
      },
    }
    expect(await open(broken).step(writeMessage('Hello.'))).toMatchObject({
      done: true,
      reward: 0,
      ungraded: expect.stringContaining('L9') as string,
    })
  })

  it('pays a bill from request to receipt', () => {
    const session = TELECOM.open({ agent: database, user: userDatabase })
    for (const [side, name, args] of [
      ['user', 'set_user_info', { name: 'Ada', phone_number: '555' }],
      ['assistant', 'suspend_line_for_overdue_bill', { ...line, new_bill_id: 'B9', contract_ended: false }],
      ['user', 'simulate_network_search', {}],
    ] as const)
      expect(session.prepare({ side, name, args })).toBeNull()
    const status = (expected_status: string) =>
      session.holds({ side: 'user', name: 'assert_service_status', args: { expected_status } })
    expect(status('no_service')).toBe(true)
    expect(session.call('make_payment', {}, 'user')).toMatchObject({ failed: true })
    session.call('send_payment_request', { customer_id: 'C1', bill_id: 'B9' })
    expect(session.call('check_payment_request', {}, 'user').text).toContain('B9 of 40')
    session.call('make_payment', {}, 'user')
    expect(
      session.holds({ side: 'assistant', name: 'assert_no_overdue_bill', args: { overdue_bill_id: 'B9' } }),
    ).toBe(true)
    session.call('resume_line', line)
    // The phone looks for its network at the next reboot.
    expect(status('no_service')).toBe(true)
    session.call('reboot_device', {}, 'user')
    expect(status('connected')).toBe(true)
  })
})

describe('statements about a conversation', () => {
  const judged = {
    evaluation_criteria: {
      actions: [],
      nl_assertions: ['The agent is polite.', 'The agent says goodbye.'],
      reward_basis: ['DB', 'NL_ASSERTION'],
    },
  }
  const verdict = (judgement: string) => JSON.stringify({ rationale: 'So it is.', judgement })
  const play = async (replies: readonly string[], requests: GenerateRequest[] = []) => {
    const model = speaking(['Bye. ###STOP###'])
    const episode = open(judged, { model, judge: speaking(replies, requests), seed: 1 })
    return episode.step(writeMessage('Good-bye, dear Ada.'))
  }

  it('are judged one by one by the judge, and all must hold', async () => {
    const requests: GenerateRequest[] = []
    expect(await play([verdict('correct'), verdict('correct')], requests)).toMatchObject({
      done: true,
      reward: 1,
    })
    expect(requests[0]?.messages[0]?.content).toContain('Agent: Good-bye, dear Ada.')
    const wrong = await play([verdict('correct'), verdict('incorrect')])
    expect(wrong).toMatchObject({ reward: 0 })
    expect(wrong).not.toHaveProperty('ungraded')
  })

  it('stay ungraded where the judge cannot be read', async () => {
    expect(await play(['?', '?', '?', '?', '?', '?', '?', '?'])).toMatchObject({
      reward: 0,
      ungraded: expect.stringContaining('judge') as string,
    })
  })
})

/** Speaks without asking anything until the user leaves. */
async function leave(episode: ReturnType<typeof open>) {
  for (let i = 0; i < 5; i++) {
    const outcome = await episode.step(writeMessage('That is all from here.'))
    if (outcome.done) return outcome
  }
  throw new Error('the user does not leave')
}

it('a tool is asked for in a form that is read back', async () => {
  const episode = open({ initial_state: { initialization_actions: [user] } })
  const outcome = await episode.step(writeMessage(askFor('set_network_mode_preference', { mode: '2g_only' })))
  expect(outcome).toMatchObject({ from: 'user', observation: expect.stringContaining('2g_only') as string })
})
