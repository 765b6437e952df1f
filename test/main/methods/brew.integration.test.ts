import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { createApp, type App } from '../../../src/main/app'
import { findResources } from '../../../src/main/ground/resources'
import type { GuidesView } from '../../../src/shared/domain/guide-build'
import { statesOf } from '../../../src/shared/feed'
import { TORTURE, longTest } from '../../torture'

const DEMO_MODEL = resolve(findResources().models, 'loam-demo.gguf')
const hasDemo = existsSync(DEMO_MODEL)
if (!hasDemo) process.stderr.write(`Skipped: the demo model is not at ${DEMO_MODEL}\n`)

describe.skipIf(!hasDemo)('concept documents on the demo model', () => {
  let folder = ''
  let app: App
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-brew-'))
    app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
  })
  afterAll(async () => {
    await app.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test(
    'a build that waits for a person, is taken up, and is then edited by hand',
    { timeout: 600_000 },
    async () => {
      const memoryId = join(folder, 'space')
      const settings = { train: 3, evaluation: 1, iterations: 1, width: 1 }
      const watch = { signal: new AbortController().signal, onProgress: () => undefined }
      const first = await app.guides.run(
        { start: { memoryId, stream: 'house-rules-a', settings, review: true } },
        watch,
      )
      expect(first.end.kind).toBe('concepts')
      const { id } = first.info.build
      const follower = new AbortController()
      const feed = app.guides.watch(memoryId, id, { signal: follower.signal })
      const views: GuidesView[] = []
      const followed = (async () => {
        for await (const view of statesOf(feed)) views.push(view)
      })()
      await expect(app.guides.tree(memoryId, id)).resolves.toHaveLength(first.info.concepts.length)
      const { end, info } = await app.guides.run({ resume: id, memoryId, inFlight: 1 }, watch)
      if (end.kind !== 'done') throw new Error('The build is not done.')
      expect(info.status).toBe('done')
      expect(end.outcome.concepts).toBe(first.info.concepts.length)
      for (const { nodes, best } of await app.guides.tree(memoryId, id)) {
        expect(nodes.filter(({ onBestPath }) => onBestPath).length).toBeGreaterThan(best === null ? -1 : 0)
        for (const { evaluations } of nodes)
          for (const { trajectoryId, reward } of evaluations) {
            const { trajectory } = await app.guides.rollout(memoryId, id, trajectoryId)
            expect(trajectory.reward).toBe(reward)
          }
      }
      const proposed = await app.guides.list(memoryId)
      expect(end.outcome.documents).toBe(proposed.length)
      expect(proposed.length).toBeGreaterThan(0)
      for (const { current, proposed: waiting } of proposed)
        expect([current, waiting?.buildId]).toEqual([null, id])
      const [document] = await app.guides.decideAll(memoryId, id, true)
      expect(document?.proposed).toBeNull()
      if (!document?.current) throw new Error('What was accepted is not read.')
      const { conceptId, current } = document
      const edited = await app.guides.edit(memoryId, conceptId, {
        ...current.text,
        bestPractices: 'Never guess a code.',
      })
      expect(edited.state).toBe('current')
      expect(edited.version.constraints.keep).toEqual([
        { section: 'bestPractices', text: 'Never guess a code.' },
      ])
      await vi.waitFor(() => expect(views.at(-1)?.documents[0]?.current?.id).toBe(edited.version.id))
      follower.abort()
      await followed
      const seen = views.flatMap(({ builds }) => builds.map(({ status }) => status))
      expect([...new Set(seen)]).toEqual(['concepts', 'running', 'done'])
      expect(views.at(-1)?.trees).toEqual(await app.guides.tree(memoryId, id))
      const back = await app.guides.decide(memoryId, conceptId, edited.version.id, false)
      expect(back.current?.id).toBe(current.id)
      const states = (await app.guides.versions(memoryId, conceptId, false)).map(({ state }) => state)
      expect(states).toEqual(['rejected', 'current'])
      // A second build takes tasks that the first one did not have, and begins with what is read.
      const estimate = await app.guides.estimate({ memoryId, stream: 'house-rules-a', settings })
      expect(estimate.fresh).toBe(120 - settings.train - settings.evaluation)
      expect(estimate.minutes).toBeGreaterThan(0)
      // The long tests alone play it: the run below builds on, too.
      if (!TORTURE) return
      const next = await app.guides.run(
        { start: { memoryId, stream: 'house-rules-a', settings: { ...settings, use: 'at-once' } } },
        watch,
      )
      const had = [...info.build.train, ...info.build.evaluation]
      expect(had.some((one) => next.info.build.train.includes(one))).toBe(false)
      expect(next.info.build.start).toContain(current.id)
    },
  )

  longTest(
    'a run builds on with new tasks and with those that had only scored, and rests and goes on as one that never did',
    { timeout: 600_000 },
    async () => {
      const settings = { brew: { train: 2, evaluation: 1, again: 3, iterations: 1, width: 1 } }
      const start = async (name: string): Promise<string> => {
        const input = { stream: 'house-rules-a', method: 'brew', tasks: 8, settings }
        return (await app.runDrafts.start({ ...input, memoryId: join(folder, name) })).id
      }
      const ended = async (id: string, status: string): Promise<void> => {
        await vi.waitFor(() => expect(app.runs.get(id).status).toBe(status), {
          timeout: 300_000,
          interval: 50,
        })
      }
      const buildsOf = async (id: string) =>
        (await app.guides.builds(app.runs.get(id).config.memoryId)).reverse().map((info) => info.build)
      const whole = await start('whole')
      await ended(whole, 'done')
      const [first, second, ...others] = await buildsOf(whole)
      expect(others).toEqual([])
      expect([first?.train.length, first?.evaluation.length]).toEqual([2, 1])
      // Three tasks later: two of them to learn from, besides the one that only scored before.
      expect(second?.train).toHaveLength(3)
      expect(second?.train).toContain(first?.evaluation[0])
      expect(first?.train.some((id) => second?.train.includes(id) || second?.evaluation.includes(id))).toBe(
        false,
      )
      expect(second?.start.length).toBeGreaterThan(0)
      // What both took is the run's cost.
      const took = (await app.guides.builds(app.runs.get(whole).config.memoryId)).map(
        ({ outcome }) => outcome?.tokens ?? 0,
      )
      expect(Math.min(...took)).toBeGreaterThan(0)
      expect(app.runs.report(whole).built?.tokens).toBe(took.reduce((all, one) => all + one, 0))
      const memory = await app.memories.open(app.runs.get(whole).config.memoryId)
      const read = new Set<string>()
      for await (const { recalled } of memory.trajectories()) for (const { id } of recalled) read.add(id)
      expect([...read].some((id) => id.startsWith(first?.id ?? ''))).toBe(true)
      // In the middle of a build it is paused, and resumed; with the other long tests.
      if (!TORTURE) return
      const rested = await start('rested')
      await vi.waitFor(() => expect(app.runs.get(rested).building).not.toBeNull(), {
        timeout: 300_000,
        interval: 5,
      })
      await app.runs.pause(rested)
      await ended(rested, 'paused')
      await app.runDrafts.resume(rested)
      await ended(rested, 'done')
      expect(app.runs.get(rested).rewards).toEqual(app.runs.get(whole).rewards)
    },
  )
})
