import { copyFile, readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { expect, test } from 'vitest'
import { createExperienceBase, type ExperienceBase } from '../../../src/main/kb/experience-base'
import { taken, written } from '../../core/formats/memories'
import type { ReadOptions } from '../../../src/main/memories/read-text'
import { createItems } from '../../../src/main/items/memory-items'
import { statsOf } from '../../../src/core/memory/experiences/stats'
import { openMemory, type StoredMemory } from '../../../src/main/memory-store/memory'
import { experienceOf } from '../../core/memory/experiences/fixtures'
import { scriptedModel, shippedPrompts, type Reply } from '../../core/methods/fixtures'
import { doorsOf, onlyMemory } from '../../fixtures/doors'
import { attempt, inTempFolder, timeOf, wordEmbedder } from '../memory-store/fixtures'

const logs = resolve('test/fixtures/kb/logs')
const ABSTRACTION = JSON.stringify({
  agent_plan: '1. Look. 2. Act.',
  hints: ['Look before acting.'],
  category: 'feature',
  keywords: ['endpoint'],
  summary: 'Look first.',
  constraints: [],
})

/** Takes a log in, as the door does. */
const takeLog = (memory: StoredMemory, format: string, file: string, options: ReadOptions = {}) =>
  doorsOf(onlyMemory(memory)).importPaths('s', file, format, options)

const itemsOf = (memory: StoredMemory, clock = { time: new Date(timeOf(0)) }) =>
  createItems({
    memories: { open: () => Promise.resolve(memory) },
    clock: { now: () => clock.time },
  })

const withKb = (
  body: (kb: ExperienceBase, memory: StoredMemory, clock: { time: Date }, folder: string) => Promise<void>,
  replies: Reply | readonly Reply[] = ABSTRACTION,
): Promise<void> =>
  inTempFolder(async (folder) => {
    const embedder = wordEmbedder()
    const memory = await openMemory({ folder: join(folder, 'space'), embedder })
    const clock = { time: new Date(timeOf(0)) }
    const script = typeof replies === 'string' ? () => replies : (replies as readonly Reply[])
    const kb = createExperienceBase({
      memories: onlyMemory(memory),
      clock: { now: () => clock.time },
      embedder: () => Promise.resolve(embedder),
      prompts: () => Promise.resolve(shippedPrompts),
      loadModel: () => Promise.resolve(scriptedModel(script)),
    })
    await body(kb, memory, clock, folder)
    await memory.close()
  })

const all = { limit: null, tau: 0.8, model: 'm', seed: 1 }

test('imports a log once, whatever the file is called, and reports what it left out', () =>
  withKb(async (_kb, memory, clock, folder) => {
    const progress: [number, number][] = []
    const file = join(logs, 'claude-code.jsonl')
    const report = await takeLog(memory, 'claude-code', file, {
      onProgress: (done, total) => progress.push([done, total]),
    })
    expect(report).toMatchObject({ rows: 3, imported: 2, duplicates: 0, redactions: { 'access key': 1 } })
    expect(report.left).toHaveLength(1)
    expect(report.writtenFor).toContain('Claude Code')
    expect(progress.at(-1)?.[0]).toBe(progress.at(-1)?.[1])
    const copy = join(folder, 'copy.jsonl')
    await copyFile(file, copy)
    expect(await takeLog(memory, 'claude-code', copy)).toMatchObject({
      imported: 0,
      duplicates: 2,
    })
    expect(statsOf([...memory.experiences.entries()], clock.time)).toMatchObject({
      live: 2,
      byFramework: { 'claude-code': 2 },
    })
  }))

test('secrets come in with no item, attempts and memories included, and the same file counts once', () =>
  inTempFolder(async (folder) => {
    const from = await openMemory({ folder: join(folder, 'from'), embedder: wordEmbedder() })
    await from.commit(attempt(1, 'a state'))
    const note = {
      kind: 'summary',
      id: 's1',
      runId: 'r1',
      environment: 'lab-db',
      createdAt: timeOf(3),
    } as const
    await from.commit([
      {
        kind: 'memory-added',
        memory: { ...note, trajectoryIds: ['t-c00001'], title: 'One', text: 'A word.' },
      },
    ])
    const clean = await written(from, 'loam')
    await from.close()
    const secret = 'PGPASSWORD=hunter2pass'
    const text = clean.replaceAll('"instruction":"', `"instruction":"${secret} `).replace('A word.', secret)
    expect(text.split(secret).length).toBeGreaterThan(2)
    const to = await openMemory({ folder: join(folder, 'to'), embedder: wordEmbedder() })
    const report = await taken(to, 'loam', text)
    expect([report.left, report.redactions.credential]).toEqual([[], text.split(secret).length - 1])
    const back = await written(to, 'loam')
    expect(back).not.toContain('hunter2pass')
    expect(back).toContain('PGPASSWORD=[credential removed]')
    expect(await taken(to, 'loam', text)).toMatchObject({ imported: 0, left: [] })
    await to.close()
  }))

test('goes on behind what is there when a file has grown', () =>
  withKb(async (_kb, memory, _clock, folder) => {
    const lines = (await readFile(join(logs, 'memento.jsonl'), 'utf8')).split('\n')
    const file = join(folder, 'grown.jsonl')
    await writeFile(file, `${lines[0] ?? ''}\n`)
    expect(await takeLog(memory, 'memento', file)).toMatchObject({ imported: 1 })
    await writeFile(file, lines.join('\n'))
    expect(await takeLog(memory, 'memento', file)).toMatchObject({
      rows: 4,
      imported: 1,
      duplicates: 1,
    })
  }))

test('says when there is no such file or format', () =>
  withKb(async (_kb, memory) => {
    await expect(takeLog(memory, 'codex', '/nowhere/x')).rejects.toMatchObject({
      code: 'NOT_FOUND',
    })
    await expect(takeLog(memory, 'x', join(logs, 'codex.jsonl'))).rejects.toMatchObject({
      code: 'BAD_INPUT',
    })
  }))

test('abstracts each log once; the log is superseded and findable again when restored', () =>
  withKb(async (kb, memory) => {
    await takeLog(memory, 'codex', join(logs, 'codex.jsonl'))
    const [raw] = [...memory.experiences.entries()].map(({ id }) => id)
    const seen: number[] = []
    const report = await kb.abstract('s', { ...all, onProgress: (done) => seen.push(done) })
    expect(report).toMatchObject({ logs: 1, written: 1, failed: [] })
    expect(seen).toEqual([0, 1])
    expect(await kb.abstract('s', all)).toMatchObject({ logs: 0 })
    expect((await memory.experiences.get(raw ?? ''))?.standing).toMatchObject({
      state: 'superseded',
      by: `abs-${raw ?? ''}`,
      why: 'abstraction',
    })
    const { hits } = await kb.search('s', { text: 'health endpoint', mode: 'hybrid' })
    expect(hits[0]?.experience).toMatchObject({ agentExperience: ['Look before acting.'], derivedFrom: raw })
    await itemsOf(memory).restore('s', { kind: 'experience', id: raw ?? '' })
    expect((await memory.experiences.get(raw ?? ''))?.standing.state).toBe('live')
  }))

test('a log without a usable abstraction stays, is reported, and is tried again', () =>
  withKb(async (kb, memory, clock) => {
    await takeLog(memory, 'codex', join(logs, 'codex.jsonl'))
    expect(await kb.abstract('s', all)).toMatchObject({ written: 0, failed: [{ reason: 'malformed' }] })
    clock.time = new Date(timeOf(60))
    expect(await kb.abstract('s', all)).toMatchObject({ logs: 1, written: 0 })
    expect(statsOf([...memory.experiences.entries()], clock.time)).toMatchObject({ live: 1, superseded: 0 })
  }, 'no json'))

test('what a program hands in carries its name and is taken once', () =>
  withKb(async (kb) => {
    const about = { client: 'my-agent', framework: 'smolagents', domain: 'web' }
    const entry = { question: 'Q?', agent_plan: 'P', agent_experience: 'key sk-aaaaaaaaaaaaaaaaaaaaaaaa' }
    const first = await kb.submit('s', entry, about)
    expect(first).toMatchObject({ isNew: true, stored: { experience: { origin: 'submitted' } } })
    expect(first.stored.experience.meta).toMatchObject({
      client: 'my-agent',
      framework: 'smolagents',
      domain: 'web',
    })
    expect(first.stored.experience.agentExperience).toBe('key [access key removed]')
    expect((await kb.submit('s', entry, about)).isNew).toBe(false)
  }))

const SECOND = JSON.stringify({ reasoning: 'second', completeness: 'second', transferability: 'tie' })
const FIRST = JSON.stringify({ reasoning: 'first', completeness: 'first', transferability: 'tie' })

test('what programs hand in passes the ranker once a model is at hand, and the better one stays', () =>
  withKb(
    async (kb, memory, clock) => {
      const about = { client: 'editor', framework: 'editor', domain: 'general' }
      const handIn = async (plan: string, question = 'Add up the invoices') =>
        (await kb.submit('s', { question, agent_plan: plan }, about)).stored.experience.id
      const worse = await handIn('1. Guess.')
      const better = await handIn('1. Read. 2. Add up. 3. Check.')
      await handIn('1. Look at the sky.', 'Forecast the weather')
      expect(statsOf([...memory.experiences.entries()], clock.time)).toMatchObject({ live: 3, uncompared: 3 })
      const report = await kb.abstract('s', all)
      expect(report).toMatchObject({ logs: 0, compared: 3, ranked: 1 })
      expect(statsOf([...memory.experiences.entries()], clock.time)).toMatchObject({
        live: 2,
        superseded: 1,
        uncompared: 0,
      })
      expect((await memory.experiences.get(worse))?.standing).toMatchObject({
        state: 'superseded',
        by: better,
      })
      expect(await kb.abstract('s', all)).toMatchObject({ compared: 0, ranked: 0 })
    },
    [FIRST, SECOND],
  ))

test('a reward that another program reports moves an imported experience', () =>
  withKb(async (kb, memory) => {
    await takeLog(memory, 'codex', join(logs, 'codex.jsonl'))
    const [entry] = [...memory.experiences.entries()]
    const use = { experienceId: entry?.id ?? '', useId: 'u1', framework: 'editor', reward: 1 }
    const { stored } = await kb.report('s', use)
    expect(stored.standing).toMatchObject({ utility: 0.6, uses: 1, transfers: ['editor'] })
  }))

test('what was evicted can be restored for 30 days', () =>
  withKb(async (_kb, memory, clock) => {
    await memory.commit([
      { kind: 'experience-added', experience: experienceOf('a', 'x') },
      { kind: 'experience-evicted', experienceId: 'a', score: 0, at: timeOf(0) },
    ])
    expect(statsOf([...memory.experiences.entries()], clock.time)).toMatchObject({
      live: 0,
      trash: 1,
      meanUtility: null,
    })
    clock.time = new Date(Date.parse(timeOf(0)) + 31 * 86_400_000)
    const restore = () => itemsOf(memory, clock).restore('s', { kind: 'experience', id: 'a' })
    await expect(restore()).rejects.toMatchObject({ code: 'NOT_FOUND' })
    expect(statsOf([...memory.experiences.entries()], clock.time)).toMatchObject({ trash: 0 })
    clock.time = new Date(Date.parse(timeOf(0)) + 29 * 86_400_000)
    expect((await restore()).item.gone).toBeNull()
  }))

test('experiences leave with an export and come back once, with their standing', () =>
  withKb(async (_kb, memory, clock, folder) => {
    await takeLog(memory, 'memento', join(logs, 'memento.jsonl'))
    const [first, second] = [...memory.experiences.entries()].map(({ id }) => id)
    const at = timeOf(1)
    const used = {
      kind: 'experience-used',
      experienceId: first ?? '',
      framework: 'loam',
      eta: 0.2,
      at,
    } as const
    await memory.commit([{ ...used, useId: 't1', reward: 1 }])
    const edit = {
      question: 'Where does Deportivo Cali play?',
      agentPlan: '1. Look at sk-abcdefghijklmnop1234.',
      agentExperience: '',
      searchAgentPlan: '',
      searchAgentExperience: '',
      domain: 'qa',
    }
    const items = itemsOf(memory, clock)
    const { item: edited } = await items.edit('s', { kind: 'experience', id: first ?? '' }, edit)
    await items.remove('s', { kind: 'experience', id: second ?? '' })

    const file = join(folder, 'out.jsonl')
    const text = await written(memory, 'loam')
    await writeFile(file, text)
    const other = await openMemory({ folder: join(folder, 'other'), embedder: wordEmbedder() })
    const report = await takeLog(other, 'loam', file)
    expect(report).toMatchObject({ rows: 2, imported: 2, left: [], redactions: { 'access key': 1 } })
    expect(await other.experiences.get(first ?? '')).toEqual(await memory.experiences.get(first ?? ''))
    const chain = await itemsOf(other).history('o', edited)
    expect(chain.map(({ ref }) => ref.id)).toEqual([first, edited.id])
    expect(statsOf([...other.experiences.entries()], clock.time)).toMatchObject({
      live: 1,
      superseded: 1,
      trash: 0,
      uses: 1,
    })
    expect(await takeLog(other, 'loam', file)).toMatchObject({
      imported: 0,
      duplicates: 2,
    })
    await other.close()
  }))
