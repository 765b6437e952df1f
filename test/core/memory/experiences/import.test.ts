import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { readableFormat } from '../../../../src/core/formats'
import { LOG_FORMATS } from '../../../../src/core/memory/experiences/import'
import {
  experienceOfLog,
  MOST_STEPS,
  step,
  type AgentLog,
  type Found,
} from '../../../../src/core/memory/experiences/import/log'
import { applyExperienceEvent, type ExperienceEntries } from '../../../../src/core/memory/experiences/fold'
import { rulesOfLogs } from '../../../../src/core/memory/experiences/log-rules'
import { redactAll } from '../../../../src/core/memory/experiences/import/redact'
import { readElements, readLines } from '../../../../src/core/ground/entries'
import { experienceSchema } from '../../../../src/shared/domain/experience'

const folder = resolve('test/fixtures/kb/logs')
/** What `{{home}}` stands for in the logs. */
const HOME = ['', 'home', 'maria'].join('/')

/** Small pieces, so that every reader has to join what was torn. */
async function* torn(text: string): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += 37) yield text.slice(at, at + 37)
}

async function readText(format: string, text: string): Promise<Found[]> {
  const found: Found[] = []
  const reading = readableFormat(format).read?.(torn(text), { memoryId: 's', now: '', hash }) ?? []
  for await (const each of reading) found.push(each)
  return found
}

async function read(
  format: string,
  file: string,
): Promise<{ logs: AgentLog[]; skipped: [number, string][] }> {
  const text = readFileSync(resolve(folder, file), 'utf8').replaceAll('{{home}}', HOME)
  const found = await readText(format, text)
  return {
    logs: found.flatMap((each) => (each.kind === 'log' ? [each.log] : [])),
    skipped: found.flatMap((each) =>
      each.kind === 'left' ? [[each.place.entry ?? each.place.line, each.why]] : [],
    ),
  }
}

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
const made = (log: AgentLog, file = 'x.json') =>
  experienceOfLog(log, { file, client: null, now: new Date(0) }, hash)
const only = <T>(items: readonly T[]): T => {
  const [item] = items
  if (item === undefined) throw new Error('nothing was read')
  return item
}
const outline = (log: AgentLog): [string, boolean][] => log.steps.map(({ verb, failed }) => [verb, failed])

test('every format says what it was written for', () => {
  expect(LOG_FORMATS.map(({ id }) => id)).toHaveLength(22)
  for (const { writtenFor, title } of LOG_FORMATS)
    expect([writtenFor, title].every((text) => text.length > 10)).toBe(true)
  expect(() => readableFormat('nope')).toThrow(/no format called "nope"/)
})

test('Claude Code: one experience per request, results beside their calls, sub-agents left out', async () => {
  const { logs, skipped } = await read('claude-code', 'claude-code.jsonl')
  const [log, answered] = logs as [AgentLog, AgentLog]
  // An answer without a call of a tool is an attempt too.
  expect(answered.steps).toMatchObject([{ verb: 'answer' }])
  expect(log).toMatchObject({
    framework: 'claude-code',
    frameworkVersion: '1.0.113',
    model: 'claude-sonnet-4-20250514',
    createdAt: '2025-09-14T10:01:00.000Z',
    promptTokens: 4210,
    completionTokens: 55,
  })
  expect(log.question).toMatch(/^The cart total is wrong/)
  expect(outline(log)).toEqual([
    ['search', false],
    ['run', true],
  ])
  expect(log.steps[0]).toMatchObject({ reason: 'I look for where the discount is applied.', tool: 'Grep' })
  expect(log.steps[1]?.observation).toBe('1 failing')
  expect(skipped).toEqual([[10, 'it is not JSON: Unexpected end of JSON input']])
})

test('Claude Code: a summary that the program writes in the name of the person is no request', async () => {
  const line = (type: string, content: unknown, more: object = {}) => ({
    ...{ type, sessionId: 's', message: { role: type, content }, ...more },
  })
  const run = (command: string) => [{ type: 'tool_use', id: command, name: 'Bash', input: { command } }]
  const lines = [
    line('user', 'Make the tests pass.'),
    line('assistant', run('make')),
    line('user', 'The user works on a library.', { isCompactSummary: true }),
    line('assistant', run('make check')),
  ]
  const found = await readText('claude-code', lines.map((one) => JSON.stringify(one)).join('\n'))
  expect(found).toMatchObject([{ kind: 'log', log: { question: 'Make the tests pass.', next: null } }])
  expect(found[0]?.kind === 'log' && found[0].log.steps.length).toBe(2)
})

