import { expect, test } from 'vitest'
import { watchCalls, withHeldCalls } from '../../../src/core/agent/held-calls'
import type { MethodContext } from '../../../src/core/ground/method'
import { none } from '../../../src/core/methods/none/none'
import { actOfStep, bareAction, livedOf, type Act, type Lived } from '../../../src/core/recall/acts'
import { knownCauses, toldBefore, toldCauses } from '../../../src/core/recall/before-call'
import { SAME_AGAIN, SAME_CALL_AGAIN } from '../../../src/core/recall/told-cause'
import { createBeliefs } from '../../../src/core/recall/beliefs'
import { step } from '../../../src/core/memory/experiences/import/log'
import { complaintOf } from '../../../src/core/verdict/complaint'
import { METHODS } from '../../../src/core/methods'
import { tellingBeforeCalls, withBeliefs } from '../../../src/core/recall/with-beliefs'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { withoutKnownFailure } from '../../../src/main/share/proxy/held-reply'

const DENIED = 'useradd: cannot lock /etc/passwd, permission denied, try again later'
const act = (action: string, observation: string): Act => ({
  ...{ tool: 'shell', action, said: '', observation, complaint: complaintOf(observation, action) },
})
let made = 0
const lived = (one: Act): Lived => ({
  ...{ id: `a${++made}`, task: `t${made}`, environment: 'os', place: '', told: 'Add an account.' },
  ...{ reward: 1, isOwn: true, at: new Date(made * 1000).toISOString(), acts: [one] },
})

function knowing() {
  const beliefs = createBeliefs()
  for (const name of ['eve', 'fay', 'gil']) beliefs.take(lived(act(`sudo useradd ${name}`, 'done')))
  for (const name of ['ada', 'bob', 'cem', 'dan']) beliefs.take(lived(act(`useradd --force ${name}`, DENIED)))
  return beliefs
}
const stepWith = (observation: string) =>
  step({ verb: 'run', tool: 'Bash', content: CALL.action, observation })
const CALL = { tool: 'shell', action: 'useradd --force hal' }

test('a call that holds a known cause is told of it, and no other call is', () => {
  const beliefs = knowing()
  expect(toldBefore(beliefs, 'os', CALL)?.text).toContain('shell refuses where it holds `force`')
  expect(knownCauses(beliefs, 'os', { ...CALL, action: 'sudo useradd hal' })).toEqual([])
  expect(knownCauses(beliefs, 'os', { ...CALL, tool: 'sql' })).toEqual([])
  expect(knownCauses(beliefs, 'elsewhere', CALL)).toEqual([])
})

test('all causes are told together for programs with hooks, and what was held there says nothing of a tool', () => {
  const beliefs = knowing()
  expect(toldCauses(beliefs)).toMatchObject([{ tool: 'shell', words: ['force'] }])
  const held = `PreToolUse:Bash hook error: ${toldBefore(beliefs, 'os', CALL)?.text ?? ''}`
  expect(actOfStep(stepWith(held))).toMatchObject({ observation: null, complaint: null })
  expect(actOfStep(stepWith(DENIED)).complaint).not.toBeNull()
})

const method = {
  ...none,
  beforeCall: ({ environment, ...call }: { environment: string } & typeof CALL) =>
    Promise.resolve(toldBefore(knowing(), environment, call)),
}
const attempt = { method, context: {} as MethodContext, task: { environment: 'os' } }

test('a call is held once, and made when it is sent again', async () => {
  const calls: string[] = []
  const box = withHeldCalls(
    {
      list: () => [],
      call(name) {
        calls.push(name)
        return Promise.resolve({ text: 'done', failed: false, files: [], wallMs: 1 })
      },
    },
    watchCalls(attempt),
    (_, { line }) => String(line),
  )
  expect(await box.call('shell', { line: CALL.action })).toMatchObject({
    ...{ isHeld: true, failed: false },
    heldBy: toldCauses(knowing()).map(({ id }) => id),
  })
  expect(calls).toEqual([])
  expect(await box.call('shell', { line: CALL.action })).toMatchObject({ text: 'done' })
  expect(calls).toEqual(['shell'])
})

test('what was held neither ran nor was refused', () => {
  const observation = toldBefore(knowing(), 'os', CALL)?.text ?? null
  const { acts } = livedOf({
    ...{ id: 'x', runId: 'r', finish: 'completed', reward: 1, finishedAt: '' },
    task: { id: 't', environment: 'os', instruction: '', context: '' },
    rounds: [
      {
        ...{ index: 0, completion: '```shell\nuseradd --force hal\n```', observation, isHeld: true },
        action: { kind: 'operation', content: CALL.action },
      },
    ],
  } as unknown as Trajectory)
  expect(acts).toMatchObject([{ tool: 'shell', observation: null, complaint: null }])
})

