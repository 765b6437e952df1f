import { describe, expect, it } from 'vitest'
import { presentAttempts } from '../../../src/core/agent/earlier-turns'
import { NOTHING_RECALLED, type RecalledPart } from '../../../src/core/ground/method'
import { ATTEMPT_FORMS, type AttemptForm } from '../../../src/shared/domain/model-profile'
import type { Trajectory } from '../../../src/shared/domain/trajectory'

const attempt = (instruction: string, reward: 0 | 1): Trajectory =>
  ({
    task: { instruction, environment: 'lab-db', context: '' },
    reward,
    rounds: [
      { completion: `done: ${instruction}`, action: { kind: 'operation', content: 'x' }, observation: null },
    ],
  }) as unknown as Trajectory
const ATTEMPTS: Readonly<Record<string, Trajectory>> = {
  other: attempt('Count the pots.', 1),
  wrong: attempt('Count the books.', 0),
  same: attempt('Count the lamps.', 1),
}
const part = (kind: string, id: string): RecalledPart =>
  ({ text: `text of ${id}`, item: { kind, id, trajectoryId: kind === 'case' ? id : null } }) as RecalledPart
const PARTS = {
  ...NOTHING_RECALLED,
  retrieved: [part('note', 'n'), ...Object.keys(ATTEMPTS).map((id) => part('case', id))],
}

const present = async (attempts: AttemptForm) => {
  const task = { environment: 'lab-db', instruction: 'Count the lamps.' }
  const bank = { trajectory: async (id: string) => ATTEMPTS[id] ?? null }
  const { parts, earlier } = await presentAttempts(PARTS, { attempts }, task, bank)
  return {
    texts: parts.retrieved.map(({ item }) => item.id),
    turns: earlier.flatMap(({ role, content }) => (role === 'assistant' ? [content] : [])),
  }
}

describe('past attempts in a prompt', () => {
  it.each(ATTEMPT_FORMS)('stand as suits the model: %s', async (form) => {
    expect(await present(form)).toEqual(
      {
        text: { texts: ['n', 'other', 'wrong', 'same'], turns: [] },
        turns: { texts: ['n'], turns: ['done: Count the pots.', 'done: Count the lamps.'] },
        none: { texts: ['n'], turns: ['done: Count the lamps.'] },
      }[form],
    )
  })
})
