import { expect, test } from 'vitest'
import { agentKb } from '../../../src/core/methods/agent-kb/agent-kb'
import { experienceOf } from '../memory/experiences/fixtures'
import { attemptAt, openLab } from './fixtures'

const json = (value: unknown): string => JSON.stringify(value)

/** What attempts here found out, one thing each. */
const HERE = ['red R', 'green G', 'blue B', 'pink P', 'grey Y', 'gold O']

/** A memory in which so many attempts found something out, each by itself, and another framework's experiences are. */
async function lab(found: number, foreign: readonly string[], settings: object = {}) {
  const kb = openLab(
    agentKb,
    ({ messages }) => {
      const [system, log] = messages.map(({ content }) => content)
      if (system?.startsWith('You turn the log') !== true)
        return json({
          plan: ['Count.'],
          queries: ['count the bookings of hall 1 of hall 2'],
          adaptations: [],
        })
      const said = HERE[Number(/of kind (\d)/.exec(log ?? '')?.[1])] ?? ''
      return json({
        ...{ agent_plan: '1. Count.', constraints: [], keywords: ['count'] },
        agent_experience: [`Harbor rules: ${said}.`],
      })
    },
    { k: 20, settings: { 'agent-kb': { dedup: false, ...settings } } },
  )
  for (const [i, rule] of HERE.slice(0, found).entries()) {
    const attempt = attemptAt(i, 1)
    const rounds = attempt.rounds.map((round) => ({
      ...round,
      completion: `Harbor rules: ${rule}\n${round.completion}`,
    }))
    await kb.live({ ...attempt, rounds })
  }
  await kb.memory.commit(
    foreign.map((rules, i) => ({
      kind: 'experience-added',
      compared: true,
      experience: experienceOf(`foreign-${i}`, `Count the bookings of hall ${i}.`, {
        agentExperience: rules === '' ? '' : [rules],
      }),
    })),
  )
  return {
    kb,
    async shown(): Promise<string> {
      await kb.recall(9)
      return kb.model.requests.at(-1)?.messages[1]?.content ?? ''
    },
  }
}

const WRONG = ['red X', 'green X', 'blue B', 'pink P', 'grey Y', 'gold O, tin cents'].map(
  (rule) => `Harbor rules: ${rule}.`,
)
const RIGHT = HERE.map((rule, i) => `Harbor rules: ${rule}${i === 5 ? ', tin cents' : ''}.`)

test('what attempts here bore out is not contradicted by what came from elsewhere', async () => {
  const { shown } = await lab(1, WRONG)
  const text = await shown()
  expect(text).toContain('red R')
  expect(text).not.toContain('red X')
  // Of the others nothing is known.
  expect(text).toContain('green X')
})

test('of a framework that is wrong too often, what nobody here tried is left out, and only that', async () => {
  const { kb, shown } = await lab(6, WRONG)
  expect(await shown()).not.toContain('tin cents')
  // What an attempt followed and was right with counts from then on.
  await kb.memory.commit([
    {
      ...{
        kind: 'experience-used',
        experienceId: 'foreign-5',
        useId: 'u',
        framework: 'owl',
        reward: 1,
        eta: 0.2,
      },
      rules: ['harbor rules: tin cents'],
      at: new Date(0).toISOString(),
    },
  ])
  expect(await shown()).toContain('tin cents')
})

test('what is left of a framework that is wrong too often stands behind all that was found out here', async () => {
  const { kb } = await lab(6, WRONG)
  const { decisions } = await kb.recall(9)
  const frameworks = decisions?.[0]?.retrieved.map(({ framework }) => framework) ?? []
  expect(frameworks.slice(0, 6)).toEqual(Array<string>(6).fill('loam'))
  expect(frameworks.slice(6)).toContain('smolagents')
})

test('a framework that agrees with what was seen here is believed in everything', async () => {
  const { shown } = await lab(6, RIGHT)
  expect(await shown()).toContain('tin cents')
})

test('a share of 0 trusts at once', async () => {
  const { shown } = await lab(6, WRONG, { trust: 0 })
  const text = await shown()
  expect(text).toContain('tin cents')
  expect(text).toContain('red X')
})

test('until it is known, experiences from elsewhere stand a little lower than own ones that fit about as well', async () => {
  const order = async (settings: object): Promise<string[]> => {
    const { kb } = await lab(2, RIGHT, settings)
    const { decisions } = await kb.recall(9)
    const ids = decisions?.[0]?.retrieved.map(({ id }) => id) ?? []
    return ids.filter((id) => ['foreign-0', 'exp-r1-t0001', 'foreign-3'].includes(id))
  }
  // By words alone, and with what two attempts here found out: the first of theirs says what one of them did.
  expect(await order({ trust: 0 })).toEqual(['foreign-0', 'foreign-3', 'exp-r1-t0001'])
  expect(await order({})).toEqual(['foreign-0', 'exp-r1-t0001', 'foreign-3'])
})

test('a log that nobody has drawn advice from stands a little lower as well', async () => {
  const places = async (settings: object): Promise<number> => {
    const { kb } = await lab(2, [''], settings)
    const { decisions } = await kb.recall(9)
    return decisions?.[0]?.retrieved.findIndex(({ id }) => id === 'foreign-0') ?? -1
  }
  expect(await places({ trust: 0 })).toBe(0)
  expect(await places({})).toBe(1)
})

test('advice in words, which says nothing of single things, needs no trust', async () => {
  const { shown } = await lab(6, [...WRONG, 'Read the header of a table before you count.'])
  expect(await shown()).toContain('Read the header of a table before you count.')
})
