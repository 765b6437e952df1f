import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FORMATS } from '../src/core/formats'
import { otherSettings } from '../src/core/lab/setting-groups'
import { METHODS } from '../src/core/methods'
import { formatsDocument } from './docs/format-page'
import { methodDocuments } from './docs/method-pages'

// Writes docs/methods.md, docs/methods/*.md and docs/formats.md from the modules themselves; they are built, not kept.
const docs = join(import.meta.dirname, '../docs')
rmSync(join(docs, 'methods'), { recursive: true, force: true })
mkdirSync(join(docs, 'methods'), { recursive: true })
for (const [path, text] of methodDocuments(METHODS, otherSettings())) writeFileSync(join(docs, path), text)
writeFileSync(join(docs, 'formats.md'), formatsDocument(FORMATS))
