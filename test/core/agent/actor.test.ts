import { replyText } from '../../../src/core/ground/replies/read-reply'
import { describe, expect, it } from 'vitest'
import { runAttempt, type AttemptInput } from '../../../src/core/agent/actor'
import { caseBank } from '../../../src/core/methods/case-bank/case-bank'
import { NOTHING_RECALLED } from '../../../src/core/ground/method'
import { none } from '../../../src/core/methods/none/none'
import { retellTrajectory } from '../../../src/core/ground/prompt'
import type { GenerateRequest, GenerateResult, LanguageModel } from '../../../src/core/ground/ports'
import type { Environment, StepOutcome } from '../../../src/core/ground/environment'
import { LoamError } from '../../../src/shared/errors'
import { fakeBank, fakeTasks } from '../../main/runs/fakes'

const usage = { promptTokens: 10, completionTokens: 2, reusedTokens: 4, ms: 1 }

function scripted(replies: readonly (string | Error)[]) {
  const requests: GenerateRequest[] = []
  const model: LanguageModel = {
    name: 'scripted',
    path: '/scripted.gguf',
    contextSize: 512,
    countTokens: (texts) => Promise.resolve(texts.map((text) => text.length)),
    generate(request) {
      const reply = replies[requests.length] ?? ''
      requests.push(request)
      if (reply instanceof Error) return Promise.reject(reply)
      return Promise.resolve({ text: reply, usage, finish: reply.endsWith('…') ? 'max-tokens' : 'end' })
    },
  }
  return { model, requests }
}

let closed = 0
const environment: Environment = {
  id: 'lab-db',
  maxRounds: 2,
  systemPrompt: 'rules',
  open: () => ({
    context: 'Table t(a INT)',
    step(reply): StepOutcome {
      const completion = replyText(reply)
      if (completion === 'look')
        return { done: false, action: { kind: 'operation', content: 'x' }, observation: '[]' }
      if (completion === 'right')
        return {
          done: true,
          action: { kind: 'answer', content: '' },
          observation: null,
          finish: 'completed',
          reward: 1,
        }
      return {
        done: true,
        action: { kind: 'invalid', reason: '' },
        observation: null,
        finish: 'invalid-action',
        reward: 0,
      }
    },
    close: () => void closed++,
  }),
}

function inputWith(model: LanguageModel, over: Partial<AttemptInput> = {}): AttemptInput {
  const [task] = fakeTasks(1)
  if (!task) throw new Error('no task')
  return {
    id: 'r-t0000',
    runId: 'r',
    memoryId: 's',
    task,
    environment,
    method: none,
    context: {
      bank: fakeBank(),
      embedder: {
        id: 'e',
        dimension: 2,
        embed: (texts) => Promise.resolve(texts.map(() => new Float32Array([1, 0]))),
      },
      model,
      prompts: { text: () => '' },
      settings: {},
      k: 4,
      seed: 1,
    },
    clock: { now: () => new Date(0) },
    temperature: 0,
    maxTokens: 64,
    ...over,
  }
}

describe('an attempt', () => {
  it('plays rounds until the environment ends it and adds up what it cost', async () => {
    closed = 0
    const { model, requests } = scripted(['look', 'right'])
    const heard: number[] = []
    const made = await runAttempt(inputWith(model), { round: (round) => heard.push(round.index) })
    expect([made.reward, made.finish, made.rounds.length]).toEqual([1, 'completed', 2])
    expect(made.usage).toEqual({ promptTokens: 20, completionTokens: 4, reusedTokens: 8, ms: 2 })
    expect(heard).toEqual([0, 1])
    expect(requests[1]?.messages.map((message) => message.content).slice(2)).toEqual(['look', '[]'])
    expect(requests[0]?.seed).not.toBe(requests[1]?.seed)
    expect(closed).toBe(1)
  })

  it('ends as context-overflow when the prompt does not fit, and as output-limit when a reply is cut', async () => {
    const tooLong = new LoamError('CONTEXT_OVERFLOW', 'too long', { suggestion: '' })
    const overflow = await runAttempt(inputWith(scripted([tooLong]).model))
    expect([overflow.finish, overflow.reward]).toEqual(['context-overflow', 0])
    const cut = await runAttempt(inputWith(scripted(['blah…']).model))
    expect(cut.finish).toBe('output-limit')
  })

  it('passes on what the engine fails with, and closes the episode', async () => {
    closed = 0
    const died = new LoamError('ENGINE_DIED', 'gone', { suggestion: '', retryable: true })
    await expect(runAttempt(inputWith(scripted([died]).model))).rejects.toBe(died)
    expect(closed).toBe(1)
  })

  it('records what was recalled with score and tokens', async () => {
    const bank = fakeBank()
    const first = await runAttempt(inputWith(scripted(['right']).model))
    const learned = await caseBank.learn(first, inputWith(scripted([]).model).context)
    const [event] = learned.events
    if (event?.kind !== 'case-added') throw new Error('the case bank kept nothing')
    bank.nearest = () => Promise.resolve([{ case: event.case, score: 0.75 }])
    const { model, requests } = scripted(['right'])
    const context = { ...inputWith(model).context, bank }
    const made = await runAttempt(inputWith(model, { method: caseBank, context }))
    expect(made.recalled).toMatchObject([{ kind: 'case', score: 0.75, scoreKind: 'cosine', reward: 1 }])
    expect(made.recalled[0]?.tokens).toBeGreaterThan(0)
    expect(requests[0]?.messages[1]?.content).toContain('Solved: Task number 0\nAgent: right')
  })
})

