import { expect, test } from 'vitest'
import { caseAnswer } from '../../../../src/core/memory/cases/case-answer'
import { planText } from '../../../../src/core/ground/planner-reply'
import { dialogText } from '../../../../src/core/ground/prompt'

const round = (completion: string, observation: string | null = null) => ({
  ...{ index: 0, completion, observation, action: { kind: 'answer' as const, content: '' } },
})

test('a case answers what its agent wrote last, its plan, or what a person wrote', () => {
  const acted = [
    round('Action: Operation\nSELECT 1', '[(1,)]'),
    round('<think>easy</think>Action: Answer\nFinal Answer: ["Rome",\n "Oslo"]', 'Right. It is settled'),
  ]
  expect(caseAnswer(dialogText(acted))).toBe('["Rome", "Oslo"]')
  expect(caseAnswer(dialogText([round('Rome is\n\nthe capital.')]))).toBe('Rome is the capital.')
  expect(
    caseAnswer(
      planText([
        { id: 1, description: 'Look' },
        { id: 2, description: 'Tell' },
      ]),
    ),
  ).toBe('Look; Tell')
  expect(caseAnswer('Take the\ntrain.')).toBe('Take the train.')
  expect(caseAnswer('')).toBe('')
})
