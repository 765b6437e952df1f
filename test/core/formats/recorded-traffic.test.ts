import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { readableFormat, readableFormats, recogniseFormat } from '../../../src/core/formats'
import type { AgentLog, Found } from '../../../src/core/memory/experiences/import/log'
import { archivedFiles } from '../../../src/main/adapters/isolate/work/formats/zip'

const context = {
  memoryId: 'm',
  now: '2026-03-01T00:00:00.000Z',
  hash: (text: string) => createHash('sha256').update(text).digest('hex'),
  unpack: archivedFiles,
}
const recognised = (head: string, name: string) => recogniseFormat(head, name, readableFormats()).format.id
async function found(id: string, file: string | Uint8Array): Promise<Found[]> {
  const format = readableFormat(id)
  async function* pieces() {
    yield await Promise.resolve(file as string)
  }
  const rows = typeof file === 'string' ? format.read?.(pieces(), context) : format.readBytes?.(file, context)
  const all: Found[] = []
  for await (const one of rows ?? []) all.push(one)
  return all
}
const logsIn = (all: readonly Found[]): AgentLog[] =>
  all.flatMap((one) => (one.kind === 'log' ? [one.log] : []))
const leftIn = (all: readonly Found[]): string[] =>
  all.flatMap((one) => (one.kind === 'left' ? [one.why] : []))

describe("Inspect's archive, as inspect_ai writes it; its words are made up", () => {
  const head = {
    version: 2,
    status: 'success',
    eval: { task: 'sums', model: 'm/x', run_id: 'r', task_id: 't' },
  }
  const sample = (id: string, value: string) => ({
    ...{ id, epoch: 1, input: 'What is 2 + 2?', target: '4' },
    messages: [
      { role: 'user', content: 'What is 2 + 2?' },
      { role: 'assistant', content: [{ type: 'text', text: 'attachment://h1' }] },
    ],
    scores: { match: { value } },
    attachments: { h1: 'It is four.' },
  })
  const zipped = (files: Readonly<Record<string, unknown>>) =>
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, value]) => [name, strToU8(JSON.stringify(value))]),
      ),
    )
  const whole = {
    '_journal/start.json': head,
    'samples/a_epoch_1.json': sample('a', 'C'),
    'samples/b_epoch_1.json': sample('b', 'I'),
    'summaries.json': [],
    'header.json': head,
  }

  it('is recognised, and gives an attempt for each sample, with texts that it keeps apart', async () => {
    const bytes = zipped(whole)
    expect(recognised(new TextDecoder().decode(bytes), 'logs.eval')).toBe('inspect-eval')
    const logs = logsIn(await found('inspect-eval', bytes))
    expect(logs).toMatchObject([
      { sourceId: 'sums/a', outcome: 'success', model: 'm/x', steps: [{ content: 'It is four.' }] },
      { sourceId: 'sums/b', outcome: 'failure' },
    ])
  })

  it('is read where it was cut short, and says what cannot be read', async () => {
    const { 'header.json': _, ...cut } = whole
    expect(logsIn(await found('inspect-eval', zipped(cut)))).toHaveLength(2)
    expect(leftIn(await found('inspect-eval', zipped({ 'samples/a_epoch_1.json': {} })))).toEqual([
      'it says nothing of its evaluation: there is no header.json in it',
    ])
    expect(leftIn(await found('inspect-eval', zipped({ 'header.json': head })))).toEqual([
      'the log holds no samples',
    ])
    const bytes = zipped(whole)
    expect(leftIn(await found('inspect-eval', bytes.subarray(0, bytes.length - 30)))).toHaveLength(1)
  })
})

