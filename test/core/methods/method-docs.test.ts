import { readdirSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { methodDocuments } from '../../../src/core/lab/method-tables'
import { otherSettings, runSettings } from '../../../src/core/lab/setting-groups'
import { defaultsOf } from '../../../src/core/ground/settings'
import { METHODS } from '../../../src/core/methods'

const pages = methodDocuments(METHODS, otherSettings())
const written = (path: string): string => readFileSync(`docs/${path}`, 'utf8').replaceAll('\r\n', '\n')

test.each([...pages])('docs/%s says what the methods say (else: npm run docs:methods)', (path, text) => {
  expect(written(path)).toBe(text)
})

test('every setting of a run stands in one of the pages, and no page is left over', () => {
  const all = [...pages.keys()].map(written).join('\n')
  for (const group of runSettings())
    for (const key of Object.keys(defaultsOf(group))) expect(all).toContain(`\`${group.id}.${key}\``)
  expect(readdirSync('docs/methods').map((name) => `methods/${name}`)).toEqual(
    [...pages.keys()].filter((path) => path !== 'methods.md').sort(),
  )
})