test('Codex CLI: commands are unwrapped, outputs and exit codes belong to their calls', async () => {
  const { logs, skipped } = await read('codex', 'codex.jsonl')
  const log = only(logs)
  expect(log).toMatchObject({
    question: 'Add a health endpoint to the API.',
    model: 'gpt-5-codex',
    frameworkVersion: '0.46.0',
    promptTokens: 5200,
    completionTokens: 310,
  })
  expect(log.steps.map(({ verb, content, failed }) => [verb, content.slice(0, 18), failed])).toEqual([
    ['search', 'rg -n "router" src', false],
    ['edit', '*** Begin Patch\n**', false],
    ['run', 'npm test', true],
  ])
  expect(log.steps[0]?.reason).toBe('**Finding the router**')
  expect(skipped).toEqual([])
})

test('smolagents: plan, tool calls and errors; the recorded answer is not compared', async () => {
  const { logs, skipped } = await read('smolagents', 'smolagents.jsonl')
  const log = only(logs)
  expect(log).toMatchObject({
    outcome: 'failure',
    promptTokens: 2000,
    completionTokens: 80,
    sourceId: 'gaia-42',
  })
  expect(log.plan).toMatch(/^1\. Download/)
  expect(outline(log)).toEqual([
    ['run', true],
    ['answer', false],
  ])
  expect(JSON.stringify(log)).not.toContain('1.456')
  expect(skipped.map(([place]) => place)).toEqual([2, 3])
})

test('OWL: the instruction is the reason of the calls that follow', async () => {
  const { logs, skipped } = await read('owl', 'owl.json')
  const log = only(logs)
  expect(log).toMatchObject({ outcome: 'success', promptTokens: 9100 })
  expect(outline(log)).toEqual([
    ['search', false],
    ['browse', true],
    ['delegate', false],
  ])
  expect(log.steps[0]?.reason).toMatch(/^Instruction/)
  expect(skipped.map(([place]) => place)).toEqual([2])
})

test('SWE-agent: the issue, the commands and what they do', async () => {
  const log = only((await read('swe-agent', 'swe-agent.traj')).logs)
  expect(log).toMatchObject({
    question: 'An extra backslash is put before trailing underscores.',
    sourceId: 'sphinx-1',
    promptTokens: 84211,
  })
  // Submitted, though the tests that it ran last failed: neither says how it ended.
  expect(log.outcome).toBeUndefined()
  expect(outline(log)).toEqual([
    ['search', false],
    ['run', true],
    ['answer', false],
  ])
  const mini = only((await read('swe-agent', 'mini-swe-agent.traj.json')).logs)
  expect(mini).toMatchObject({ question: 'Timeouts are ignored.', frameworkVersion: 'mini 1.9.0' })
  expect(outline(mini)[0]).toEqual(['search', false])
})

test.each(['openhands-events.json', 'openhands-events.jsonl'])('OpenHands: %s', async (file) => {
  const log = only((await read('openhands', file)).logs)
  expect(log).toMatchObject({
    question: 'Make the parser accept empty files.',
    model: 'gpt-4.1',
    promptTokens: 3000,
    createdAt: '2025-03-01T08:00:01.000Z',
  })
  expect(outline(log)).toEqual([
    ['run', true],
    ['edit', false],
    ['answer', false],
  ])
  expect(log.steps[0]).toMatchObject({ reason: 'See what fails.', observation: '1 failed' })
})

test('OpenHands: each message of the person ends the attempt before it', async () => {
  const event = (id: number, source: string, action: string, content: string) => ({
    ...{ id, source, action, timestamp: `2025-03-01T08:00:0${id}`, args: { content } },
  })
  const events = [
    event(0, 'agent', 'system', 'You help.'),
    event(1, 'user', 'message', 'Sort the boats by length.'),
    event(2, 'agent', 'message', 'Sorted by name.'),
    event(3, 'user', 'message', 'That is wrong, sort the boats by length, not by name.'),
    event(4, 'agent', 'message', 'Sorted by length.'),
  ]
  const logs = (await readText('openhands', JSON.stringify(events))).flatMap((one) =>
    one.kind === 'log' ? [one.log] : [],
  )
  expect(logs.map(({ question, steps }) => [question, steps.map(({ content }) => content)])).toEqual([
    ['Sort the boats by length.', ['Sorted by name.']],
    ['That is wrong, sort the boats by length, not by name.', ['Sorted by length.']],
  ])
  expect(logs.map((log) => made(log).experience.meta.outcome)).toEqual(['failure', 'unknown'])
})

