import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { cosine } from '../../../src/core/retrieval/cosine'
import { encoderWords, tongueOf } from '../../../src/core/retrieval/encoder-words'
import { StaticEncoder } from '../../../src/core/retrieval/static-encoder'
import { builtInEncoder } from '../../../src/main/embedders/built-in-encoder'
import { encoderPath } from '../../../src/main/ground/model-file'
import { findResources } from '../../../src/main/ground/resources'

interface Gold {
  readonly text: string
  readonly vector: readonly number[]
}

const file = encoderPath(findResources().models)
const read = (name: string): unknown =>
  JSON.parse(readFileSync(resolve(import.meta.dirname, '../../fixtures/recall', name), 'utf8'))
// Written by `table.py golds`, which reads the same file by itself.
const golds = read('encoder-golds.json') as readonly Gold[]

describe('the built-in encoder', () => {
  let encoder: StaticEncoder
  let loadMs = 0
  beforeAll(() => {
    const bytes = readFileSync(file)
    const begun = process.cpuUsage()
    encoder = new StaticEncoder(bytes)
    loadMs = process.cpuUsage(begun).user / 1000
  })
  const near = (a: string, b: string): number => cosine(encoder.embed(a), encoder.embed(b)) ?? 0

  test('makes the vectors that the recipe makes', () => {
    for (const { text, vector } of golds) {
      const own = encoder.embed(text)
      vector.forEach((value, i) => expect(own[i], `${text.slice(0, 30)} at ${i}`).toBeCloseTo(value, 3))
    }
  })

  test('vectors have unit length; a text without words has no direction', () => {
    const length = (text: string): number => Math.hypot(...encoder.embed(text))
    expect(length('How many orders?')).toBeCloseTo(1)
    expect(length('Сколько заказов в мае?')).toBeCloseTo(1)
    expect(length('数据库')).toBeCloseTo(1)
    expect(length('!?')).toBe(0)
  })

  test('texts that mean the same in other words are nearer than others', () => {
    expect(near('My car broke down.', 'The automobile needs repair')).toBeGreaterThan(
      near('My car broke down.', 'The soup needs salt') + 0.2,
    )
    expect(near('Wo ist der Schlüssel?', 'Where is the key?')).toBeGreaterThan(
      near('Wo ist der Schlüssel?', 'When does the train leave?') + 0.2,
    )
    expect(near('Заказы за май', 'Заказы за июнь')).toBeGreaterThan(near('Заказы за май', 'Погода в Москве'))
  })

  test('the last numbers tell the language, and its translation stays the nearest of another one', () => {
    const told = (text: string): boolean[] => [...encoder.embed(text).slice(-4)].map((value) => value > 0.19)
    expect(told('Where is the key of the garage?')).toEqual([true, false, false, false])
    expect(told('Wo ist der Schlüssel der Garage?')).toEqual([false, true, false, false])
    expect(told('Où est la clé du garage ?')).toEqual([false, false, true, false])
    expect(told('¿Dónde está la llave del garaje?')).toEqual([false, false, false, true])
    expect(told('数据库')).toEqual([false, false, false, false])
    const ask = '¿Qué come el gato?'
    expect(near(ask, 'Le chat ne mange que du poisson')).toBeGreaterThan(
      near(ask, 'El tren sale a las ocho') + 0.1,
    )
  })

  test('is read in time for every start, and embeds in under a millisecond', () => {
    const text =
      'The printer on the second floor needs paper of eighty grams, ask Miriam for the key of the store room.'
    for (let i = 0; i < 50; i++) encoder.embed(text)
    const begun = process.cpuUsage()
    for (let i = 0; i < 100; i++) encoder.embed(text)
    const { user } = process.cpuUsage(begun)
    // Of the processor's time, since other work runs beside the tests; twice what it is to be.
    expect(user / 1000 / 100).toBeLessThan(2)
    expect(loadMs).toBeLessThan(300)
  })

  test('says what is wrong with its file', () => {
    const bytes = readFileSync(file)
    expect(() => new StaticEncoder(bytes.subarray(0, 5000))).toThrow(/cut/)
    expect(() => new StaticEncoder(Buffer.from('no encoder at all'))).toThrow(/does not begin/)
    expect(() => builtInEncoder('/nowhere/loam-encoder.bin')).toThrow(/not at/)
  })
})

test('cuts texts into plain words', () => {
  expect(encoderWords("Don't touch Ines’s Straße, é 12b")).toEqual(
    'do not touch ines strasse e 12 b'.split(' '),
  )
  expect(encoderWords('Ma sœur a un œuf')).toEqual('ma soeur a un oeuf'.split(' '))
  expect(encoderWords('a '.repeat(600))).toHaveLength(512)
})

test('tells languages by their function words', () => {
  const of = (text: string): string => tongueOf(encoderWords(text))
  expect([
    of('Where is it?'),
    of('Wo ist der Hund?'),
    of('Où est le chat ?'),
    of('¿Dónde está el gato?'),
  ]).toEqual(['', 'de:', 'fr:', 'es:'])
  expect([of(''), of('Otto'), of('die war Gift')]).toEqual(['', '', ''])
})
