import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { FORMATS } from '../src/core/formats'
import { otherSettings } from '../src/core/lab/setting-groups'
import { METHODS } from '../src/core/methods'
import { contract } from '../src/shared/contract'
import { authorityDocument } from './docs/authority-page'
import { formatsDocument } from './docs/format-page'
import { methodDocuments } from './docs/method-pages'
import { servedTools } from './docs/served-tools'

// Writes docs/methods.md, docs/methods/*.md, docs/formats.md and docs/authority.md from the modules themselves; they are built, not kept.
const docs = join(import.meta.dirname, '../docs')
rmSync(join(docs, 'methods'), { recursive: true, force: true })
mkdirSync(join(docs, 'methods'), { recursive: true })
for (const [path, text] of methodDocuments(METHODS, otherSettings())) writeFileSync(join(docs, path), text)
writeFileSync(join(docs, 'formats.md'), formatsDocument(FORMATS))
writeFileSync(join(docs, 'authority.md'), authorityDocument(contract, await servedTools()))