test('OpenHands: an evaluation carries its verdict', async () => {
  const { logs, skipped } = await read('openhands', 'openhands-output.jsonl')
  expect(only(logs)).toMatchObject({
    question: 'Fix issue 1.',
    outcome: 'success',
    sourceId: 'django__django-1',
  })
  expect(skipped).toEqual([[2, 'the agent did nothing']])
})

test('LifelongAgentBench: the task without the rules, and its verdict', async () => {
  const { logs, skipped } = await read('lifelong-agent-bench', 'lifelong-agent-bench-runs.json')
  expect(logs.map(({ question, outcome, domain }) => [question, outcome, domain])).toEqual([
    ['Insert a payment for member 102.', 'success', 'database'],
    ['Count the rooms.', 'failure', 'database'],
  ])
  expect(outline(only(logs))).toEqual([
    ['query', false],
    ['answer', false],
  ])
  expect(logs[1]?.steps[0]?.failed).toBe(true)
  expect(skipped.map(([place]) => place)).toEqual([3, 4])
})

test('Memento: cases with label or reward', async () => {
  const { logs, skipped } = await read('memento', 'memento.jsonl')
  expect(logs.map(({ question, outcome, plan }) => [question, outcome, plan])).toEqual([
    ['What sport does Deportivo Cali play?', 'success', '1. Find the sport.'],
    ['Where is Bodo?', 'failure', 'not json'],
  ])
  expect(logs.map(({ domain }) => domain)).toEqual(['qa', 'qa'])
  const onTheWeb = { case: 'Who made it?', plan: 'Search for the official website.', case_label: 'positive' }
  expect(await readText('memento', JSON.stringify(onTheWeb))).toMatchObject([{ log: { domain: 'web' } }])
  expect(skipped.map(([place]) => place)).toEqual([3, 4])
})

test('Agent KB files in both field names; an answer is never taken along', async () => {
  const { logs, skipped } = await read('agent-kb', 'agent-kb.json')
  expect(logs).toMatchObject([
    { plan: '1. List the recordings.', experience: ['Check dates.'], origin: 'data-file' },
    { plan: '1. Look it up.', extra: { level: 1 }, createdAt: '2025-05-01T00:00:00.000Z' },
  ])
  expect(JSON.stringify(logs)).not.toContain('Nobody knows')
  expect(skipped).toEqual([[3, 'it has another form: it has no question']])
})

test('the same attempt is the same experience, whatever the file is called', async () => {
  const log = only((await read('codex', 'codex.jsonl')).logs)
  const again = only((await read('codex', 'codex.jsonl')).logs)
  const first = made(log, 'a.jsonl').experience
  expect(made(again, 'b.jsonl').experience.id).toBe(first.id)
  expect(made({ ...log, question: 'Other' }).experience.id).not.toBe(first.id)
  expect(experienceSchema.parse(JSON.parse(JSON.stringify(first)))).toEqual(first)
  expect(first.agentPlan.split('\n')[0]).toBe('1. search: rg -n "router" src')
})

test('keys and home folders do not come along, and the report counts them', async () => {
  const log = only((await read('claude-code', 'claude-code.jsonl')).logs)
  const { experience, redactions } = made(log)
  const text = JSON.stringify(experience)
  expect(text).not.toMatch(/sk-ant|maria/)
  expect(text).toContain('~/shop/src')
  expect(redactions).toEqual({ 'access key': 1, 'home path': 1 })
})

test.each([
  ['Authorization: Bearer abcdefghijklmnop1234', 'token'],
  ['postgres://app:s3cretpw@db/x', 'password'],
  ['{"api_key": "abc123def456"}', 'credential'],
  ['password=hunter2222', 'credential'],
  ['AKIAABCDEFGHIJKLMNOP', 'access key'],
  ['-----BEGIN RSA PRIVATE KEY-----\nabc\n-----END RSA PRIVATE KEY-----', 'private key'],
  ['eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.abc', 'token'],
  ['C:\\Users\\maria\\x', 'home path'],
])('takes out %s', (text, kind) => {
  const { value, redactions } = redactAll({ deep: [text] })
  expect(redactions).toEqual({ [kind]: 1 })
  expect(redactAll(value).redactions).toEqual({})
})

