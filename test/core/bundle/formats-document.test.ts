import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { BUNDLE_FORMATS } from '../../../src/core/bundle'
import { formatsDocument } from '../../../src/core/bundle/formats-document'

test('docs/formats.md says what the formats say (else: npm run docs:formats)', () => {
  expect(readFileSync(resolve('docs/formats.md'), 'utf8')).toBe(formatsDocument(BUNDLE_FORMATS))
})
