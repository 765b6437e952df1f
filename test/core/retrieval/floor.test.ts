import { describe, expect, test } from 'vitest'
import { languageOf } from '../../../src/core/ground/language'
import type { Embedder } from '../../../src/core/ground/ports'
import { createRng } from '../../../src/core/ground/random'
import { gatherEvidence, sift } from '../../../src/core/retrieval/floor'
import { builtInEncoder } from '../../../src/main/embedders/built-in-encoder'
import { encoderPath } from '../../../src/main/ground/model-file'
import { findResources } from '../../../src/main/ground/resources'
import { linesOf, recallNotes } from '../../fixtures/recall/recall-notes'

const encoder = builtInEncoder(encoderPath(findResources().models))
const vectors = new Map<string, Float32Array>()
/** Embeds each text once for all tests. */
const embedder: Embedder = {
  ...encoder,
  async embed(texts) {
    const fresh = [...new Set(texts)].filter((text) => !vectors.has(text))
    for (const [i, vector] of (await encoder.embed(fresh)).entries()) vectors.set(fresh[i] as string, vector)
    return texts.map((text) => vectors.get(text) as Float32Array)
  },
}
const notes = recallNotes()
const fresh = linesOf('fresh-asks.txt').flatMap((line, i) =>
  i % 2 === 1 ? [line.split(' | ')[1] ?? ''] : [],
)
// What some of them are about after all is left out of their memory.
const accidents = linesOf('about.txt').map((line) => line.split(' | '))

/** Those of a memory that pass, of the twelve with the highest cosine. */
async function passing(ask: string, memory: readonly string[]): Promise<string[]> {
  const [request = new Float32Array(), ...rows] = await embedder.embed([ask, ...memory])
  const near = rows.map((vector, i) => ({
    text: memory[i] ?? '',
    score: vector.reduce((sum, x, j) => sum + x * (request[j] ?? 0), 0),
  }))
  const items = near.sort((a, b) => b.score - a.score).slice(0, 12)
  const verdicts = await sift(embedder, ask, [{ items, total: memory.length }], 'usual')
  return verdicts.flatMap(({ item, passes }) => (passes ? [item.text] : []))
}

test.each([1, 5, 50])(
  'of %d notes, asks about nothing recall next to none, and asks near a note find it',
  async (size) => {
    const memoryFrom = (start: number): string[] =>
      Array.from({ length: size }, (_, i) => notes[(start + i) % notes.length]?.text ?? '')
    let unrelated = 0
    for (const [i, ask] of fresh.entries()) {
      const words = accidents.flatMap(([of, word = '']) => (of === ask ? [word] : []))
      const memory = memoryFrom(i * 7).filter((text) => !words.some((word) => text.includes(word)))
      if ((await passing(ask, memory)).length > 0) unrelated++
    }
    expect(unrelated / fresh.length).toBeLessThanOrEqual(0.02)
    const whole = notes.filter(({ style }) => style === 'a')
    let own = 0
    for (const note of whole)
      if ((await passing(note.near, memoryFrom(notes.indexOf(note)))).includes(note.text)) own++
    expect(own / whole.length).toBeGreaterThanOrEqual(0.98)
  },
)

test('asks in other words find the only note there is, most of the time', async () => {
  // Of these notes no constant is chosen.
  const jottings = notes.filter(({ style }) => style === 'b')
  let own = 0
  for (const { otherWords, text } of jottings) if ((await passing(otherWords, [text])).length > 0) own++
  expect(own / jottings.length).toBeGreaterThan(0.7)
})

test('a larger memory asks for more, and what is pinned always passes', async () => {
  const ask = 'Where is the spare key of the cottage?'
  const margins = await Promise.all(
    [1, 100, 10_000].map(async (total) => {
      const items = [{ text: 'The key is under the flowerpot' }]
      return (await sift(embedder, ask, [{ items, total }], 'usual'))[0]?.margin ?? 0
    }),
  )
  expect(margins).toEqual(margins.toSorted((a, b) => b - a))
  const [pinned] = await sift(
    embedder,
    ask,
    [{ items: [{ text: 'Otto likes figs', pinned: true }], total: 1 }],
    'usual',
  )
  expect(pinned).toMatchObject({ passes: true, because: 'You pinned it.' })
  const [off] = await sift(embedder, ask, [{ items: [{ text: 'Otto likes figs' }], total: 1 }], 'off')
  expect(off?.passes).toBe(true)
})

test('says truly why', async () => {
  const items = [{ text: 'Invoices of the choir go to Marta' }, { text: 'The automobile is in the garage' }]
  const [shares, means] = await sift(
    embedder,
    'Who gets the invoices of the choir?',
    [{ items, total: 2 }],
    'usual',
  )
  expect(shares?.because).toBe('It shares "invoices", "choir", rare elsewhere.')
  expect(means?.passes).toBe(false)
})

test.each([
  ['Où est notre routeur ?', 'Notre tente est pour quatre personnes', []],
  ['Wie alt ist unsere Heizung?', 'Unsere Heizung wurde über Nacht eingebaut', ['heizung']],
  ['¿Dónde está mi llave?', 'Mi hermana tiene la llave', ['llave']],
])('small words of a language are no evidence: %s', async (ask, text, words) => {
  const [evidence] = (await gatherEvidence(embedder, ask, [text])) ?? []
  expect(evidence?.shared.map(({ word }) => word)).toEqual(words)
})