describe('a log that inspect_ai 0.3.285 wrote, packed with Zstandard as it does', () => {
  const bytes = new Uint8Array(readFileSync(resolve('test/fixtures/archives/inspect.eval')))

  it('gives an attempt for each sample, with what its tool refused', async () => {
    const logs = logsIn(await found('inspect-eval', bytes))
    expect(logs).toMatchObject([
      { sourceId: 'sums/1', outcome: 'success', frameworkVersion: '0.3.285', model: 'mockllm/model' },
      { sourceId: 'sums/2', outcome: 'failure' },
      { sourceId: 'sums/3' },
    ])
    // Its two scorers do not agree.
    expect(logs[2]?.outcome).toBeUndefined()
    expect(logs[1]?.steps[0]).toMatchObject({ tool: 'add', observation: 'thirteen is not allowed' })
  })

  it('is left out in words where its files do not unpack to what they claim', async () => {
    const view = Buffer.from(bytes)
    const list = view.readUInt32LE(view.lastIndexOf('PK\u0005\u0006') + 16)
    for (const [change, problem] of [
      [-1, /unpacks to more than the \d+ bytes it claims/],
      [1, /unpacks to \d+ bytes, not to the \d+ it claims/],
    ] as const) {
      const other = Buffer.from(bytes)
      for (
        let at = other.indexOf('PK\u0001\u0002', list);
        at >= 0;
        at = other.indexOf('PK\u0001\u0002', at + 4)
      )
        other.writeUInt32LE(other.readUInt32LE(at + 24) + change, at + 24)
      expect(leftIn(await found('inspect-eval', other))[0]).toMatch(problem)
    }
    const damage = Buffer.from(bytes)
    damage.fill(0x55, 40, list)
    expect(leftIn(await found('inspect-eval', damage))).toHaveLength(1)
    expect(logsIn(await found('inspect-eval', damage))).toEqual([])
  })
})

describe("OpenTelemetry's conventions of generative AI, in the forms that they had", () => {
  const pairs = (fields: Readonly<Record<string, unknown>>) =>
    Object.entries(fields).map(([key, value]) => ({
      key,
      value: { stringValue: typeof value === 'string' ? value : JSON.stringify(value) },
    }))
  const exported = (attributes: Readonly<Record<string, unknown>>, events: readonly object[] = []) =>
    JSON.stringify({
      resourceSpans: [
        {
          scopeSpans: [
            {
              spans: [
                {
                  ...{ traceId: 't1', spanId: 's1', startTimeUnixNano: '1', events },
                  attributes: pairs({ 'gen_ai.operation.name': 'chat', ...attributes }),
                },
              ],
            },
          ],
        },
      ],
    })
  const event = (name: string, fields: Readonly<Record<string, unknown>>) => ({
    name,
    attributes: pairs(fields),
  })
  const part = (role: string, content: string) => ({ role, parts: [{ type: 'text', content }] })
  const messages = {
    'gen_ai.input.messages': [part('user', 'Weather?')],
    'gen_ai.output.messages': [part('assistant', 'Rain.')],
  }
  const record = (eventName: string, key: string, value: object) => ({
    ...{ traceId: 't1', spanId: 's1', eventName },
    body: { kvlistValue: { values: [{ key, value }] } },
  })
  const FORMS: readonly (readonly [string, string])[] = [
    [
      '1.26: content of prompt and completion',
      exported({}, [
        event('gen_ai.content.prompt', { 'gen_ai.prompt': [{ role: 'user', content: 'Weather?' }] }),
        event('gen_ai.content.completion', {
          'gen_ai.completion': [{ role: 'assistant', content: 'Rain.' }],
        }),
      ]),
    ],
    [
      '1.28: an event for each message',
      exported({}, [
        event('gen_ai.system.message', { content: 'Be brief.' }),
        event('gen_ai.user.message', { content: 'Weather?' }),
        event('gen_ai.choice', { index: '0', message: { content: 'Rain.' } }),
      ]),
    ],
    [
      'content as one attribute of an event',
      exported({}, [
        event('gen_ai.user.message', { 'gen_ai.event.content': { content: 'Weather?' } }),
        event('gen_ai.choice', { 'gen_ai.event.content': { message: { content: 'Rain.' } } }),
      ]),
    ],
    [
      '1.30: events that are logs',
      JSON.stringify({
        resourceLogs: [
          {
            scopeLogs: [
              {
                logRecords: [
                  record('gen_ai.user.message', 'content', { stringValue: 'Weather?' }),
                  record('gen_ai.choice', 'message', {
                    kvlistValue: { values: [{ key: 'content', value: { stringValue: 'Rain.' } }] },
                  }),
                ],
              },
            ],
          },
        ],
      }),
    ],
    ['1.37: attributes of the span', exported(messages)],
    [
      '1.37: one event with all',
      exported({}, [event('gen_ai.client.inference.operation.details', messages)]),
    ],
  ]
  it.each(FORMS)('%s', async (_, text) => {
    expect(recognised(text, 'spans.json')).toBe('otel')
    expect(await found('otel', text)).toMatchObject([
      { kind: 'log', log: { sourceId: 't1', question: 'Weather?', steps: [{ content: 'Rain.' }] } },
    ])
  })

  it('calls and their answers stand in their own events', async () => {
    const call = { id: 'c1', type: 'function', function: { name: 'sky', arguments: '{"x": 1}' } }
    const text = exported({}, [
      event('gen_ai.user.message', { content: 'Weather?' }),
      event('gen_ai.assistant.message', { tool_calls: [call] }),
      event('gen_ai.tool.message', { content: 'wet', id: 'c1' }),
      event('gen_ai.choice', { message: { content: 'Rain.' } }),
    ])
    expect(logsIn(await found('otel', text))[0]?.steps).toMatchObject([
      { tool: 'sky', observation: 'wet' },
      { content: 'Rain.' },
    ])
  })
})

