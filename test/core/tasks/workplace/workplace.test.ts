import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { createRng } from '../../../../src/core/ground/random'
import {
  createWorkplaceEnvironment,
  toolsOf,
  writeAction,
} from '../../../../src/core/tasks/workplace/environment'
import type { WorkplaceEntry } from '../../../../src/core/tasks/workplace/entry'
import { workplaces } from '../../../../src/core/tasks/workplace/generator'
import { handbookOf } from '../../../../src/core/tasks/workplace/prose'
import { HELD_OUT_HANDS, USUAL_HANDS, type Hand } from '../../../../src/core/tasks/workplace/phrasings'
import { openRoom, type Level } from '../../../../src/core/tasks/workplace/room'
import { generateWorkplaceStream, openWorkplaceSeed } from '../../../../src/core/tasks/workplace/tasks'
import { countFacts, createWorkplace, type Workplace } from '../../../../src/core/tasks/workplace/world'
import type { Task } from '../../../../src/shared/domain/task'

const LEVELS: readonly Level[] = [0, 1, 2, 3]
const WORLDS = [1, 2, 3, 5, 7, 11, 19]
const worlds = WORLDS.map((world) => createWorkplace(openWorkplaceSeed(world)))
const entries = WORLDS.flatMap((world) => generateWorkplaceStream(world, 30))

const taskOf = (entry: WorkplaceEntry): Task => ({
  id: entry.id,
  index: 0,
  environment: 'workplace',
  instruction: entry.instruction,
  skills: entry.skill_list,
  payload: entry,
})

/** Plays replies until the attempt ends, nothing once they are through. */
async function play(entry: WorkplaceEntry, level: Level, reply: (round: number) => string): Promise<number> {
  const episode = createWorkplaceEnvironment({ systemPrompt: '', level }).open(taskOf(entry))
  for (let round = 0; ; round++) {
    const outcome = await episode.step(reply(round))
    if (outcome.done) return outcome.reward
  }
}

/** The tags that the one tool of level 0 takes. */
const tagsOf = (tool: ReturnType<typeof toolsOf>[number] | undefined): string[] =>
  (tool?.inputSchema['properties'] as { tag: { enum: string[] } }).tag.enum

const mean = (rewards: readonly number[]): number => rewards.reduce((a, b) => a + b, 0) / rewards.length

const procedureAt = ({ procedures }: Workplace, i: number) => {
  const procedure = procedures[i]
  if (!procedure) throw new Error('no procedure')
  return procedure
}

