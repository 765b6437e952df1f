import { describe, expect, it } from 'vitest'
import { buildMessages, readTask, retell, taskText } from '../../../src/core/ground/prompt'
import { turnsOf } from '../../../src/core/agent/earlier-turns'
import { NO_USAGE } from '../../../src/shared/domain/usage'
import { NOTHING_RECALLED, type RecalledPart } from '../../../src/core/ground/method'

const part = (text: string): RecalledPart => ({
  text,
  item: { kind: 'case', id: text, trajectoryId: null, title: text, score: null, scoreKind: '', reward: null },
})

describe('the prompt', () => {
  it("keeps EvoSC's order: system, error lessons, success lessons, attempts, task, rounds", () => {
    const messages = buildMessages({
      systemPrompt: 'RULES',
      parts: {
        errorLessons: [part('ERROR')],
        successLessons: [part('SUCCESS')],
        retrieved: [part('ATTEMPT')],
      },
      instruction: 'INSTRUCTION',
      context: 'TABLES',
      rounds: [{ completion: 'REPLY', observation: 'OBSERVATION' }],
    })
    expect(messages.map((message) => message.role)).toEqual(['system', 'user', 'assistant', 'user'])
    const all = messages.map((message) => message.content).join('\n')
    const order = ['RULES', 'ERROR', 'SUCCESS', 'ATTEMPT', 'TABLES', 'INSTRUCTION', 'REPLY', 'OBSERVATION']
    expect(order.map((word) => all.indexOf(word))).toEqual(
      order.map((word) => all.indexOf(word)).sort((a, b) => a - b),
    )
  })

  it('puts what lasts in a world in front of all that is of one task, where it stands there', () => {
    const messages = buildMessages({
      systemPrompt: 'RULES',
      parts: { ...NOTHING_RECALLED, retrieved: [part('ATTEMPT')] },
      ...{ instruction: 'INSTRUCTION', context: 'POLICY\n\nPAST', lasting: 'POLICY', rounds: [] },
    })
    expect(messages.map(({ content }) => content)).toEqual([
      'RULES\n\nPOLICY',
      'Past attempts:\n\nATTEMPT\n\nPAST\nTask: INSTRUCTION',
    ])
    const attempt = {
      task: { id: 't', index: 0, environment: 'e', instruction: 'DO', context: 'POLICY', skills: [] },
      rounds: [
        {
          ...{ index: 0, completion: 'call', action: { kind: 'operation' as const, content: 'call' } },
          ...{ observation: null, usage: NO_USAGE },
        },
      ],
    }
    expect(turnsOf(attempt, 'POLICY')[0]?.content).toBe('Task: DO')
    expect(turnsOf(attempt)[0]?.content).toBe('POLICY\nTask: DO')
  })

  it('says nothing about memory when nothing was recalled', () => {
    const [, user] = buildMessages({
      systemPrompt: '',
      parts: NOTHING_RECALLED,
      instruction: 'Count.',
      context: 'Table t(a INT)',
      rounds: [],
    })
    expect(user?.content).toBe('Table t(a INT)\nTask: Count.')
  })

  it('retells solved and failed attempts alike, with their dialog', () => {
    expect(
      retell({ instruction: 'Count.', reward: 0, rounds: [{ completion: 'A', observation: '[]' }] }),
    ).toBe('Failed: Count.\nAgent: A\nDatabase: []')
  })
})

describe("reading the task out of another agent's message", () => {
  it('is the other way round than writing it', () => {
    expect(readTask(taskText('Count the boats.', 'Tables: boats'))).toEqual({
      instruction: 'Count the boats.',
      context: 'Tables: boats',
    })
  })
  it('takes the last one that is named, and the whole message where none is', () => {
    expect(readTask('Question: 1+1?\nAnswer: 2\nQuestion: 2+2?').instruction).toBe('2+2?')
    expect(readTask('New task:\nBook a flight').instruction).toBe('Book a flight')
    expect(readTask(' Just do it. ')).toEqual({ instruction: 'Just do it.', context: '' })
    expect(readTask('Do it.\nTask:')).toEqual({ instruction: 'Do it.\nTask:', context: '' })
  })
})