it('Gemini CLI line by line: later lines replace earlier ones, and what the person took back is gone', async () => {
  const lines = [
    { sessionId: 's1', projectHash: 'p', startTime: '2026-03-01T10:00:00.000Z' },
    { id: '1', type: 'user', content: [{ text: 'List the files.' }] },
    { id: '2', type: 'gemini', content: '' },
    { id: '2', type: 'gemini', content: 'There is none.', model: 'gemini-3-pro' },
    { id: '3', type: 'user', content: 'Make ten.' },
    { id: '4', type: 'gemini', content: 'Made ten.' },
    { $rewindTo: '3' },
    { $set: { lastUpdated: '2026-03-01T10:05:00.000Z' } },
    { id: '5', type: 'user', content: 'Make one.' },
    { id: '6', type: 'gemini', content: 'Made one.' },
  ]
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('')
  expect(recognised(text, 'session-1.jsonl')).toBe('gemini-cli')
  expect(logsIn(await found('gemini-cli', text))).toMatchObject([
    {
      question: 'List the files.',
      sourceId: 's1',
      steps: [{ content: 'There is none.' }],
      next: 'Make one.',
    },
    { question: 'Make one.', steps: [{ content: 'Made one.' }] },
  ])
})

it('Gemini CLI 0.61: the list it begins and resumes a session with takes nothing away; what tools and hooks answered is no request', async () => {
  const context = {
    id: 'c',
    type: 'user',
    content: [{ text: '<session_context>\nLinux\n</session_context>' }],
  }
  const answer = {
    functionResponse: { id: 'k', name: 'run_shell_command', response: { output: 'x' } },
  }
  const output =
    '<untrusted_context>\nOutput: foghorn: not here\nExit Code: 127\n</untrusted_context>\n\n<hook_context>Known: no horn.</hook_context>'
  const call = {
    ...{ id: 'k', name: 'run_shell_command', args: { command: 'foghorn west' }, status: 'success' },
    result: [{ functionResponse: { id: 'k', name: 'run_shell_command', response: { output } } }],
  }
  const about = { sessionId: 's2', projectHash: 'p', startTime: '2026-11-29T17:26:53.041Z', kind: 'main' }
  const done = { id: '2', type: 'gemini', content: '', toolCalls: [call] }
  const lines = [
    about,
    { $set: { messages: [context] } },
    {
      ...{ id: '1', type: 'user' },
      content: [{ text: '<hook_context>Known.</hook_context>\n\nSound the horn.' }],
    },
    { ...done, toolCalls: [] },
    done,
    { id: '3', type: 'user', content: [answer] },
    { id: '4', type: 'gemini', content: 'There is none.' },
    about,
    { $set: { messages: [context, done, { id: '4', type: 'gemini', content: 'There is none.' }] } },
    { id: '5', type: 'user', content: [{ text: 'That is wrong.' }] },
    { id: '6', type: 'gemini', content: 'Sorry.' },
  ]
  expect(
    logsIn(await found('gemini-cli', lines.map((line) => `${JSON.stringify(line)}\n`).join(''))),
  ).toMatchObject([
    {
      ...{ question: 'Sound the horn.', sourceId: 's2', next: 'That is wrong.' },
      steps: [
        { content: 'foghorn west', failed: true, observation: 'Output: foghorn: not here\nExit Code: 127' },
        { verb: 'answer', content: 'There is none.' },
      ],
    },
    { question: 'That is wrong.', steps: [{ content: 'Sorry.' }] },
  ])
})