test('leaves ordinary text alone', () => {
  const text = 'The password: field is empty. See /homework/a and https://example.org/x?y=1; token_count = 12'
  expect(redactAll(text)).toEqual({ value: text, redactions: {} })
})

test('long attempts keep their beginning and end', () => {
  const steps = Array.from({ length: 100 }, (_, n) => step({ verb: 'run', content: `step ${n}` }))
  const { experience } = made({ question: 'Q', framework: 'codex', domain: 'code', steps })
  expect(experience.steps).toHaveLength(MOST_STEPS)
  expect(experience.omittedSteps).toBe(40)
  expect(experience.steps.at(-1)?.content).toBe('step 99')
})

async function* pieces(text: string, size: number): AsyncGenerator<string> {
  for (let at = 0; at < text.length; at += size) yield text.slice(at, at + size)
}
const texts = async (records: AsyncIterable<{ text: string | null }>): Promise<(string | null)[]> => {
  const all: (string | null)[] = []
  for await (const { text } of records) all.push(text)
  return all
}

test.each([1, 3, 1000])('elements and lines are put together from pieces of %i', async (size) => {
  const json = ' [ {"a":"]},{\\"["}, [1,2] , 3 ]\n'
  expect(await texts(readElements(pieces(json, size)))).toEqual(['{"a":"]},{\\"["}', '[1,2]', '3'])
  expect(await texts(readElements(pieces('{"a":1}\n{"b":[2]}', size)))).toEqual(['{"a":1}', '{"b":[2]}'])
  expect(await texts(readElements(pieces('[]', size)))).toEqual([])
  expect(await texts(readLines(pieces('a\n\nb', size)))).toEqual(['a', 'b'])
})

test('what is no JSON is left out with a reason', async () => {
  for (const { read: readFormat } of LOG_FORMATS) {
    const found: Found[] = []
    for await (const each of readFormat(pieces('this is not a log', 5), { memoryId: 's', now: '', hash }))
      found.push(each)
    expect(found).toMatchObject([
      {
        kind: 'left',
        why: expect.stringMatching(/^it is (?:broken|not JSON)|before the first session$/) as string,
      },
    ])
  }
  expect(readFileSync(resolve(folder, 'memento.jsonl'), 'utf8')).toContain('not json')
})

/** A conversation with a customer whom a program plays, graded as a whole, as tau-bench writes it. */
const gradedRow = (reward: unknown) => ({
  task_id: 7,
  reward,
  info: { task: { instruction: 'You are Mia.' } },
  traj: [
    { role: 'system', content: '# Policy' },
    { role: 'user', content: 'Book me a flight to Seattle.' },
    { role: 'assistant', content: 'What is your user id?' },
    { role: 'user', content: 'mia_li' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'c1', type: 'function', function: { name: 'book', arguments: '{"paid":255}' } }],
    },
    { role: 'tool', tool_call_id: 'c1', name: 'book', content: 'Error: total price is 305, but paid 255' },
    { role: 'assistant', content: 'It is booked.' },
    { role: 'user', content: 'Thank you so much!' },
  ],
  trial: 2,
})

test('a conversation with a grade is one attempt, and ended as the grade says', async () => {
  const text = JSON.stringify([0, 1, 0.5].map(gradedRow))
  expect(readableFormat('chat').recognise?.(text, 'results.json').confidence).toBeGreaterThan(0)
  const found = await readText('chat', text)
  const logs = found.flatMap((each) => (each.kind === 'log' ? [each.log] : []))
  const [failure, success, ...between] = logs
  expect([failure?.outcome, success?.outcome, failure?.sourceId, failure?.next]).toEqual([
    'failure',
    'success',
    '7/2',
    null,
  ])
  expect(outline(failure as AgentLog)).toEqual([
    ['answer', false],
    ['other', true],
    ['answer', false],
  ])
  expect(failure?.steps[0]?.observation).toBe('mia_li')
  // A grade between right and wrong is none: each request is an attempt of its own.
  expect(between.map(({ outcome, question }) => [outcome, question])).toEqual([
    [undefined, 'Book me a flight to Seattle.'],
    [undefined, 'mia_li'],
  ])
})

