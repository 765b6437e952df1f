import { expect, test } from 'vitest'
import { playRecordings, type PlayOptions, type Recording } from '../../../src/core/lab/recordings'
import { createRng } from '../../../src/core/ground/random'
import { METHODS } from '../../../src/core/methods'
import { NO_ACTION } from '../../../src/core/memory/beliefs/belief'
import { complaintOf } from '../../../src/core/verdict/complaint'
import { lexicalEmbedder } from '../../../src/core/retrieval/lexical-embedder'

const FRUIT = ['quince', 'medlar', 'damson', 'mulberry']
const TOOLS = ['chisel', 'mallet', 'rasp', 'gimlet']

/** Attempts at tasks about fruit are solved, about tools they fail; each task is met three times. */
const clear: Recording[] = Array.from({ length: 48 }, (_, i) => {
  const isFruit = i % 2 === 0
  const task = i % 16
  const thing = (isFruit ? FRUIT : TOOLS)[task % 4]
  const text = `Where is the ${isFruit ? 'fruit' : 'workshop tool'} called ${thing} number ${task} stored?`
  const refusal = 'Error: no such shelf'
  const act = {
    ...{ tool: 'look', action: `look ${thing}`, said: '', observation: isFruit ? 'on shelf 2' : refusal },
    complaint: isFruit ? null : complaintOf(refusal, 'look'),
  }
  const lived = {
    ...{ id: `a${i}`, task: `t${task}`, environment: 'store', place: '', told: text, isOwn: true, at: '' },
    ...{ reward: isFruit ? (1 as const) : (0 as const), acts: [act] },
  }
  return { lived, text }
})

const options: PlayOptions = {
  ...{ embedder: lexicalEmbedder, learners: [], k: 4, orders: 3, seed: 1, pause: () => Promise.resolve() },
}
const figure = (figures: Awaited<ReturnType<typeof playRecordings>>, part: string, what: string) => {
  const one = figures.find((each) => each.part === part && each.what.startsWith(what))
  if (!one) throw new Error(`There is no figure of ${part}: ${what}`)
  return one
}

test('what lies near foretells an outcome that goes with it, and nothing where it does not', async () => {
  const figures = await playRecordings(clear, options)
  for (const way of ['words', 'both', 'both, other tasks alone'])
    expect(figure(figures, `retrieval by ${way}`, 'foretells').mean).toBeGreaterThan(0.95)
  expect(figure(figures, 'retrieval by both', 'finds the same task').mean).toBe(1)
  const rng = createRng('coin')
  const mixed = clear.map((one) => ({
    ...one,
    lived: { ...one.lived, reward: rng.next() < 0.5 ? (1 as const) : (0 as const) },
  }))
  const blurred = await playRecordings(mixed, { ...options, orders: 10 })
  const { mean } = figure(blurred, 'retrieval by both, other tasks alone', 'foretells')
  expect(Math.abs(mean - 0.5)).toBeLessThan(0.15)
})

test('near copies that ended alike are dropped, and complaints of tools are known from other tasks', async () => {
  const figures = await playRecordings(clear, options)
  expect(figure(figures, 'without near copies', 'keeps').mean).toBeLessThan(0.5)
  expect(figure(figures, 'beliefs', 'a tool complained').mean).toBeCloseTo(0.5, 1)
  expect(figure(figures, 'beliefs', 'its first complaint was known').mean).toBe(1)
  const silent = clear.map((one) => ({
    ...one,
    lived: {
      ...one.lived,
      acts: [
        { ...one.lived.acts[0], tool: NO_ACTION, action: '', said: '', observation: 'fine', complaint: null },
      ],
    },
  }))
  const quiet = await playRecordings(silent, options)
  expect(figure(quiet, 'beliefs', 'a tool complained').mean).toBe(0)
  expect(quiet.filter(({ what }) => what === 'its first complaint was known')).toEqual([])
})

test('learners of values that methods bring foretell too; the same seed gives the same figures', async () => {
  const learners = METHODS.flatMap(({ learner }) => learner ?? [])
  expect(learners.length).toBeGreaterThan(0)
  const play = () => playRecordings(clear.slice(0, 32), { ...options, learners, orders: 1 })
  const figures = await play()
  for (const { title } of learners) {
    const { mean, n } = figure(figures, `values: ${title}`, 'foretells')
    expect(mean).toBeGreaterThanOrEqual(0)
    expect(n).toBe(16)
  }
  expect(await play()).toEqual(figures)
})

test('the pause is where it stops', async () => {
  const stopped = playRecordings(clear, { ...options, pause: () => Promise.reject(new Error('enough')) })
  await expect(stopped).rejects.toThrow('enough')
})

test('where all ended alike nothing is foretold, and there is no figure for it', async () => {
  const alike = clear.map((one) => ({ ...one, lived: { ...one.lived, reward: 1 as const } }))
  const figures = await playRecordings(alike, options)
  expect(figures.filter(({ what }) => what.startsWith('foretells'))).toEqual([])
})
