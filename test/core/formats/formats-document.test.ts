import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test } from 'vitest'
import { FORMATS } from '../../../src/core/formats'
import { formatsDocument } from '../../../src/core/formats/formats-document'

test('docs/formats.md says what the formats say (else: npm run docs:formats)', () => {
  expect(readFileSync(resolve('docs/formats.md'), 'utf8')).toBe(formatsDocument(FORMATS))
})
