import { expect, test } from 'vitest'
import { fromTemplate, templateSchema, toTemplate } from '../../../../src/core/memory/experiences/template'
import { experienceOf } from './fixtures'

const parts = {
  question: 'Who directed it?',
  agentPlan: '1. Search. 2. Check.',
  agentExperience: ['Check two sources.', 'Keep names exact.'],
  searchAgentPlan: 'Search the title.',
  searchAgentExperience: 'Prefer official pages.',
}
const experience = experienceOf('e1', parts.question, { ...parts, meta: { extra: { level: 2 } } })

test.each(['paper', 'released', 'timestamped'] as const)('the %s form maps both ways', (style) => {
  expect(
    fromTemplate(templateSchema.parse(JSON.parse(JSON.stringify(toTemplate(experience, style))))),
  ).toMatchObject(parts)
})

test('uses the field names of the paper and of the released file', () => {
  expect(Object.keys(toTemplate(experience, 'paper'))).toEqual([
    'question',
    'agent_plan',
    'agent_experience',
    'search_agent_plan',
    'search_agent_experience',
  ])
  expect(Object.keys(toTemplate(experience, 'timestamped'))).toEqual([
    'question',
    'agent_planning',
    'agent_experience',
    'search_agent_planning',
    'search_agent_experience',
    'timestamp',
    'metadata',
  ])
})

test('keeps timestamp and metadata', () => {
  const read = fromTemplate(templateSchema.parse(toTemplate(experience, 'timestamped')))
  expect(read.createdAt).toBe(experience.createdAt)
  expect(read.extra).toEqual({ level: 2 })
})

test('reads over a recorded answer and refuses an entry without a question', () => {
  const read = fromTemplate(templateSchema.parse({ question: 'Q', true_answer: 'secret answer' }))
  expect(JSON.stringify(read)).not.toContain('secret answer')
  expect(templateSchema.safeParse({ agent_plan: 'x' }).success).toBe(false)
})

test("reads the released client's own names", () => {
  expect(
    fromTemplate(templateSchema.parse({ query: 'Q', plan: 'P', search_plan: 'S', is_success: false })),
  ).toMatchObject({ question: 'Q', agentPlan: 'P', searchAgentPlan: 'S', outcome: 'failure' })
})
