import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { strToU8, zipSync } from 'fflate'
import { afterAll, beforeAll, describe, expect, it, test, vi } from 'vitest'
import { importedModules } from '../../../src/main/tool-servers/code/libraries'
import { startServer } from './built-server'
import { longTest } from '../../torture'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 60_000 })

test('modules are read off import lines', () => {
  const code =
    'import numpy as np, os.path\nfrom pandas.core import x\n  import re\nimportant = 1\n# import nothing\n"from here"'
  expect(importedModules(code)).toEqual(['numpy', 'os', 'pandas', 're'])
})

/** A wheel as they are published: a package of one file. */
const wheel = (name: string, source: string): Uint8Array =>
  zipSync({
    [`${name}/__init__.py`]: strToU8(source),
    [`${name}-1.0.dist-info/METADATA`]: strToU8(`Metadata-Version: 2.1\nName: ${name}\nVersion: 1.0\n`),
    [`${name}-1.0.dist-info/WHEEL`]: strToU8(
      'Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n',
    ),
    [`${name}-1.0.dist-info/RECORD`]: strToU8(''),
  })

describe.skipIf(!existsSync(resolve('out/main/mcp/index.js')))('libraries for Python (needs a build)', () => {
  const files = new Map([
    ['tinybase-1.0-py3-none-any.whl', wheel('tinybase', 'ONE = 1\n')],
    [
      'tinynum-1.0-py3-none-any.whl',
      wheel('tinynum', 'from tinybase import ONE\ndef add(a, b):\n    return a + b + ONE - 1\n'),
    ],
    ['broken-1.0-py3-none-any.whl', wheel('broken', '')],
  ])
  let base: string
  let mirror: Server
  let fetched: string[] = []
  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'loam-libraries-'))
    mirror = createServer((request, response) => {
      const name = (request.url ?? '').slice(1)
      fetched.push(name)
      response.end(
        Buffer.from(name.startsWith('broken') ? strToU8('something else') : (files.get(name) ?? [])),
      )
    })
    await new Promise<void>((done) => mirror.listen(0, '127.0.0.1', done))
  })
  afterAll(async () => {
    mirror.close()
    await rm(base, { recursive: true, force: true, maxRetries: 5 })
  })

  /** A folder with a list of its own, as the person who keeps a mirror has it. */
  async function folderWithList(): Promise<string> {
    const folder = await mkdtemp(join(base, 'lib-'))
    const { info } = JSON.parse(
      await readFile(resolve('node_modules/pyodide/pyodide-lock.json'), 'utf8'),
    ) as { info: object }
    const entry = ([file, bytes]: [string, Uint8Array]) => {
      const name = file.split('-')[0] ?? ''
      const sha256 = createHash('sha256').update(bytes).digest('hex')
      return [
        name,
        {
          name,
          version: '1.0',
          file_name: file,
          install_dir: 'site',
          sha256,
          package_type: 'package',
          imports: [name],
          depends: name === 'tinynum' ? ['tinybase'] : [],
          unvendored_tests: false,
        },
      ] as const
    }
    await writeFile(
      join(folder, 'pyodide-lock.json'),
      JSON.stringify({ info, packages: Object.fromEntries([...files].map(entry)) }),
    )
    return folder
  }

  async function python(folder: string, network: boolean, ...codes: string[]) {
    const from = `http://127.0.0.1:${(mirror.address() as AddressInfo).port}/`
    const server = await startServer(
      'code',
      '--libraries',
      folder,
      '--libraries-from',
      from,
      ...(network ? ['--network'] : []),
    )
    try {
      const answers = []
      for (const code of codes) answers.push(await server.call('run_python', { code }))
      return answers
    } finally {
      await server.close()
    }
  }

  it('are fetched once with what they need, checked, and there without the network from then on', async () => {
    const folder = await folderWithList()
    fetched = []
    const off = await python(folder, false, 'import tinynum')
    expect(off).toMatchObject([
      {
        failed: true,
        text: expect.stringContaining('is not on this machine, and the network is off') as string,
      },
    ])
    expect(fetched).toEqual([])
    expect(await python(folder, true, 'import tinynum\ntinynum.add(2, 3)', 'tinynum.add(1, 1)')).toEqual([
      { text: '5', failed: false },
      { text: '2', failed: false },
    ])
    expect(fetched.sort()).toEqual(['tinybase-1.0-py3-none-any.whl', 'tinynum-1.0-py3-none-any.whl'])
    fetched = []
    expect(await python(folder, false, 'from tinynum import add\nadd(4, 4)')).toEqual([
      { text: '8', failed: false },
    ])
    expect(fetched).toEqual([])
  })

  it('that are not what they should be are not kept, and damaged ones are removed', async () => {
    const folder = await folderWithList()
    const [wrong] = await python(folder, true, 'import broken')
    expect(wrong).toMatchObject({ failed: true, text: expect.stringContaining('SHA-256') as string })
    expect(await readdir(folder)).toEqual(['pyodide-lock.json'])
    await writeFile(join(folder, 'tinybase-1.0-py3-none-any.whl'), 'damaged')
    const [damaged] = await python(folder, false, 'import tinybase')
    expect(damaged).toMatchObject({ failed: true, text: expect.stringContaining('was damaged') as string })
    expect(await readdir(folder)).toEqual(['pyodide-lock.json'])
  })

  longTest(
    'numpy and what needs it are in the list that comes with Pyodide; the standard library needs no list',
    async () => {
      const folder = await mkdtemp(join(base, 'own-'))
      const [pandas, standard] = await python(
        folder,
        false,
        'import pandas as pd',
        'import math, json\nmath.floor(2.5)',
      )
      expect(pandas).toMatchObject({
        failed: true,
        text: expect.stringMatching(/^The library (pandas|numpy) is not on this machine/) as string,
      })
      expect(standard).toEqual({ text: '2', failed: false })
    },
  )
})
