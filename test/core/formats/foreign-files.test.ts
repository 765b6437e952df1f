import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readableFormat, readableFormats, recogniseFormat } from '../../../src/core/formats'
import { experienceOfLog, type AgentLog, type Found } from '../../../src/core/memory/experiences/import/log'
import type { Fact } from '../../../src/core/memory/facts/fact'

/** A file in the shape that another program writes; every word of it is made up. */
const sample = (name: string): string => readFileSync(resolve('test/fixtures/kb/logs', name), 'utf8')

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

async function readAs(id: string, text: string): Promise<Found[]> {
  async function* torn() {
    for (let at = 0; at < text.length; at += 41) yield await Promise.resolve(text.slice(at, at + 41))
  }
  const found: Found[] = []
  for await (const one of readableFormat(id).read?.(torn(), {
    memoryId: 'm',
    now: '2026-03-01T00:00:00.000Z',
    hash,
  }) ?? [])
    found.push(one)
  return found
}
const logsIn = (found: readonly Found[]): AgentLog[] =>
  found.flatMap((one) => (one.kind === 'log' ? [one.log] : []))
const factsIn = (found: readonly Found[]): Fact[] =>
  found.flatMap((one) =>
    one.kind === 'events'
      ? one.events.flatMap((event) => (event.kind === 'memory-added' ? [event.memory as Fact] : []))
      : [],
  )
const leftIn = (found: readonly Found[]): string[] =>
  found.flatMap((one) => (one.kind === 'left' ? [one.why] : []))
const outcomeOf = (log: AgentLog): string =>
  experienceOfLog(log, { file: null, client: null, now: new Date(0) }, hash).experience.meta.outcome

