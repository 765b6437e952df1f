import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createKbBrowser, type KbBrowser } from '../../../src/main/kb/kb-browser'
import { openSpace, type Space } from '../../../src/main/memory-store/space'
import { experienceListQuerySchema } from '../../../src/shared/domain/experience-view'
import { experienceOf } from '../../core/memory/experiences/fixtures'
import { inTempFolder, timeOf, wordEmbedder } from '../memory-store/fixtures'

const DAY = 86_400_000

const withBrowser = (
  body: (browser: KbBrowser, space: Space, clock: { time: Date }) => Promise<void>,
): Promise<void> =>
  inTempFolder(async (folder) => {
    const space = await openSpace({ folder: join(folder, 'space'), embedder: wordEmbedder() })
    const clock = { time: new Date(timeOf(0)) }
    const browser = createKbBrowser({
      spaces: { open: () => Promise.resolve(space) },
      clock: { now: () => clock.time },
    })
    await space.commit([
      { kind: 'experience-added', experience: experienceOf('a', 'count the bookings of March') },
      {
        kind: 'experience-added',
        experience: experienceOf('b', 'fix the parser', { meta: { framework: 'codex', domain: 'code' } }),
      },
      {
        kind: 'experience-added',
        experience: experienceOf('c', 'count open tickets', { trajectoryId: 't1' }),
      },
    ])
    await body(browser, space, clock)
    await space.close()
  })

const query = (change: object = {}) => experienceListQuerySchema.parse({ spaceId: 's', ...change })
const ids = (page: { rows: readonly { id: string }[] }): string[] => page.rows.map(({ id }) => id)

test('lists the newest first, page by page, under filters', () =>
  withBrowser(async (browser) => {
    const first = await browser.page(query({ limit: 2 }))
    expect(first).toMatchObject({ total: 3 })
    expect(ids(first)).toEqual(['c', 'b'])
    expect(ids(await browser.page(query({ limit: 2, offset: 2 })))).toEqual(['a'])
    expect(ids(await browser.page(query({ framework: 'codex' })))).toEqual(['b'])
    expect(ids(await browser.page(query({ domain: 'general', outcome: 'failure' })))).toEqual([])
  }))

test('says why a text found an experience, and keeps filters while searching', () =>
  withBrowser(async (browser) => {
    const page = await browser.page(query({ text: 'counting a booking', mode: 'hybrid' }))
    expect(page.rows[0]).toMatchObject({
      id: 'a',
      match: { terms: ['count', 'bookings'], textScore: 1, utilityPart: 0 },
    })
    expect(ids(await browser.page(query({ text: 'count the parser', framework: 'codex' })))).toEqual(['b'])
  }))

test('an edit is a new version; the old one is kept and can be followed and restored', () =>
  withBrowser(async (browser, space) => {
    const edit = {
      question: 'count the bookings of April',
      agentPlan: '1. Count.',
      agentExperience: ['Use the ledger.'],
      searchAgentPlan: '',
      searchAgentExperience: '',
      domain: 'database',
    }
    const second = await browser.edit('s', 'a', edit)
    expect(second.experience).toMatchObject({ agentPlan: '1. Count.', meta: { domain: 'database' } })
    const third = await browser.edit('s', second.experience.id, { ...edit, agentPlan: '1. Count twice.' })
    expect(third.chain.map(({ id }) => id)).toEqual(['a', second.experience.id, third.experience.id])
    expect((await browser.open('s', 'a')).chain.map(({ standing }) => standing.why)).toEqual([
      'edit',
      'edit',
      null,
    ])
    await expect(browser.edit('s', 'a', edit)).rejects.toMatchObject({ code: 'CONFLICT' })
    await expect(
      browser.edit('s', third.experience.id, { ...edit, agentPlan: '1. Count twice.' }),
    ).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await browser.restore('s', 'a')).toMatchObject({ standing: { state: 'live' } })
    expect(await space.experiences.get('a')).toMatchObject({ experience: { agentPlan: '1. Plan of a' } })
  }))

test('the trash says how long it keeps what is in it, and forgets after 30 days', () =>
  withBrowser(async (browser, _space, clock) => {
    expect(await browser.remove('s', 'b')).toMatchObject({
      daysLeft: 30,
      standing: { state: 'evicted', why: 'deleted' },
    })
    expect(ids(await browser.page(query()))).toEqual(['c', 'a'])
    expect(ids(await browser.page(query({ text: 'fix the parser' })))).not.toContain('b')
    clock.time = new Date(clock.time.getTime() + 12.5 * DAY)
    expect((await browser.page(query({ show: 'trash' }))).rows).toMatchObject([{ id: 'b', daysLeft: 18 }])
    await browser.restore('s', 'b')
    expect(ids(await browser.page(query({ text: 'fix the parser', k: 1 })))).toEqual(['b'])
    await browser.remove('s', 'b')
    clock.time = new Date(clock.time.getTime() + 31 * DAY)
    expect(ids(await browser.page(query({ show: 'trash' })))).toEqual([])
    await expect(browser.restore('s', 'b')).rejects.toMatchObject({ code: 'NOT_FOUND' })
  }))

test('finds what an attempt became, and the ranking it was part of', () =>
  withBrowser(async (browser, space) => {
    expect(await browser.ofAttempt('s', 't2')).toBeNull()
    expect(await browser.ofAttempt('s', 't1')).toMatchObject({ row: { id: 'c' }, ranking: null })
    const ranking = {
      candidateId: 'c',
      existingId: 'a',
      cosine: 0.9,
      tau: 0.8,
      verdicts: [],
      winner: 'candidate' as const,
    }
    const at = timeOf(1)
    await space.commit([
      { kind: 'experience-superseded', experienceId: 'a', by: 'c', why: 'duplicate', ranking, at },
    ])
    expect(await browser.ofAttempt('s', 't1')).toMatchObject({ ranking: { winner: 'candidate' } })
  }))