test('what states the same of another thing does not pass, and an attempt at another thing does', async () => {
  const items = [{ text: 'The blue and yellow key opens the boat house' }]
  const passes = async (ask: string, isStated: boolean) =>
    (await sift(embedder, ask, [{ items, total: 1, isStated }], 'usual'))[0]?.passes
  expect(await passes('What does the blue and yellow key open?', true)).toBe(true)
  expect(await passes('What does the red and yellow key open?', true)).toBe(false)
  expect(await passes('What does the red and yellow key open?', false)).toBe(true)
})

test('what a task names is enough for the fact about it, and for few others', async () => {
  const lines = linesOf('agent-tasks.txt').map((line) => line.split(' | '))
  const facts = [...new Set(lines.map(([, , , fact = '']) => fact))].map((text) => ({ text }))
  const missed: string[] = []
  const more: string[] = []
  for (const [, isWanted, task = '', fact = ''] of lines) {
    const kind = { items: facts, total: facts.length, isStated: true, isForTask: true }
    const passing = (await sift(embedder, task, [kind], 'usual')).filter(({ passes }) => passes)
    if (isWanted === 'no' && passing.length > 0) more.push(task)
    if (isWanted === 'yes' && !passing.some(({ item }) => item.text === fact)) missed.push(task)
  }
  expect(missed).toEqual(['Verschieb den Termin mit Julia'])
  // Another Marek and another Peter, and things of a kind whose only words are these.
  expect(more).toEqual([
    'Write a letter to Marek Dvorak about the lease',
    'Tell me about Peter the Great',
    'Verbinde meinen Laptop mit einem Beamer',
    'Schreib ein Gedicht über Drucker',
    'Explain what a tax adviser does',
    'Write SQL that creates a user table',
  ])
})

test('a task is shown all that says more of what it names', async () => {
  const facts = [
    'The staging host of Vela is vela-7.example.org',
    'Vela is deployed with ./deploy.sh after the tests have passed',
    'The database port of Vela is 5433',
    'The staging host of Orion is orion-2.example.org',
  ]
  const shown = async (isForTask: boolean) =>
    (
      await sift(
        embedder,
        'Deploy Vela to staging',
        [{ items: facts.map((text) => ({ text })), total: facts.length, isStated: true, isForTask }],
        'usual',
      )
    ).flatMap(({ item, passes }) => (passes ? [item.text] : []))
  expect(await shown(true)).toEqual(facts.slice(0, 2))
  expect(await shown(false)).toEqual(facts.slice(1, 2))
})

test.each([
  ['Deploy the new build to staging', true],
  ['Roll back the release on staging', true],
  ['Deploy the new build to production', false],
  ['Restart the worker on staging-2', false],
  ['Write the release notes', false],
])('a task is told which thing it has to do with: %s', async (task, isTold) => {
  const facts = [
    'Our staging server is called Brackwater.',
    'My dog is called Tom.',
    'The wifi password is Gull.',
  ]
  const items = facts.map((text) => ({ text }))
  const kind = { items, total: facts.length, isStated: true, isForTask: true }
  const shown = (await sift(embedder, task, [kind], 'usual')).filter(({ passes }) => passes)
  expect(shown.map(({ item }) => item.text)).toEqual(isTold ? facts.slice(0, 1) : [])
  const ask = await sift(embedder, task, [{ ...kind, isForTask: false }], 'usual')
  expect(ask.some(({ passes }) => passes)).toBe(false)
})

describe('an encoder that no constant was fitted for', () => {
  /** English texts by the topic they name, all German ones near each other, as by an encoder that has learned English alone. */
  const english: Embedder = {
    ...embedder,
    id: 'english-alone',
    dimension: 64,
    embed: (texts) =>
      Promise.resolve(
        texts.map((text) => {
          const rng = createRng(/river|canal|stream/i.test(text) ? 'water' : text)
          const vector = Float32Array.from({ length: 64 }, () => rng.next() - 0.5)
          if (languageOf(text) === 'de') vector[0] = 6
          return vector
        }),
      ),
  }
  const passes = async (ask: string, text: string): Promise<boolean> => {
    const verdicts = await sift(english, ask, [{ items: [{ text }], total: 1 }], 'usual')
    return verdicts.some((one) => one.passes)
  }

  test('recalls in other words what it understands', async () => {
    expect(await passes('How deep is the canal over there?', 'The river behind us has fifteen feet')).toBe(
      true,
    )
    expect(await passes('How deep is the canal over there?', 'The cousin of mine collects old stamps')).toBe(
      false,
    )
  })

  test('recalls by words alone in a language in which all texts are near each other', async () => {
    const note = 'Der Ersatzschlüssel für die Hütte liegt unter der Regentonne'
    expect(await passes('Wo liegt der Ersatzschlüssel für die Hütte?', note)).toBe(true)
    expect(await passes('Was kann ich mit einem alten Fahrrad machen?', note)).toBe(false)
  })
})
