import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ChatMessage } from '../../../src/core/ground/chat'
import { parseJsonBody } from '../../../src/main/ground/json-body'
import { gemini } from '../../../src/main/share/proxy/dialects/gemini'
import { heardMessage } from '../../../src/main/share/proxy/heard-text'
import { geminiRequest } from '../../../src/main/share/proxy/gemini-local'
import { OpenAttempts, personsIn, roundOf } from '../../../src/main/share/proxy/open-attempts'
import { NO_USAGE } from '../../../src/shared/domain/trajectory'

const LOGS = join(import.meta.dirname, '../../../../shared/data/real/logs/swe-agent')

const said = (role: 'system' | 'user' | 'assistant', content: string): ChatMessage => ({ role, content })

test('each message that a reply came to is the person’s', () => {
  const messages = [
    said('system', 'Be short.'),
    said('user', 'Paint the hull.'),
    said('assistant', 'Done.'),
    said('user', 'No, the keel!\nAll of it.'),
  ]
  expect(personsIn(messages, 'person')).toEqual([1, 3])
  expect(personsIn(messages, 'environment')).toEqual([1])
})

// Agents that loop over text send what a shell answered in the user's name: none of that is a word of the person on the attempt.
test.skipIf(!existsSync(LOGS))('what a shell answered an agent of text is nobody’s word', () => {
  let inUsersName = 0
  for (const name of readdirSync(LOGS)) {
    const { history } = JSON.parse(readFileSync(join(LOGS, name), 'utf8')) as {
      history?: { role: string; content: unknown }[]
    }
    const messages = (history ?? []).flatMap(({ role, content }) =>
      typeof content === 'string' && role !== 'tool' ? [said(role as 'user', content)] : [],
    )
    const first = messages.findIndex(({ role }) => role === 'assistant')
    inUsersName += messages.filter(({ role }, i) => role === 'user' && i > first).length
    expect([name, personsIn(messages, 'person').filter((i) => i > first)]).toEqual([name, []])
  }
  expect(inUsersName).toBeGreaterThan(50)
})

test('what Gemini CLI puts before the person’s words is none of them', () => {
  const read = (parts: readonly object[]) =>
    gemini.read({ contents: [{ role: 'user', parts }] })?.messages.map(({ message }) => message) ?? []
  const context = '<session_context>\nToday is Monday.\n</session_context>'
  const hook = '<hook_context>The hull is red.</hook_context>'
  const messages = [
    ...read([{ text: context }]),
    ...read([{ text: `${hook}\n\nPaint the hull.` }]),
    said('assistant', 'Done.'),
    ...read([{ text: 'No, blue!' }, { text: hook }]),
  ]
  expect(messages.map(({ content }) => content)).toEqual([context, 'Paint the hull.', 'Done.', 'No, blue!'])
  expect(personsIn(messages, 'person')).toEqual([1, 3])
  // A model on this machine reads all of it.
  const { messages: whole } = geminiRequest({
    contents: [{ role: 'user', parts: [{ text: context }, { text: `${hook}\n\nPaint the hull.` }] }],
  })
  expect(whole.map(({ content }) => content)).toEqual([`${context}\n${hook}\n\nPaint the hull.`])
})

test('a message goes with the attempt whose reply stands before it, though the dialog has lost its request', () => {
  const attempts = new OpenAttempts()
  const at = new Date(0)
  const reply = 'Here is the ledger: Alma, Berta.'
  const { attempt } = attempts.attemptOf('g', [said('user', 'Sort the ledger.')], 'person', at)
  attempt.rounds = [
    roundOf(0, { completion: reply, calls: false, observation: null, from: undefined }, NO_USAGE),
  ]
  const next = [said('assistant', reply), said('user', 'That is wrong, it is not sorted.')]
  const after = attempts.attemptOf('g', next, 'person', at)
  expect(after.before?.attempt.id).toBe(attempt.id)
  expect(after.attempt.goal).toBe(attempt.goal)
  expect(attempts.attemptOf('other', next, 'person', at).before).toBeNull()
})

