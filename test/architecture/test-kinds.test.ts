import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { sortTests } from '../../scripts/test-kinds'
import { filesOf } from './read-imports'

const folder = mkdtempSync(join(tmpdir(), 'loam-kinds-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Sorts `test/it.test.ts`, whose text is given, in a folder with files of each way to a native library. */
function kindOf(text: string, name = 'it.test.ts'): string | undefined {
  const files = {
    [`test/${name}`]: text,
    'src/native.ts': "import { connect } from '@lancedb/lancedb'\nexport const open = connect\n",
    'src/again/index.ts': "export {\n  open,\n} from '../native'\n",
    'src/later.ts': "export const later = () => import('./again')\n",
    'src/types.ts': "import type { Connection } from '@lancedb/lancedb'\nexport type Held = Connection\n",
  }
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  const kinds = sortTests(folder)
  rmSync(join(folder, 'test', name))
  return Object.entries(kinds).find(([, tests]) => tests.includes(`test/${name}`))?.[0]
}

describe('a test file', () => {
  it.each([
    ["import { open } from '../src/native'\n"],
    ["import { open } from '../src/again'\n"],
    ["import {\n  later,\n} from '../src/later'\n"],
    ["const { open } = await vi.importActual<object>('../src/native')\n"],
    ["const koffi = createRequire(import.meta.url)\nconst native = require('koffi')\n"],
    ["import '../src/native'\n"],
    ["import { spawn } from 'node:child_process'\n"],
  ])('shares a process with others of its kind where its imports lead to a native library: %j', (text) => {
    expect(kindOf(text)).toBe('real')
  })

  it.each([
    ["// @vitest-environment happy-dom\nimport { open } from '../src/native'\n"],
    ["import { open } from '../src/native'\nvi.mock('../src/types', () => ({}))\n"],
    ["import { open } from '../src/native'\nvi.resetModules()\n"],
    ["// @own-process\nimport { open } from '../src/native'\n"],
  ])('has one of its own where it needs modules anew or a document, or asks for it, as well: %j', (text) => {
    expect(kindOf(text)).toBe('alone')
  })

  it('shares one with all others where they do not; types load nothing', () => {
    expect(kindOf("import type { Held } from '../src/types'\nimport { join } from 'node:path'\n")).toBe(
      'pure',
    )
    expect(kindOf("import { held } from '../src/types'\n")).toBe('pure')
    expect(kindOf('// @vitest-environment happy-dom\n', 'it.test.tsx')).toBe('window')
  })

  it('is real where its name says so', () => {
    expect(kindOf('', 'it.integration.test.ts')).toBe('real')
    expect(kindOf('', 'it.model.test.ts')).toBe('real')
    expect(kindOf('', 'main/cli/it.model.test.ts')).toBe('late')
  })

  it('runs once', () => {
    const root = resolve(import.meta.dirname, '../..')
    const all = filesOf(join(root, 'test')).filter((path) => /\.test\.tsx?$/.test(path))
    expect(Object.values(sortTests(root)).flat().sort()).toEqual(all.map((path) => `test/${path}`).sort())
  })
})
