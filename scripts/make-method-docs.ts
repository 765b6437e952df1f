import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { methodDocuments } from '../src/core/lab/method-tables'
import { otherSettings } from '../src/core/lab/setting-groups'
import { METHODS } from '../src/core/methods'

// Writes docs/methods.md and docs/methods/*.md from the methods themselves.
const docs = join(import.meta.dirname, '../docs')
mkdirSync(join(docs, 'methods'), { recursive: true })
for (const name of readdirSync(join(docs, 'methods'))) rmSync(join(docs, 'methods', name))
for (const [path, text] of methodDocuments(METHODS, otherSettings())) writeFileSync(join(docs, path), text)