test('of messages of 30 MB memory keeps their ends, in as many messages as they come', () => {
  const long = `begin ${'a'.repeat(30_000_000)} end`
  const tools = Array.from({ length: 40 }, () => [
    said('assistant', 'Look again.'),
    { role: 'tool' as const, content: long, callId: 'c', name: 'look' },
  ])
  const { attempt } = new OpenAttempts().attemptOf(
    'a',
    [said('user', long), ...tools.flat()].map(heardMessage),
    'person',
    new Date(0),
  )
  expect(attempt.instruction).toMatch(/^begin a+\n\[the middle is left out\]\na+ end$/)
  expect(attempt.rounds).toHaveLength(40)
  expect(attempt.rounds[39]?.observation).toMatch(/^begin a+\n\[the middle is left out\]\na+ end$/)
  expect(JSON.stringify(attempt).length).toBeLessThan(700_000)
})

test('of long replies memory keeps the ends as well, and knows them again', () => {
  const attempts = new OpenAttempts()
  const dialog = (turns: number) => [
    said('user', 'Sort the ledger.'),
    ...Array.from({ length: turns }, (_, i) => [
      said('assistant', `begin ${i} ${'a'.repeat(40_000)} end`),
      { role: 'tool' as const, content: 'Sorted.', callId: 'c', name: 'look' },
    ]).flat(),
  ]
  const { attempt } = attempts.attemptOf('a', dialog(600), 'person', new Date(0))
  expect(attempt.rounds).toHaveLength(600)
  expect(attempt.rounds[599]?.completion).toMatch(/^begin 599 a+\n\[the middle is left out\]\na+ end$/)
  expect(JSON.stringify(attempt).length).toBeLessThan(1_500_000)
  attempt.rounds.push(
    roundOf(600, { completion: 'Done.', calls: false, observation: null, from: undefined }, NO_USAGE),
  )
  const next = [...dialog(600), said('assistant', 'Done.'), dialog(1)[2] ?? said('user', '')]
  expect(attempts.attemptOf('a', next, 'person', new Date(0)).attempt.id).toBe(attempt.id)
})

test('a request of too many values, or nested too deep, is not parsed', async () => {
  for (const text of [`[${'{},'.repeat(200_000)}1]`, '['.repeat(300)])
    await expect(parseJsonBody(text)).rejects.toMatchObject({ code: 'BAD_INPUT' })
  const words = { a: '[{,"\\'.repeat(300_000) }
  expect(await parseJsonBody(JSON.stringify(words))).toEqual(words)
  expect(await parseJsonBody('{')).toBeUndefined()
})

// aider says its instructions again behind the newest message, and in front of it what files hold by now.
test('a dialog goes on where its program writes otherwise what stood around the person’s words', () => {
  const rules = 'To suggest changes to a file you MUST return a file listing.\n\nReply in English.'
  const system = said('system', `Act as an expert.\n\n${rules}`)
  const files = (content: string) => [
    said('user', `I have added these files to the chat.\n\n${content}`),
    said('assistant', 'Ok, any changes I propose will be to those files.'),
  ]
  const attempts = new OpenAttempts()
  const open = (...messages: ChatMessage[]) => attempts.attemptOf('aider', messages, 'person', new Date(0))
  const task = 'Sort the ledger.'
  const first = open(system, ...files('b a'), said('user', `${task}\n\n${rules}\n`))
  expect(first.attempt.instruction).toBe(task)
  const reply = 'ledger.txt: b before a, as you wished'
  const turn = { completion: reply, calls: false, observation: null, from: undefined }
  first.attempt.rounds = [roundOf(0, turn, NO_USAGE)]
  const dialog = [said('user', task), said('assistant', reply)]
  const complaint = 'That is wrong, the ledger is still not sorted.'
  const next = open(system, ...dialog, ...files('b before a'), said('user', `${complaint}\n\n${rules}`))
  expect(next.before).toEqual({ attempt: first.attempt, next: complaint })
  const committed = [...dialog, said('user', 'I committed the changes.'), said('assistant', 'Ok.')]
  const later = open(system, ...committed, ...files('b, a'), said('user', `Thanks.\n\n${rules}`))
  expect(later.before).toEqual({ attempt: first.attempt, next: 'Thanks.' })
})
