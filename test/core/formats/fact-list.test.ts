import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, it } from 'vitest'
import { readableFormats, recogniseFormat } from '../../../src/core/formats'
import { factList } from '../../../src/core/formats/fact-list'
import type { Fact } from '../../../src/core/memory/facts/fact'

const context = {
  memoryId: 'm',
  now: '2026-03-01T00:00:00.000Z',
  hash: (text: string) => createHash('sha256').update(text).digest('hex'),
}
const fixture = (name: string): string => readFileSync(resolve('test/fixtures/kb/logs', name), 'utf8')

async function read(text: string): Promise<unknown[]> {
  async function* pieces() {
    yield await Promise.resolve(text)
  }
  const all: unknown[] = []
  for await (const one of factList.read?.(pieces(), context) ?? []) {
    if (one.kind === 'left') all.push(one.why)
    for (const event of one.kind === 'events' ? one.events : [])
      if (event.kind === 'memory-added') all.push(event.memory as Fact)
  }
  return all
}

it('takes each point and each line for a fact, with its day, and headings for none', async () => {
  expect(await read(fixture('fact-list.md'))).toMatchObject([
    { statement: 'User is allergic to nuts.', about: 'me', createdAt: '2025-03-12T00:00:00.000Z' },
    { statement: 'The boiler valve is under the sink.', createdAt: context.now },
    { statement: 'Works as a plumber in Köln.' },
  ])
})

it('reads a JSON array of sentences, and says what is none', async () => {
  expect(await read(fixture('fact-list.json'))).toMatchObject([
    { statement: 'Our dentist is Dr. Weber.' },
    { statement: 'Berta likes "long" walks.' },
  ])
  expect(await read('["Our dentist is Dr. Weber.", {"a": 1}, "Ok"]')).toMatchObject([
    ...[{}, 'it is no sentence', 'it is too short for a sentence'],
  ])
  expect(await read(`- Where is the key kept?\n- ${'a '.repeat(1500)}`)).toEqual([
    'it asks and tells nothing',
    'it is too long for a fact',
  ])
})

it.each([
  ['a chat', '[12.03.24, 18:22:10] Anna: Are you coming?\n[12.03.24, 18:23:45] Ben: Yes, at nine.\n'],
  ['a page', '# Working on it\n\nYou need a compiler, which\nis fetched by the script.\n'],
  ['code', "import { a } from './a'\nexport const b = a + 1 // twice.\n"],
  ['a table', 'name,day\nAnna,12 March\n'],
  ['names', '["a.ts", "b.ts"]'],
  ['questions', '- Where is the key kept?\n- Who has the key now?\n'],
  ['an index', '- [[facts/a|The valve is under the sink.]]\n- [[facts/b|Our dentist is Dr. Weber.]]\n'],
  ['a log', '# Where?\n\nThe valve is here.\n\nAgent: I found it under the sink.\n'],
  ['one sentence', 'Our dentist is Dr. Weber.\n'],
  ['a policy', '# Policy\n\n1. Each task has a title\n2. You are not allowed to delete tasks.\n'],
])('is not recognised in %s', (_, head) => {
  expect(() => recogniseFormat(head, 'a.txt', readableFormats())).toThrow(/does not look like any format/)
})

it('is recognised where all of a file is such', () => {
  const idOf = (head: string) => recogniseFormat(head, 'a.txt', readableFormats()).format.id
  expect(idOf(fixture('fact-list.md'))).toBe('fact-list')
  expect(idOf('The valve is under the sink.\nOur dentist is Dr. Weber.\n')).toBe('fact-list')
  expect(idOf('["The valve is under the sink.", "Our dentist is Dr. Weber."]')).toBe('fact-list')
})
