import { describe, expect, it } from 'vitest'
import { inScope, retell, retellTogether } from '../../../src/core/ground/prompt'
import type { Method } from '../../../src/core/ground/method'
import { caseOf } from '../../../src/core/memory/cases/recalled-case'
import { aMem } from '../../../src/core/methods/amem/amem'
import { caseBank } from '../../../src/core/methods/case-bank/case-bank'
import { caseBankQ } from '../../../src/core/methods/case-bank-q/case-bank-q'
import { errorLessonMessages, successLessonMessages } from '../../../src/core/methods/evosc/messages'
import { replay } from '../../../src/core/methods/replay/replay'
import { scm } from '../../../src/core/methods/scm/scm'
import { findResources } from '../../../src/main/ground/resources'
import { createEnvironments } from '../../../src/main/streams/environments'
import { openStreamLibrary } from '../../../src/main/streams/stream-library'
import { attemptAt, openLab } from './fixtures'

const PAGES = 'Table pages(id INT, title TEXT)'
const BIRDS = 'Table birds(ring INT, species TEXT)'

const attempt = (index: number, context: string) => {
  const usual = attemptAt(index, 1)
  return { ...usual, task: { ...usual.task, context } }
}

describe('an attempt that is retold', () => {
  const told = {
    instruction: 'Count them.',
    context: BIRDS,
    reward: 1 as const,
    rounds: [{ completion: 'SELECT', observation: '3' }],
  }

  it('keeps what it was shown, unless the reader has the same before them', () => {
    expect(retell(told, { context: PAGES })).toBe(
      `Solved: Count them.\nShown with it:\n${BIRDS}\nAgent: SELECT\nDatabase: 3`,
    )
    const plain = 'Solved: Count them.\nAgent: SELECT\nDatabase: 3'
    expect(retell(told, { context: BIRDS })).toBe(plain)
    expect(retell(told)).toBe(plain)
    expect(retell({ ...told, context: '' }, { context: PAGES })).toBe(plain)
  })

  it('keeps a part of what is very long', () => {
    const text = retell({ ...told, context: 'x'.repeat(50_000) }, { context: '' })
    expect(text).toContain(`${'x'.repeat(2000)} [...]`)
    expect(text.length).toBeLessThan(2200)
  })

  it('among others that share its context is told without', () => {
    expect(retellTogether([told, told])).toEqual([retell(told), retell(told)])
    const other = { ...told, context: PAGES }
    expect(retellTogether([told, other])).toEqual([
      retell(told, { context: '' }),
      retell(other, { context: '' }),
    ])
  })
})

// The summaries and notes of SCM and A-MEM are written by a model; these replies are read by none of their forms, so the attempt itself is shown.
const methods: [string, Method][] = [
  ['replay', replay],
  ['case-bank', caseBank],
  ['case-bank-q', caseBankQ],
  ['scm', scm],
  ['amem', aMem],
]

describe.each(methods)('%s', (id, method) => {
  const recalled = async (context: string) => {
    const replies = Array.from({ length: 12 }, () => (id === 'amem' ? NOTE : '{"summary": "s"}'))
    const lab = openLab(method, replies)
    await lab.live(attempt(1, PAGES), attempt(2, PAGES))
    const { task } = attempt(3, context)
    const settings = { scm: { controller: false, summaries: false }, 'case-bank': { retrieval: 'text' } }
    // The fixtures' memory searches nothing by itself.
    const first = await lab.memory.trajectory('r1-t0001')
    if (!first) throw new Error('nothing was kept')
    const bank = { ...lab.memory, search: () => Promise.resolve([{ case: caseOf(first), score: 1 }]) }
    const parts = await method.recall(
      { task: { ...task, payload: null }, context },
      { ...lab.context, settings, bank: id === 'case-bank' ? bank : lab.memory },
    )
    return parts.retrieved.map(({ text }) => text)
  }
  const NOTE = JSON.stringify({ context: 'c', keywords: ['k'], tags: ['t'] })

  it('shows the tables of an attempt to a task with others, and not to one with the same', async () => {
    const elsewhere = await recalled(BIRDS)
    expect(elsewhere.length).toBeGreaterThan(0)
    for (const text of elsewhere) expect(text).toContain(`Shown with it:\n${PAGES}\n`)
    const here = await recalled(PAGES)
    expect(here).toEqual(elsewhere.map((text) => text.replace(`Shown with it:\n${PAGES}\n`, '')))
  })
})

describe('what lessons speak of', () => {
  const template = 'Help {on this database|on other databases}.'
  const of = (context: string) => ({ instruction: 'x', context, reward: 1 as const, rounds: [] })

  it('is the one place where all attempts have it in common, and others where each has its own', () => {
    const failure = { ...of(PAGES), reward: 0 as const, finish: 'completed' as const }
    const system = (context: string) => errorLessonMessages(template, [of(context)], failure)[0]?.content
    expect(system(PAGES)).toBe('Help on this database.')
    expect(system(BIRDS)).toBe('Help on other databases.')
    const [asked, told] = successLessonMessages(template, of(PAGES), of(BIRDS))
    expect(asked?.content).toBe('Help on other databases.')
    expect(told?.content).toContain(`Shown with it:\n${PAGES}`)
    expect(told?.content).toContain(`Shown with it:\n${BIRDS}`)
  })
})

it('in a world of house rules, which all its tasks share, prompts are what they were', async () => {
  const resources = findResources()
  const streams = openStreamLibrary(resources.streams, resources.streams)
  const environments = createEnvironments(resources.prompts, (stream) => streams.filesOf(stream))
  const { tasks, info } = await streams.load('house-rules-a')
  const environment = await environments.acting(info.environment)
  const places = tasks.map((task) => {
    const episode = environment.open(task)
    episode.close()
    return { context: episode.context, world: episode.world }
  })
  expect(new Set(places.map(({ world }) => world)).size).toBe(1)
  expect(places[0]?.world).toBeTruthy()
  const attempts = places.map((place) => ({ ...place, instruction: 'x', reward: 1 as const, rounds: [] }))
  const [one] = attempts
  if (!one) throw new Error('no tasks')
  for (const attempt of attempts) expect(retell(attempt, one)).toBe('Solved: x\n')
  expect(retellTogether(attempts).every((text) => text === 'Solved: x\n')).toBe(true)
  const error = await environments.world.prompt('evosc-error-lab-db')
  const success = await environments.world.prompt('evosc-success-lab-db')
  expect(inScope(error, attempts)).toMatch(/help with later tasks on this database\.$/)
  expect(inScope(success, attempts)).toContain(
    'that later tasks can use: how values are stored, what to look up first, which SQL works.',
  )
  // Another world's attempt is told with its tables.
  expect(retell({ ...one, world: 'elsewhere', context: PAGES }, one)).toContain(PAGES)
})
