import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createBeliefs } from '../../../src/core/recall/beliefs'
import type { Lived } from '../../../src/core/recall/acts'
import { lessonsOf, linesBeforeAction } from '../../../src/core/recall/quotations'
import { attemptsInLogs, gradedAttempts } from '../../fixtures/foreign-attempts'

const SHARED = resolve('../shared/data')
const LAB = `${SHARED}/lifelongagentbench`

/** Every quotation of an attempt's lessons and of the words it went by, with where it should stand. */
const quotedIn = (attempt: Lived) =>
  [
    ...lessonsOf(attempt).flatMap(({ quotes }) => quotes),
    ...linesBeforeAction(attempt).map(({ quote }) => quote),
  ].map(({ act, of, text }) => ({ text, place: attempt.acts[act]?.[of] ?? '' }))

test('each quotation stands literally in its round, in the logs of every format', async () => {
  const attempts = await attemptsInLogs(resolve('test/fixtures/kb/logs'))
  const quotes = attempts.flatMap(quotedIn)
  expect(attempts.length).toBeGreaterThan(10)
  expect(quotes.filter(({ text, place }) => text === '' || !place.includes(text))).toEqual([])
})

test.skipIf(!existsSync(LAB))(
  "of 760 graded sessions of other models 70 % teach something, every quotation stands, and a database's complaint has its cause",
  async () => {
    const all = await gradedAttempts(`${LAB}/db_graded_sessions.jsonl`, `${LAB}/db_bench.json`)
    const attempts = [...all.map(({ lived }) => lived), ...(await attemptsInLogs(`${SHARED}/real/logs`))]
    expect(attempts.length).toBeGreaterThan(780)
    const quotes = attempts.flatMap(quotedIn)
    expect(quotes.length).toBeGreaterThan(700)
    expect(quotes.filter(({ text, place }) => text === '' || !place.includes(text))).toEqual([])
    const taught = all.filter(({ lived }) => lessonsOf(lived).length > 0)
    expect(taught.length / all.length).toBeGreaterThan(0.7)
    const beliefs = createBeliefs()
    for (const { lived } of all) beliefs.take(lived)
    const syntax = beliefs.agreed('db').find(({ masked }) => masked.startsWith('1064 (42000)'))
    expect(syntax).toMatchObject({ tool: 'sql', isTold: false, cause: { words: ['action'] } })
    expect(syntax?.remedy).toEqual({ removed: ['Action: Operation'], added: [] })
    expect(syntax?.ran).toBe(0)
  },
)
