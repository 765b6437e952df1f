import { expect, test } from 'vitest'
import { formatsDocument } from '../../../scripts/docs/format-page'
import { FORMATS } from '../../../src/core/formats'

test('the page of formats names every one', () => {
  const page = formatsDocument(FORMATS)
  expect(FORMATS.length).toBeGreaterThan(10)
  for (const { id } of FORMATS) expect(page).toContain(`\`${id}\``)
})