describe('workplaces', () => {
  it('follow from their number, and hold 300 facts and more, of every kind', () => {
    for (const world of worlds) expect(countFacts(world)).toBeGreaterThanOrEqual(300)
    expect(new Set(worlds.map(({ kind }) => kind.id)).size).toBe(3)
    expect(generateWorkplaceStream(2, 20)).toEqual(generateWorkplaceStream(2, 20))
    expect(generateWorkplaceStream(3, 20)).not.toEqual(generateWorkplaceStream(2, 20))
  })

  it('say every fact on a page, in one of three styles', () => {
    for (const world of worlds) {
      const pages = handbookOf(world)
      for (const { sort, steps, heavy } of world.procedures) {
        const text = pages.get(sort)?.text ?? ''
        for (const { kind, value } of [...steps, heavy.step]) {
          expect(text).toContain(value)
          expect([kind.past, kind.order].some((words) => text.includes(`${words} ${value}`))).toBe(true)
        }
        expect(text).toContain(`${heavy.over} kg`)
      }
      for (const [town, way] of world.ways) expect(pages.get(town.toLowerCase())?.text).toContain(way)
    }
  })

  it('have parts that come again, and phrasings that are held out', () => {
    const stream = generateWorkplaceStream(1, 120)
    const sorts = stream.flatMap(({ items, wanted }) =>
      items.filter(({ id }) => wanted.includes(id)).map(({ sort }) => sort),
    )
    expect(new Set(sorts).size).toBeLessThan(sorts.length / 3)
    expect(stream.filter(({ phrasing }) => phrasing === 'held-out')).toHaveLength(24)
  })

  it.each(LEVELS)(
    'at level %i are solved by the gold plan, never by doing nothing, and hardly by chance',
    async (level) => {
      const rng = createRng(`random/${level}`)
      const rewards = { gold: [] as number[], nothing: [] as number[], chance: [] as number[] }
      for (const entry of entries) {
        const plan = openRoom(entry, level).plan()
        const gold = plan.map(({ name, args }) => writeAction(name, args))
        rewards.gold.push(await play(entry, level, (round) => gold[round] ?? ''))
        rewards.nothing.push(await play(entry, level, () => ''))
        const tools = toolsOf(taskOf(entry), level).filter(({ name }) => name !== 'finish')
        const { steps, leave } = createWorkplace(entry.workplace).kind
        rewards.chance.push(
          await play(entry, level, () => {
            const { name } = rng.pick(tools)
            const kind = [...steps, leave].find((one) => one.name === name)
            const item = rng.pick(entry.items).id
            if (level === 0) return writeAction(name, { tag: rng.pick(tagsOf(tools[0])) })
            if (name === 'read_page') return writeAction(name, { title: rng.pick(entry.items).sort })
            return writeAction(name, { item, ...(kind && { [kind.argument]: rng.pick(kind.values) }) })
          }),
        )
      }
      expect(mean(rewards.gold)).toBe(1)
      expect(mean(rewards.nothing)).toBe(0)
      expect(mean(rewards.chance)).toBeLessThan(level === 0 ? 0.1 : 0.05)
    },
  )

  it('refuse a step out of turn, with what is missing, and change nothing', () => {
    const [world] = worlds
    if (!world) throw new Error('no workplace')
    const { sort, steps } = procedureAt(world, 0)
    const [town] = world.ways.keys()
    const item = { id: 'X1', sort, kilograms: 1, town: town ?? '' }
    const entry: WorkplaceEntry = {
      ...{ id: 'a', workplace: openWorkplaceSeed(1), instruction: 'x', items: [item], wanted: ['X1'] },
      ...{ phrasing: 'usual', skill_list: [] },
    }
    const room = openRoom(entry, 3)
    const [first, second] = steps
    const before = room.call('look', { item: 'X1' }).text
    const answer = room.call(second?.kind.name ?? '', {
      item: 'X1',
      [second?.kind.argument ?? '']: second?.value,
    })
    expect(answer.failed).toBe(true)
    expect(answer.text).toContain(`it has to be ${first?.kind.past.split(' ')[0]} before`)
    expect(room.call('look', { item: 'X1' }).text).toBe(before)
    expect(room.call('look', { item: 'X2' }).failed).toBe(true)
    expect(room.call('read_page', { title: `the ${sort}` })).toMatchObject({ failed: true })
    expect(room.call('read_page', { title: `the ${sort}` }).text).toContain(sort)
    expect(room.call('read_page', { title: sort })).toMatchObject({ failed: false })
  })

  it('show the pages at levels 1 and 2 alone', () => {
    const [entry] = entries
    if (!entry) throw new Error('no task')
    expect(LEVELS.map((level) => openRoom(entry, level).context.includes('From the handbook'))).toEqual([
      ...[false, true, true, false],
    ])
    expect(openRoom(entry, 1).plan()).toHaveLength(1)
  })

  it('show at level 0 the right tag with the first task about a town, and never again', () => {
    const stream = generateWorkplaceStream(5, 60)
    const told = new Set<string>()
    for (const entry of stream) {
      const room = openRoom(entry, 0)
      const tag = room.plan()[0]?.args['tag'] ?? ''
      expect(room.context.includes(tag)).toBe(!told.has(tag))
      told.add(tag)
      const wrong = tagsOf(toolsOf(taskOf(entry), 0)[0]).find(
        (one) => one.startsWith(tag.slice(0, -2)) && one !== tag,
      )
      const { name } = room.plan()[0] ?? { name: '' }
      expect(room.call(name, { tag: wrong }).text).toContain(tag.split(' ')[1])
      expect(room.call(name, { tag })).toMatchObject({ failed: false })
      expect(room.isRight()).toBe(true)
    }
    expect(told.size).toBeLessThan(stream.length / 2)
  })

  it('ends at level 0 with the second wrong call', async () => {
    const [entry] = entries
    if (!entry) throw new Error('no task')
    const wrong = writeAction(toolsOf(taskOf(entry), 0)[0]?.name ?? '', { tag: 'Nowhere N1' })
    const episode = createWorkplaceEnvironment({ systemPrompt: '', level: 0 }).open(taskOf(entry))
    expect(await episode.step(wrong)).toMatchObject({ done: false, failed: true })
    expect(await episode.step(wrong)).toMatchObject({ done: true, reward: 0, finish: 'round-limit' })
  })

  it('are asked for by several hands, of which those held out share nothing with the others', () => {
    const formsOf = (hands: readonly Hand[]): string[] =>
      hands.flatMap(({ names, sentences }) =>
        names.flatMap((name) => sentences.map((one) => `${one} ${name}`)),
      )
    const [usual, heldOut] = [formsOf(USUAL_HANDS), formsOf(HELD_OUT_HANDS)]
    expect(new Set([...usual, ...heldOut]).size).toBe(usual.length + heldOut.length)
    expect(usual.length).toBeGreaterThanOrEqual(45)
    expect(heldOut.length).toBeGreaterThanOrEqual(12)
    const partsOf = (hands: readonly Hand[]): string[] =>
      hands.flatMap(({ names, sentences }) => [...names, ...sentences])
    const shared = partsOf(HELD_OUT_HANDS).filter((part) => partsOf(USUAL_HANDS).includes(part))
    expect(shared).toEqual([])
  })

  it('are graded by what was done, whatever the words of the task', async () => {
    for (const entry of entries.slice(0, 20)) {
      const gold = openRoom(entry, 3)
        .plan()
        .map(({ name, args }) => writeAction(name, args))
      expect(await play({ ...entry, instruction: 'x' }, 3, (round) => gold[round] ?? '')).toBe(1)
    }
  })

  it('have a bundled stream that is as its generator makes it', () => {
    for (const { fileName, text } of workplaces.bundled())
      expect(
        readFileSync(new URL(`../../../../resources/streams/${fileName}`, import.meta.url), 'utf8') === text,
      ).toBe(true)
  })
})