describe('files of other programs', () => {
  it.each([
    ['atif', sample('atif.json')],
    ['inspect', sample('inspect.json')],
    ['tau2', sample('tau2.json')],
    ['chatgpt', sample('chatgpt.json')],
    ['claude-ai', sample('claude-ai.json')],
    ['gemini-cli', sample('gemini-cli.json')],
    ['cline', sample('cline.json')],
    ['opencode', sample('opencode.json')],
    ['letta', sample('letta.af')],
    ['letta', sample('letta-messages.json')],
    ['knowledge-graph', sample('knowledge-graph.jsonl')],
    ['mem0', sample('mem0.results.json')],
    ['mem0', sample('mem0.list.json')],
  ])('are recognised by their content: %s', (id, text) => {
    expect(recogniseFormat(text.slice(0, 65_536), 'file', readableFormats()).format.id).toBe(id)
  })

  it('ATIF: calls with their answers, tokens of all steps; how it ended is not said', async () => {
    const [log] = logsIn(await readAs('atif', sample('atif.json'))) as [AgentLog]
    expect(log).toMatchObject({
      ...{ question: 'Make the tests of /app pass.', framework: 'terminus-2', model: 'openai/gpt-5' },
      ...{ sourceId: 'trial-7', promptTokens: 1000, completionTokens: 49 },
    })
    expect(log.steps).toMatchObject([
      { tool: 'bash', content: 'make test', failed: true, observation: 'make: *** [test] Error 1' },
      { verb: 'answer', content: 'One test fails.' },
    ])
    expect(log.outcome).toBeUndefined()
  })

  it('ATIF: a tool failed where Harbor says so beside its answer', async () => {
    const told = { tool_result_is_error: true, is_error: true, error: 'no such gate' }
    for (const [name, value] of [...Object.entries(told), ['tool_result_is_error', false] as const]) {
      const extra = { [name]: value }
      const results = [{ source_call_id: 'a', content: 'It is open.', extra }]
      const tool_calls = [{ tool_call_id: 'a', function_name: 'gate', arguments: { name: 'west' } }]
      const steps = [
        { step_id: 1, source: 'user', message: 'Open the gate.' },
        { step_id: 2, source: 'agent', message: '', tool_calls, observation: { results } },
      ]
      const file = { schema_version: 'ATIF-v1.8', agent: { name: 'claude-code', version: '2' }, steps }
      const [log] = logsIn(await readAs('atif', JSON.stringify(file))) as [AgentLog]
      expect(log.steps[0]?.failed).toBe(value !== false)
    }
  })

  it('Inspect: an attempt per sample, graded by its scores; what lies between is unknown', async () => {
    const found = await readAs('inspect', sample('inspect.json'))
    const logs = logsIn(found)
    expect(logs.map(({ sourceId, outcome }) => [sourceId, outcome])).toEqual([
      ['sums/2 + 2', 'success'],
      ['sums/3 + 3', 'failure'],
      ['sums/half', undefined],
    ])
    expect(logs[0]?.steps).toMatchObject([{ tool: 'python', observation: '4' }, { content: 'ANSWER: 4' }])
    expect(leftIn(found)).toHaveLength(1)
  })

  it('tau2: a simulation is one attempt with its reward; what the person said later stands beside the steps', async () => {
    const found = await readAs('tau2', sample('tau2.json'))
    const [log] = logsIn(found) as [AgentLog]
    expect(log).toMatchObject({
      question: 'Cancel my flight to Oslo.',
      outcome: 'success',
      domain: 'airline',
    })
    expect(log.steps.map(({ tool, observation }) => [tool, observation])).toEqual([
      ['get_user', '{"name": "Ana"}'],
      ['', 'Yes, please.'],
      ['', null],
    ])
    expect(leftIn(found)).toEqual(['there is no request of a person in it'])
  })

  it('ChatGPT: along the open branch, tools with their answers', async () => {
    const found = await readAs('chatgpt', sample('chatgpt.json'))
    const [log] = logsIn(found) as [AgentLog]
    expect(log).toMatchObject({ question: 'How do I water a fern?', model: 'gpt-5', next: 'Thanks!' })
    expect(log.steps).toMatchObject([
      { tool: 'python', content: 'print(1)', observation: '1' },
      { content: 'Keep it moist.' },
    ])
    expect(leftIn(found)).toEqual(['nobody answered this request'])
  })

  it('claude.ai: senders are roles', async () => {
    const [log] = logsIn(await readAs('claude-ai', sample('claude-ai.json'))) as [AgentLog]
    expect(log).toMatchObject({ question: 'How long does rye rest?', steps: [{ content: 'Twelve hours.' }] })
  })

  it('Gemini CLI: calls, failures, thoughts and tokens', async () => {
    const [log] = logsIn(await readAs('gemini-cli', sample('gemini-cli.json'))) as [AgentLog]
    expect(log).toMatchObject({ question: 'List the files.', model: 'gemini-3-pro', promptTokens: 700 })
    expect(log.steps).toMatchObject([
      { tool: 'list_directory', failed: true, observation: 'no such folder', reason: 'Listing: ls will do' },
      { content: 'There is none.' },
    ])
  })

  it('Cline: calls as XML, feedback is the next request and what it says of the attempt before counts', async () => {
    const [first, second] = logsIn(await readAs('cline', sample('cline.json'))) as [AgentLog, AgentLog]
    expect(first).toMatchObject({ question: 'Rename f to g.', next: 'It still says f in b.ts.' })
    expect(first.steps).toMatchObject([
      { tool: 'execute_command', content: 'grep -n f a.ts', reason: 'First look.' },
      { verb: 'answer', content: 'f is g now.' },
    ])
    expect(first.steps[0]?.observation).toContain('1:function f() {}')
    expect(second.question).toBe('It still says f in b.ts.')
    expect(['failure', 'unknown']).toContain(outcomeOf(first))
  })

  it('Cline for terminals: a session with its messages, the words of the person out of what is put around them', async () => {
    const said = (role: string, text: string) => ({ role, content: [{ type: 'text', text }] })
    const messages = [
      said('user', '<user_input mode="act">Sort the ledger.</user_input>'),
      { ...said('assistant', 'It is sorted.'), modelInfo: { id: 'm', provider: 'p' } },
      said('user', '<user_input mode="plan">That is wrong.</user_input>'),
      said('assistant', 'Sorry.'),
    ]
    const origin = { source: 'cli', version: '3.0.65' }
    const file = JSON.stringify({ version: 1, sessionId: 's1', origin, messages, system_prompt: 'You are.' })
    expect(recogniseFormat(file, 'file', readableFormats()).format.id).toBe('cline')
    expect(logsIn(await readAs('cline', file))).toMatchObject([
      {
        ...{ question: 'Sort the ledger.', sourceId: 's1', model: 'm', frameworkVersion: '3.0.65' },
        ...{ steps: [{ content: 'It is sorted.' }], next: 'That is wrong.' },
      },
      { question: 'That is wrong.', steps: [{ content: 'Sorry.' }] },
    ])
  })

  it('Cline: what the person answered in the place of a tool is their next request', async () => {
    const use = (id: string, name: string, input: object) => ({
      role: 'assistant',
      content: [{ type: 'tool_use', id, name, input }],
    })
    const result = (id: string, text: string) => ({
      role: 'user',
      content: [
        { type: 'tool_result', tool_use_id: id, content: [{ type: 'text', text }] },
        { type: 'text', text: '<environment_details>\nx\n</environment_details>' },
      ],
    })
    const file = JSON.stringify([
      { role: 'user', content: [{ type: 'text', text: '<task>\nAdd a readme.\n</task>' }] },
      use('a', 'write_to_file', { absolutePath: '/x/README.md' }),
      result('a', 'Saved: <answer>no words of the person</answer>'),
      use('b', 'attempt_completion', { result: 'It is there.' }),
      result(
        'b',
        'The user has provided feedback on the results.\n<feedback>\nNo, it is called Y.\n</feedback>',
      ),
      { role: 'assistant', content: [{ type: 'text', text: 'Renamed.' }] },
    ])
    const [first, second] = logsIn(await readAs('cline', file)) as [AgentLog, AgentLog]
    expect(first).toMatchObject({ question: 'Add a readme.', next: 'No, it is called Y.' })
    expect(outcomeOf(first)).toBe('failure')
    expect(second).toMatchObject({ question: 'No, it is called Y.', steps: [{ content: 'Renamed.' }] })
  })

  it('Gemini CLI: a saved chat, without what the program put before the words', async () => {
    const part = (role: string, ...parts: object[]) => ({ role, parts })
    const about = 'This is the Gemini CLI. We are setting up the context for our chat.'
    const history = [
      part('user', { text: about }),
      part('model', { text: 'Got it.' }),
      part('user', { text: 'Read a.txt' }),
      part('model', { functionCall: { id: 'r', name: 'read_file', args: { path: 'a.txt' } } }),
      part('user', { functionResponse: { id: 'r', name: 'read_file', response: { error: 'no such file' } } }),
      part('model', { text: 'It is not there.' }),
    ]
    const file = JSON.stringify({ history, authType: 'gemini-api-key' }, null, 2)
    expect(recogniseFormat(file, 'checkpoint-a.json', readableFormats()).format.id).toBe('gemini-cli')
    const logs = logsIn(await readAs('gemini-cli', file))
    expect(logs).toMatchObject([
      {
        question: 'Read a.txt',
        steps: [{ tool: 'read_file', failed: true }, { content: 'It is not there.' }],
      },
    ])
    expect(logs).toHaveLength(1)
  })

  it('Letta: what was said and done, without what the server packs around it', async () => {
    const found = await readAs('letta', sample('letta.af'))
    expect(found.filter(({ kind }) => kind === 'events')).toHaveLength(1)
    expect(leftIn(found)).toEqual(['nobody answered this request'])
    const [log] = logsIn(found) as [AgentLog]
    expect(log).toMatchObject({
      ...{ question: 'When is the next ferry?', framework: 'letta', model: 'glm-5', sourceId: 'harbour' },
      steps: [
        {
          ...{
            tool: 'ferry_table',
            content: '{"day":"monday"}',
            reason: 'I look at the table.',
            failed: true,
          },
          observation: 'Error: unknown day monday',
        },
        { tool: 'ferry_table', observation: '08:15, 12:40', failed: false },
        { verb: 'answer', content: 'At 12:40.' },
      ],
    })
    expect(outcomeOf(log)).toBe('success')
  })

  it('Letta: a list of messages, the newest first', async () => {
    const found = await readAs('letta', sample('letta-messages.json'))
    expect(leftIn(found)).toEqual([])
    expect(logsIn(found)).toMatchObject([
      {
        question: 'Which berth is free?',
        steps: [
          { tool: 'berths', observation: '4' },
          { verb: 'answer', content: 'Berth 4 is free.' },
        ],
      },
    ])
  })

  it('opencode: parts of a message, without what the program put in', async () => {
    const [log] = logsIn(await readAs('opencode', sample('opencode.json'))) as [AgentLog]
    expect(log).toMatchObject({ question: 'Why does it fail?', model: 'glm-5', frameworkVersion: '1.0.20' })
    expect(log.steps).toMatchObject([
      { tool: 'bash', content: 'cat log', observation: 'disk full', reason: 'Read the log.' },
      { content: 'The disk is full.' },
    ])
  })

  it('the official memory server: observations, types and relations are facts', async () => {
    const found = await readAs('knowledge-graph', sample('knowledge-graph.jsonl'))
    expect(factsIn(found).map(({ statement, about, link }) => [statement, about, link?.to ?? null])).toEqual([
      ['Ana is of the type person.', 'Ana', 'person'],
      ['Ana: Speaks Catalan', 'Ana', null],
      ['Ana: Has two cats', 'Ana', null],
      ['Vela is of the type project.', 'Vela', 'project'],
      ['Ana works on Vela', 'Ana', 'Vela'],
    ])
    expect(leftIn(found)).toEqual(['it is neither an entity nor a relation'])
    const untyped = '{"type":"entity","name":"me","entityType":"unknown","observations":["I live in Oslo."]}'
    expect(factsIn(await readAs('knowledge-graph', untyped))).toMatchObject([
      { statement: 'I live in Oslo.' },
    ])
  })

  it.each([sample('mem0.results.json'), sample('mem0.list.json')])(
    'mem0: sentences are facts of its time and name',
    async (text) => {
      const found = await readAs('mem0', text)
      expect(factsIn(found)).toMatchObject([
        { statement: 'Likes basketball', about: 'me', by: 'mem0', createdAt: '2026-02-01T00:00:00.000Z' },
      ])
      expect(leftIn(found)).toEqual(['it has no text'])
    },
  )
})
