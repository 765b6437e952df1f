import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { MEMORY_KINDS } from '../../src/core/memory'
import { METHODS } from '../../src/core/methods'
import { ENVIRONMENTS } from '../../src/core/tasks'
import { GENERATORS } from '../../src/core/tasks/generators'
import { FORMATS } from '../../src/core/formats'
import { TOOL_SERVERS } from '../../src/main/tool-servers'
import { PROVIDERS } from '../../src/main/providers'

const sources = resolve(import.meta.dirname, '../../src')

/** Places where the same word means something else. */
const OTHER_MEANINGS: Readonly<Record<string, readonly string[]>> = {
  // A domain of Agent KB's experiences.
  qa: ['core/memory/experiences/import/memento.ts'],
  // Where the actions come from that a soft prompt is trained on.
  recorded: [
    'shared/domain/soft-prompt-training.ts',
    'main/cli/commands/soft-prompts.ts',
    'main/soft-prompts/plan-training.ts',
    'core/soft-prompts/distil.ts',
  ],
  // Agent KB's own files, read and written.
  'agent-kb': ['core/formats/agent-kb/index.ts'],
  // ACE's own playbooks as text, read and written.
  ace: ['core/formats/ace/index.ts'],
}

/** What serves one method alone: Agent KB's service and protocol, BREW's builds, Memento's files. An entry that is not needed any more goes. */
const METHODS_OWN: readonly string[] = [
  'core/formats/memento-rows.ts',
  'main/cli/commands/guides.ts',
  'main/guides/',
  'main/kb/',
  'main/memories/intake.ts',
  'main/share/agent-memory.ts',
  'main/share/bundle/import-bundle.ts',
]

const files = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((path) => /\.(ts|tsx)$/.test(path))
  .map((path) => path.split(sep).join('/'))

/** Files outside a seam's folder that have one of its modules' ids as a text of its own. */
const naming = (id: string, folder: string): string[] =>
  files.filter(
    (file) =>
      !file.startsWith(folder) &&
      !OTHER_MEANINGS[id]?.includes(file) &&
      new RegExp(`['"\`]${id}['"\`]`).test(readFileSync(join(sources, file), 'utf8')),
  )

describe('an id is written in its own module only', () => {
  // `code` is a word of much else.
  it.each(ENVIRONMENTS.map(({ id }) => id).filter((id) => id !== 'code'))('environment %s', (id) => {
    expect(naming(id, 'core/tasks/')).toEqual([])
  })

  // `none` is what single runs are compared with (BASELINE); it, `replay` and `loam` are words of the code as well.
  const words = ['none', 'replay', 'loam']
  it.each(METHODS.map(({ info }) => info.id).filter((id) => !words.includes(id)))('method %s', (id) => {
    expect(naming(id, 'core/methods/')).toEqual([])
  })

  it('method: the window compares with none of them', () => {
    const ids = METHODS.map(({ info }) => info.id).join('|')
    const compares = new RegExp(
      `\\bmethod\\s*[!=]==\\s*(BASELINE|['"\`](${ids})['"\`])|(BASELINE|['"\`](${ids})['"\`])\\s*[!=]==`,
    )
    const wrong = files.filter(
      (file) => file.startsWith('renderer/') && compares.test(readFileSync(join(sources, file), 'utf8')),
    )
    expect(wrong).toEqual([])
  })

  it('method: only rooms that are one method’s own import a part of one', () => {
    const inside = /from '[^']*\/methods\/[a-z-]+\//
    const rooms = new Set(
      files
        .filter((file) => !file.startsWith('core/methods/'))
        .filter((file) => inside.test(readFileSync(join(sources, file), 'utf8')))
        .map((file) => METHODS_OWN.find((own) => file.startsWith(own)) ?? file),
    )
    expect([...rooms].sort()).toEqual(METHODS_OWN)
  })

  it('tool server: no file outside has a list of them', () => {
    // One alone may be a word for something else: code, math, search.
    const ids = TOOL_SERVERS.map(({ id }) => id)
    const named = ids.flatMap((id) => naming(id, 'main/tool-servers/').map((file) => `${file} ${id}`))
    const countOf = (file: string): number => named.filter((one) => one.startsWith(`${file} `)).length
    expect(
      [...new Set(named.map((one) => one.split(' ')[0] ?? ''))].filter((file) => countOf(file) > 2),
    ).toEqual([])
    for (const id of ['crawl', 'captions']) expect(naming(id, 'main/tool-servers/')).toEqual([])
  })

  it('format: no file outside chooses one by its name', () => {
    const chosen = FORMATS.flatMap(({ id }) =>
      files.filter(
        (file) =>
          !file.startsWith('core/formats/') &&
          new RegExp(`format\\b[^\\n]{0,20}['"\`]${id}['"\`]`).test(
            readFileSync(join(sources, file), 'utf8'),
          ),
      ),
    )
    expect(chosen).toEqual([])
  })

  it.each(PROVIDERS.map(({ id }) => id))('model provider %s', (id) => {
    expect(naming(id, 'main/providers/')).toEqual([])
  })

  it('memory kind: outside of what keeps and writes them nobody has a list of them', () => {
    // One alone may be a word for something else, or the kind a screen is about.
    const countOf = new Map<string, number>()
    for (const { info } of MEMORY_KINDS)
      for (const file of naming(info.id, 'core/memory/'))
        if (!file.startsWith('core/methods/')) countOf.set(file, (countOf.get(file) ?? 0) + 1)
    expect([...countOf].filter(([, count]) => count > 2).map(([file]) => file)).toEqual([])
    for (const id of ['lesson', 'workflow'])
      expect(naming(id, 'core/memory/').filter((file) => !file.startsWith('core/methods/'))).toEqual([])
  })

  it.each(GENERATORS.flatMap(({ id, demo }) => [id, demo]))('generated streams: %s', (id) => {
    expect(naming(id, 'core/tasks/')).toEqual([])
  })
})