describe('a conversation', () => {
  it('asks the method again after each message of the user, and puts what it says in place of the earlier parts', async () => {
    const { model, requests } = scripted(['hello', 'look', 'right'])
    const talking: Environment = {
      ...environment,
      open: () => ({
        context: 'A shop.',
        step: (reply) =>
          replyText(reply) === 'right'
            ? {
                done: true,
                action: { kind: 'message', content: 'right' },
                observation: null,
                finish: 'completed',
                reward: 0,
                scores: [{ name: 'Facts told', value: 0.5 }],
              }
            : replyText(reply) === 'look'
              ? { done: false, action: { kind: 'operation', content: 'x' }, observation: '[]', from: 'tool' }
              : Promise.resolve({
                  done: false,
                  action: { kind: 'message', content: replyText(reply) },
                  observation: 'My name is Ada.',
                  from: 'user',
                }),
        close: () => undefined,
      }),
    }
    const heard: string[] = []
    const part = (id: string) => ({
      text: `about ${id}`,
      item: {
        kind: 'document',
        id,
        trajectoryId: null,
        title: id,
        score: null,
        scoreKind: 'cosine',
        reward: null,
      } as const,
    })
    const trajectory = await runAttempt(
      inputWith(model, {
        environment: talking,
        method: {
          ...none,
          recall: () => Promise.resolve({ ...NOTHING_RECALLED, retrieved: [part('one')] }),
          recallTurn({ message, rounds }) {
            heard.push(`${rounds.length} ${message}`)
            return Promise.resolve({
              ...NOTHING_RECALLED,
              retrieved: [part('one'), part('two')],
              usage: { promptTokens: 3, completionTokens: 0, reusedTokens: 0, ms: 0 },
            })
          },
        },
      }),
    )
    expect(heard).toEqual(['1 My name is Ada.'])
    expect(requests[0]?.messages[1]?.content).not.toContain('about two')
    expect(requests[1]?.messages[1]?.content).toContain('about two')
    expect(trajectory.recalled.map(({ id }) => id)).toEqual(['one', 'two'])
    expect(trajectory.rounds.map(({ from }) => from)).toEqual(['user', 'tool', undefined])
    expect(trajectory.recallUsage?.promptTokens).toBe(3)
    expect(trajectory.scores).toEqual([{ name: 'Facts told', value: 0.5 }])
  })
})

describe('thoughts and native calls', () => {
  const TOOL = { name: 'look', description: 'Looks.', inputSchema: { type: 'object' } }
  const seeing: Environment = {
    ...environment,
    native: { tools: () => [TOOL], write: (name) => `Action: ${name}` },
    open: () => ({
      context: 'A room.',
      step: (reply) =>
        replyText(reply).endsWith('right')
          ? {
              done: true,
              action: { kind: 'answer', content: '' },
              observation: null,
              finish: 'completed',
              reward: 1,
            }
          : {
              done: false,
              action: { kind: 'operation', content: 'look' },
              observation: 'A door.',
              call: {
                name: 'look',
                args: { at: 'wall' },
                read: typeof reply !== 'string' && reply.toolCalls ? 'native' : 'text',
              },
            },
      close: () => undefined,
    }),
  }
  const answering = (replies: readonly Partial<GenerateResult>[]) => {
    const { model, requests } = scripted([])
    return {
      requests,
      model: {
        ...model,
        generate(request: GenerateRequest) {
          const reply = replies[requests.length] ?? {}
          requests.push(request)
          return Promise.resolve({ text: '', usage, finish: 'end' as const, ...reply })
        },
      },
    }
  }

  it('hands tools over, and keeps the dialog as calls and answers of tools', async () => {
    const call = { id: 'c7', name: 'look', arguments: { at: 'wall' } }
    const { model, requests } = answering([
      { text: 'I look.', toolCalls: [call], finish: 'tool-calls' },
      { text: 'right' },
    ])
    const made = await runAttempt(inputWith(model, { environment: seeing }))
    expect(requests[0]).toMatchObject({ tools: [TOOL] })
    expect(requests[1]?.messages.slice(2)).toEqual([
      { role: 'assistant', content: 'I look.', toolCalls: [{ ...call, said: 'I look.' }] },
      { role: 'tool', content: 'A door.', callId: 'c7', name: 'look' },
    ])
    expect(made.rounds[0]).toMatchObject({
      completion: 'I look.\nAction: look',
      call: { ...call, said: 'I look.' },
    })
    expect(retellTrajectory(made)).toContain('Agent: I look.\nAction: look\n')
  })

  it('keeps thoughts on the trajectory and away from every prompt', async () => {
    const { model, requests } = answering([
      { text: 'look', thought: 'SECRET one' },
      { text: '<think>SECRET two</think>\n\nright' },
    ])
    const plain = inputWith(model)
    const first = await runAttempt({ ...plain, environment: { ...seeing, native: undefined } })
    expect(first.rounds.map(({ thought, completion }) => [thought, completion])).toEqual([
      ['SECRET one', 'look'],
      ['SECRET two', 'right'],
    ])
    expect(JSON.stringify(requests)).not.toContain('SECRET')
    expect(retellTrajectory(first)).not.toContain('SECRET')
    const learned = await caseBank.learn(first, plain.context)
    expect(JSON.stringify(learned.events)).not.toContain('SECRET')
  })

  it('refuses a model that takes no tools, in words', async () => {
    const { model } = answering([])
    const can = { tools: false, constraint: 'none', thinking: false, softPrompts: false } as const
    await expect(runAttempt(inputWith({ ...model, can }, { environment: seeing }))).rejects.toThrow(
      /cannot be handed tools/,
    )
  })
})
