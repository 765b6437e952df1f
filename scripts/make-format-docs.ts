import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FORMATS } from '../src/core/formats'
import { formatsDocument } from '../src/core/formats/formats-document'

// Writes docs/formats.md from the formats themselves.
writeFileSync(join(import.meta.dirname, '../docs/formats.md'), formatsDocument(FORMATS))
