import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { readableFormats, recogniseFormat } from '../../../src/core/formats'
import type { Format } from '../../../src/core/formats/format'
import { bySigns, sign } from '../../../src/core/ground/recognition'
import { createRng } from '../../../src/shared/random'

const SAMPLES = resolve('test/fixtures/kb/logs')
const REAL = resolve('../shared/data/real')

const filesBelow = (folder: string): string[] =>
  readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    return statSync(path).isDirectory() ? filesBelow(path) : [path]
  })

/** The answer in words, so that errors compare as well. */
function answerFor(path: string, formats: readonly Format[]): string {
  const head = readFileSync(path).subarray(0, 65_536).toString('utf8')
  try {
    const { format, seen } = recogniseFormat(head, basename(path), formats)
    return `${format.id} by ${seen}`
  } catch (error) {
    // The suggestion lists the formats in the order of the list; the rest does not depend on it.
    return (error as { why: string }).why
  }
}

const shuffled = (seed: number): Format[] => {
  const random = createRng(`order ${seed}`)
  return readableFormats()
    .map((format) => ({ format, key: random.int(1_000_000) }))
    .sort((a, b) => a.key - b.key)
    .map(({ format }) => format)
}

function sameInAnyOrder(folder: string): void {
  const files = filesBelow(folder)
  expect(files.length).toBeGreaterThan(5)
  const answers = files.map((path) => answerFor(path, readableFormats()))
  for (let seed = 1; seed <= 20; seed++) {
    const order = shuffled(seed)
    expect(order.map(({ id }) => id)).not.toEqual(readableFormats().map(({ id }) => id))
    expect(files.map((path) => answerFor(path, order))).toEqual(answers)
  }
}

describe('recogniseFormat', () => {
  it('decides the same in 20 orders of the list, for every sample', () => {
    sameInAnyOrder(SAMPLES)
  })

  it.each([
    ['loam', 'memory.jsonl', '{"format": "loam-space", "version": 1}\n'],
    ['loam', 'memory.jsonl', '{ "format" : "loam-space" }\n'],
    ['jsonl', 'items.jsonl', '{"id": "a", "kind": "fact", "text": "b", "loam": { "kind": "fact" }}\n'],
  ])('knows its own lines however they are spaced: %s', (id, name, head) => {
    expect(recogniseFormat(head, name, readableFormats()).format.id).toBe(id)
  })

  it.skipIf(!existsSync(REAL))('and for every real file (skipped when ../shared/data is absent)', () => {
    sameInAnyOrder(REAL)
    const logs = filesBelow(join(REAL, 'logs'))
    const folders = logs.map((path) => path.slice(join(REAL, 'logs').length + 1).split(/[\\/]/)[0])
    expect(logs.map((path) => answerFor(path, readableFormats()).split(' ')[0])).toEqual(folders)
  })

  it.each([
    ['a program that writes a dialog', 'const probe = { "messages": [{ "role": "user", "content": "Hi" }] }'],
    [
      'a prompt that shows a form',
      'Answer so: {"agent_plan": "1. Look", "agent_experience": "Do not guess"}',
    ],
    ['a page of a site', '---\ntitle: Changes\nlayout: default\n---\n# Changes\n'],
    ['settings in TOML', '[[plans]]\nid = "P1"\n# {"case_label": 1}\n'],
  ])('takes %s for no log and no memory', (_what, head) => {
    expect(() => recogniseFormat(head, 'file', readableFormats())).toThrow(
      expect.objectContaining({ why: expect.stringContaining('it is text that begins') as string }),
    )
  })

  it.each([
    [
      'a list of what was typed',
      [{ sessionId: '8a', messageId: 0, type: 'user', message: 'List the files.', timestamp: '2026-11-01' }],
    ],
    [
      'a data set of messages',
      [{ inputs: { messages: [{ role: 'user', content: 'Hi?' }] }, outputs: { answer: 'Hello.' } }],
    ],
  ])('takes %s for no log', (_what, value) => {
    expect(() => recogniseFormat(JSON.stringify(value), 'file', readableFormats())).toThrow(
      /JSON with the names/,
    )
  })

  it('names both formats where a file looks alike like two', () => {
    const one = (id: string): Format => ({
      ...{ id, title: `Format ${id}`, writtenFor: 'a test', keeps: 'all', loses: 'nothing' },
      recognise: bySigns([sign(0.7, /"x"\s*:/)]),
    })
    for (const formats of [
      [one('a'), one('b')],
      [one('b'), one('a')],
    ])
      expect(() => recogniseFormat('{"x": 1}', 'f.json', formats)).toThrow(
        expect.objectContaining({
          code: 'BAD_INPUT',
          why: 'The file may be Format a (it has "x":) or Format b (it has "x":).',
          suggestion: 'Choose: name the format a or b.',
        }),
      )
  })

  it.each(['', ' \n\t', '\uFEFF'])('says of a file without a word that it is empty: %j', (head) => {
    expect(() => recogniseFormat(head, '', readableFormats())).toThrow('There is nothing in the file.')
  })

  it.each([
    ['{"x": 1, "y": {"z": 2}}', 'JSON with the names x, y, z'],
    ['PK\u0003\u0004[Content_Types].xml\u0000', 'bytes that are no text'],
    ['Dear diary,\ntoday', 'text that begins "Dear diary, today"'],
  ])('says of %j what was seen, and where it may belong', (head, seen) => {
    expect(() => recogniseFormat(head, '', readableFormats())).toThrow(
      expect.objectContaining({
        why: expect.stringContaining(seen) as string,
        suggestion: expect.stringContaining(head.startsWith('PK') ? 'as CSV' : 'loam kb formats') as string,
      }),
    )
  })
})