test('what had just failed and was not done again is no complaint of a tool', () => {
  for (const words of [SAME_AGAIN, `The call failed. ${SAME_CALL_AGAIN}`])
    expect(actOfStep({ ...stepWith(words), failed: true })).toMatchObject({
      observation: null,
      complaint: null,
    })
})

test('an action is read out of its form', () => {
  expect(bareAction('Action: Operation\n```sql\nSELECT 1;\n```')).toBe('SELECT 1;')
  expect(bareAction('search({"q": 1})')).toBe('{"q": 1}')
  expect(bareAction('SELECT 2;')).toBe('SELECT 2;')
})

test('behind the gateway the program sees the reply that was written knowing it', async () => {
  const usage = { promptTokens: 10, completionTokens: 5, reusedTokens: 0, ms: 1 }
  const reply = (line: string) => ({
    ...{ text: '', usage, finish: 'tool-calls' as const },
    toolCalls: [{ id: 'c1', name: 'shell', arguments: { line } }],
  })
  const beliefs = createBeliefs()
  for (const name of ['eve', 'fay', 'gil'])
    beliefs.take(lived(act(`shell({"line":"sudo useradd ${name}"})`, 'done')))
  for (const name of ['ada', 'bob', 'cem'])
    beliefs.take(lived(act(`shell({"line":"useradd --force ${name}"})`, DENIED)))
  const terms = {
    environment: 'os',
    method: {
      ...none,
      beforeCall: ({ environment, ...call }: { environment: string } & typeof CALL) =>
        Promise.resolve(toldBefore(beliefs, environment, call)),
    },
  }
  const first = reply('useradd --force hal')
  const { result, heldBy } = await withoutKnownFailure(
    first,
    { messages: [{ role: 'user', content: 'Add hal.' }] },
    terms,
    {} as MethodContext,
    ({ messages }) => {
      expect(messages.at(-1)).toMatchObject({ role: 'tool', callId: 'c1' })
      return Promise.resolve(reply('sudo useradd hal'))
    },
  )
  expect(result.toolCalls?.[0]?.arguments).toEqual({ line: 'sudo useradd hal' })
  expect(result.usage.completionTokens).toBe(10)
  expect(heldBy).toEqual(toldCauses(beliefs).map(({ id }) => id))
})

test('the same belief is the same item beside any method, where a run says so', async () => {
  const journal = ['ada', 'bob'].map((name, i) => ({
    ...{ id: `j${i}`, runId: 'r', finish: 'completed', reward: 0, finishedAt: '2026-01-01T00:00:00.000Z' },
    task: { id: `t${i}`, environment: 'os', instruction: 'Add an account.', context: '' },
    rounds: [
      {
        ...{
          index: 0,
          completion: `\`\`\`shell\nuseradd ${name}\n\`\`\``,
          observation: DENIED,
          failed: true,
        },
        action: { kind: 'operation', content: `useradd ${name}` },
      },
    ],
  }))
  const bank = {
    curation: { lastCorrection: null },
    experiences: { entries: () => [] },
    async *trajectories(from = 0) {
      yield* await Promise.resolve(journal.slice(from))
    },
  }
  const contextWith = (beliefs: boolean, attempts = 'text') =>
    ({ bank, settings: { presentation: { beliefs, attempts } }, k: 0 }) as unknown as MethodContext
  const task = { id: 't', index: 0, environment: 'os', instruction: 'Add hal.', skills: [], payload: null }
  const idsOf = async (id: string, beliefs: boolean, attempts?: string) => {
    const one = withBeliefs({
      ...(METHODS.find(({ info }) => info.id === id) ?? none),
      recall: none.recall,
    })
    const parts = await one.recall({ task, context: '' }, contextWith(beliefs, attempts))
    return parts.errorLessons.map(({ item }) => `${item.kind} ${item.id}`)
  }
  const ids = await Promise.all(['case-bank', 'evosc', 'agent-kb', 'awm'].map((id) => idsOf(id, true)))
  expect(new Set(ids.flat()).size).toBe(1)
  expect(ids.flat()).toHaveLength(4)
  expect(await idsOf('case-bank', false)).toEqual([])
  // It says neither a cause nor what ran instead, so a model that works what it reads into what it writes is not told.
  expect(await idsOf('case-bank', true, 'turns')).toEqual([])
  const loam = METHODS.find(({ info }) => info.id === 'loam') ?? none
  expect(withBeliefs(loam)).toBe(loam)
  expect([tellingBeforeCalls(loam), tellingBeforeCalls(none)]).toEqual([loam, none])
})
