import { expect, test } from 'vitest'
import { methodDocuments } from '../../../scripts/docs/method-pages'
import { otherSettings, runSettings } from '../../../src/core/lab/setting-groups'
import { defaultsOf } from '../../../src/core/ground/settings'
import { METHODS } from '../../../src/core/methods'

const pages = methodDocuments(METHODS, otherSettings())
test('every setting of a run stands in one of the pages, and every method has its own', () => {
  const all = [...pages.values()].join('\n')
  for (const group of runSettings())
    for (const key of Object.keys(defaultsOf(group))) expect(all).toContain(`\`${group.id}.${key}\``)
  for (const { info } of METHODS) expect(pages.get(`methods/${info.id}.md`)).toContain(info.title)
})
