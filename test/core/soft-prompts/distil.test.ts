import { describe, expect, it } from 'vitest'
import { distilAttempt, type Expert } from '../../../src/core/soft-prompts/distil'
import type { TrainingSample } from '../../../src/core/soft-prompts/samples'
import type { ChatMessage } from '../../../src/core/ground/ports'
import type { Trajectory } from '../../../src/shared/domain/trajectory'
import { solvedAttempt } from '../../main/soft-prompts/fixtures'

const solved = (name: string, completions: readonly string[] = [`do ${name}`]): Trajectory =>
  solvedAttempt(name, `Task ${name}`, completions)

const letters = (text: string) => [...text].map((letter) => letter.codePointAt(0) as number)
const textOf = (messages: readonly ChatMessage[]) =>
  messages.map(({ role, content }) => `${role}:${content}\n`).join('')

/** Answers with what it was shown; tokens are letters. */
function fakeExpert(reply: (messages: readonly ChatMessage[]) => string | null) {
  const asked: string[] = []
  const expert: Expert = {
    reply(messages) {
      asked.push(textOf(messages))
      return Promise.resolve(reply(messages))
    },
    tokenize: (messages, text) =>
      Promise.resolve({
        prompt: letters(`${textOf(messages)}assistant:`),
        reply: letters(`${text}\n`),
        softAt: 0,
      }),
    distributions: null,
  }
  return { expert, asked }
}

describe('distilling an attempt', () => {
  const two = solved('two', ['look', 'answer'])
  const view = {
    ...{ group: 'g', few: [solved('x')] },
    lessons: { errorLessons: [], successLessons: [] },
  }
  const planned = { attempt: two, many: [solved('x'), solved('y')], views: [view], heldOut: false }

  it('learns what the teacher does with many attempts from a prompt with few', async () => {
    const { expert, asked } = fakeExpert(() => 'expert')
    const samples = await distilAttempt(planned, 'Rules.', { actions: 'teacher', caution: 0 }, expert)
    expect(asked).toHaveLength(2)
    expect(asked[0]).toContain('Task x')
    expect(asked[0]).toContain('Task y')
    // The second round is asked after what the attempt itself did and saw.
    expect(asked[1]).toContain('assistant:look\nuser:seen 0')
    const shown = samples.map(({ tokens }) => String.fromCodePoint(...tokens))
    expect(shown[0]).toContain('Task x')
    expect(shown[0]).not.toContain('Task y')
    const learned = samples.map(({ tokens, targets }) =>
      String.fromCodePoint(...targets.map((at) => tokens[at] as number)),
    )
    expect(learned).toEqual(['expert\n', 'expert\n'])
  })

  it('is one sequence when the teacher does what the attempt did, and falls back to that when cut off', async () => {
    const { expert } = fakeExpert((messages) => (messages.length === 2 ? 'look' : null))
    const samples = await distilAttempt(planned, 'Rules.', { actions: 'teacher', caution: 0 }, expert)
    expect(samples).toHaveLength(1)
    const [{ tokens, targets }] = samples as [(typeof samples)[number]]
    expect(String.fromCodePoint(...targets.map((at) => tokens[at] as number))).toBe('look\nanswer\n')
  })

  it('asks no teacher when recorded actions are learned', async () => {
    const { expert, asked } = fakeExpert(() => 'never')
    expect(await distilAttempt(planned, 'Rules.', { actions: 'recorded', caution: 0 }, expert)).toHaveLength(
      1,
    )
    expect(asked).toEqual([])
  })

  it('learns the action alone, and goes on in a dialog of actions', async () => {
    const rambling = solved('two', ['Let me look. DO look', 'Well. DO answer'])
    const { expert, asked } = fakeExpert((messages) =>
      messages.length === 2 ? 'Hm, so: DO look at it' : 'I say nothing',
    )
    const action = (reply: string) => /DO .*/.exec(reply)?.[0] ?? null
    const samples = await distilAttempt(
      { ...planned, attempt: rambling },
      'Rules.',
      { actions: 'teacher', caution: 0, action },
      expert,
    )
    const learned = samples.map(({ tokens, targets }) =>
      String.fromCodePoint(...targets.map((at) => tokens[at] as number)),
    )
    // A reply that names no action is learned as it is.
    expect(learned).toEqual(['DO look at it\n', 'I say nothing\n'])
    expect(asked[1]).toContain('assistant:DO look\nuser:seen 0')
    const [plain] = await distilAttempt(
      { ...planned, attempt: rambling },
      'Rules.',
      { actions: 'recorded', caution: 0, action },
      expert,
    )
    expect(String.fromCodePoint(...(plain?.targets ?? []).map((at) => plain?.tokens[at] as number))).toBe(
      'DO look\nDO answer\n',
    )
  })

  describe('with caution', () => {
    /** Says of every token that it is sure of it, and of "?" when it is shown nothing. */
    const doubting = (reply: string): Expert => ({
      ...fakeExpert(() => reply).expert,
      distributions: (messages, text) =>
        Promise.resolve(
          letters(`${text}\n`).map((id) => ({
            ids: [textOf(messages).includes('Task y') ? id : 63],
            probabilities: [2],
          })),
        ),
    })
    const cautious = { actions: 'teacher', caution: 0.25 } as const
    const taughtOf = ({ tokens, targets, teacher = [] }: TrainingSample) => ({
      text: String.fromCodePoint(...targets.map((at) => tokens[at] as number)),
      first: teacher[0],
    })

    it('mixes what the teacher says with what the student says by itself, and learns what the attempt did too', async () => {
      const samples = await distilAttempt(planned, 'Rules.', cautious, doubting('75'))
      expect(samples.map(taughtOf)).toEqual([
        { text: '75\n', first: { ids: [55, 63], probabilities: [0.75, 0.25] } },
        { text: '75\n', first: { ids: [55, 63], probabilities: [0.75, 0.25] } },
        { text: 'look\nanswer\n', first: { ids: [108, 63], probabilities: [0.75, 0.25] } },
      ])
    })

    it('learns what a second try did, and what the first one did, each with what the teacher would say', async () => {
      const first = { ...solved('two', ['look', 'look again']), reward: 0 as const }
      const samples = await distilAttempt({ ...planned, first }, 'Rules.', cautious, doubting('never asked'))
      expect(samples.map(taughtOf).map(({ text }) => text)).toEqual(['look\nanswer\n', 'look\nlook again\n'])
    })

    it('is the token alone where there is none', async () => {
      const samples = await distilAttempt(
        planned,
        'Rules.',
        { actions: 'recorded', caution: 0 },
        fakeExpert(() => null).expert,
      )
      expect(samples.map(({ teacher }) => teacher)).toEqual([undefined])
    })
  })
})
