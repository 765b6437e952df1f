import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { BUNDLE_FORMATS } from '../src/core/bundle'
import { formatsDocument } from '../src/core/bundle/formats-document'

// Writes docs/formats.md from the formats themselves.
writeFileSync(join(import.meta.dirname, '../docs/formats.md'), formatsDocument(BUNDLE_FORMATS))
