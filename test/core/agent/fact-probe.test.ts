import { describe, expect, it } from 'vitest'
import { askedOf, formFrom, noTallies, probeFacts, PROBE_QUESTIONS } from '../../../src/core/agent/fact-probe'
import type { ChatMessage, GenerateRequest } from '../../../src/core/ground/chat'
import { NO_USAGE } from '../../../src/shared/domain/usage'
import { FACT_FORMS, USUAL_FACT_FORM, type FormTally } from '../../../src/shared/domain/model-profile'

/** A model that answers with what `reads` lets it see of a prompt, word by word. */
const reader = (reads: (messages: readonly ChatMessage[]) => string) => ({
  asked: [] as GenerateRequest[],
  generate(request: GenerateRequest) {
    this.asked.push(request)
    return Promise.resolve({ text: reads(request.messages), usage: NO_USAGE, finish: 'end' as const })
  },
})
const all = { signal: new AbortController().signal, mayGoOn: () => true }
const textOf = (messages: readonly ChatMessage[]): string => messages.map(({ content }) => content).join('\n')

describe('the probe of how a model reads facts', () => {
  it('asks every question in every form, and takes the usual one where all are alike', async () => {
    const model = reader(textOf)
    const tallies = await probeFacts(model, 'Be brief.', noTallies(), all)
    expect(model.asked).toHaveLength(PROBE_QUESTIONS * FACT_FORMS.length)
    expect(askedOf(tallies)).toBe(PROBE_QUESTIONS)
    const [usual, , one, four] = tallies
    expect(usual?.facts).toEqual({ asked: 12, right: 10 })
    expect(one?.facts.right).toBe(8)
    expect(four?.facts.right).toBe(12)
    expect(formFrom(tallies)).toEqual(USUAL_FACT_FORM)
  })

  it('finds turns for a model that reads nothing else', async () => {
    const turns = reader((messages) => (messages.length > 2 ? textOf(messages.slice(1, -1)) : ''))
    expect(formFrom(await probeFacts(turns, '', noTallies(), all))).toMatchObject({ place: 'turns' })
  })

  it('finds the last place for a model that reads the end of a list alone', async () => {
    const end = reader((messages) => {
      const lines = (messages.at(-1)?.content ?? '').split('\n').filter((line) => line.startsWith('- '))
      return lines.length > 1 ? (lines.at(-1) ?? '') : ''
    })
    expect(formFrom(await probeFacts(end, '', noTallies(), all))).toMatchObject({ best: 'last' })
  })

  it('goes on where it was stopped, with whole questions alone', async () => {
    const model = reader(textOf)
    const some = await probeFacts(model, '', noTallies(), { ...all, mayGoOn: (count) => count < 5 })
    expect(askedOf(some)).toBe(5)
    const rest = await probeFacts(model, '', some, all)
    expect(rest).toEqual(await probeFacts(reader(textOf), '', noTallies(), all))
  })

  it('takes another form only beyond chance', () => {
    const tally = (won: number, lost: number): FormTally[] =>
      noTallies().map((one, i) => (i === 1 ? { ...one, won, lost } : one))
    expect(formFrom(tally(2, 0))).toEqual(USUAL_FACT_FORM)
    expect(formFrom(tally(3, 0))).toEqual(FACT_FORMS[1])
    expect(formFrom(tally(5, 3))).toEqual(USUAL_FACT_FORM)
  })
})