test('what a shell says to an agent that acts in words is the answer to its step', async () => {
  const row = {
    resolved: false,
    messages: [
      { role: 'user', content: 'Make the tests pass.' },
      { role: 'assistant', content: 'I look.\n```bash\nls src\n```' },
      { role: 'user', content: "ls: cannot access 'src': No such file or directory" },
      { role: 'assistant', content: 'There is no such folder.' },
    ],
  }
  const [found] = await readText('chat', JSON.stringify(row))
  const log = found?.kind === 'log' ? found.log : null
  expect(log?.outcome).toBe('failure')
  expect(outline(log as AgentLog)).toEqual([
    ['run', true],
    ['answer', false],
  ])
})

test('aider: a request each, with what the person wrote and did next', async () => {
  const { logs, skipped } = await read('aider', 'aider.chat.history.txt')
  expect(skipped).toEqual([])
  expect(logs.map(({ question, next, command, ending }) => ({ question, next, command, ending }))).toEqual([
    {
      question: 'Add a dark mode switch to the settings page',
      next: 'The switch on the settings page does not do anything',
      command: null,
      ending: null,
    },
    {
      question: 'The switch on the settings page does not do anything',
      next: 'Thanks, I will do it by hand',
      command: 'undo',
      ending: null,
    },
    { question: 'Thanks, I will do it by hand', next: null, command: null, ending: null },
    { question: 'Write the release notes', next: null, command: null, ending: 'service-error' },
  ])
  expect(logs[0]).toMatchObject({ model: 'gpt-4o', createdAt: '2024-09-14T10:22:31.000Z' })
  expect(logs[0]?.steps.map(({ verb, content }) => [verb, content.slice(0, 20)])).toEqual([
    ['edit', 'settings.html'],
    ['answer', 'I will add the switc'],
  ])
  // A heading that the model wrote is no message of the person.
  expect(logs[1]?.steps.at(-1)?.content).toContain('#### A heading')
  expect(logs.map((log) => made(log).experience.meta.outcome)).toEqual([
    'failure',
    'failure',
    'unknown',
    'failure',
  ])
})

test('logs of a program are read by what its attempts came to whose outcome is known, and by no quarantined one', () => {
  const steps = (n: number) => [
    step({ verb: 'run', tool: 'Bash', content: `make ${n}`, observation: 'error: no rule', failed: true }),
    step({ verb: 'run', tool: 'Bash', content: `ls ${n}`, observation: 'Makefile' }),
  ]
  const log = (n: number, more: Partial<AgentLog> = {}): AgentLog => ({
    ...{ question: `Build part ${n}.`, framework: 'mason', domain: 'code', steps: steps(n) },
    ...{ reply: 'Here.', ending: 'out-of-form', ...more },
  })
  const entries: ExperienceEntries = new Map()
  for (let n = 0; n < 40; n++) {
    const { experience } = made(log(n, { outcome: n % 20 === 0 ? 'success' : 'failure' }))
    expect(experienceSchema.parse(experience).meta.signs).toContain('out-of-form')
    applyExperienceEvent(entries, { kind: 'experience-added', experience }, n)
  }
  const curated = new Map()
  const bank = {
    experiences: { entries: () => entries.values() },
    memorySource: { state: { curated: new Map([['experience', curated]]) } },
  } as unknown as Parameters<typeof rulesOfLogs>[0]
  const verdictBy = (rules: ReturnType<typeof rulesOfLogs>, framework = 'mason') =>
    experienceOfLog(
      log(99, { framework }),
      { file: null, client: null, now: new Date(0) },
      hash,
      rules(framework),
    ).experience.meta.verdict
  expect(verdictBy(rulesOfLogs(bank))).toMatchObject({ value: 'failed', state: 'teaches' })
  expect(verdictBy(rulesOfLogs(bank), 'other')).toMatchObject({ value: 'failed', state: 'shown' })
  for (const id of entries.keys()) curated.set(id, { quarantined: { why: 'stranger', at: '' } })
  expect(verdictBy(rulesOfLogs(bank))).toMatchObject({ state: 'shown' })
})
