import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startServer, type BuiltServer } from './built-server'

const ESCAPED = join(tmpdir(), `loam-escaped-${process.pid}`)

let folder: string
let server: BuiltServer

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-code-'))
  await writeFile(join(folder, 'given.csv'), 'a,b\n1,2\n')
  await symlink(tmpdir(), join(folder, 'link'))
  server = await startServer('code', '--root', folder, '--time-limit', '6', '--folder-limit', '1')
})
afterAll(async () => {
  await server.close()
  await rm(folder, { recursive: true, force: true })
})

const javascript = (code: string) => server.call('run_javascript', { code })
const python = (code: string) => server.call('run_python', { code })

describe('JavaScript', () => {
  it('keeps names and files from call to call', async () => {
    expect(await javascript("const rows = files.read('given.csv').trim().split('\\n'); rows.length")).toEqual(
      {
        text: '2',
        failed: false,
      },
    )
    const { text } = await javascript("console.log(rows[0]); files.write('out/sum.txt', String(1 + 2)); rows")
    expect(text).toBe('a,b\n["a,b", "1,2"]\n[wrote out/sum.txt]')
    expect(await readFile(join(folder, 'out/sum.txt'), 'utf8')).toBe('3')
  })

  it('says what went wrong and where', async () => {
    expect(await javascript('const x = 1\nx.y.z')).toEqual({
      failed: true,
      text: expect.stringMatching(/^TypeError: .*\n.*task\.js:2/) as string,
    })
  })

  it('ends a call that wants all memory, and goes on with the next', async () => {
    const hog = await javascript("let text = 'x'; for (;;) text += text + text")
    expect(hog.failed).toBe(true)
    expect((await javascript('1 + 1')).text).toBe('2')
  })

  it('sees nothing of the host', async () => {
    expect(
      (await javascript('[typeof process, typeof require, typeof fetch, typeof Deno].join()')).text,
    ).toBe('"undefined,undefined,undefined,undefined"')
  })

  it.each(['../escaped.txt', '/etc/escaped.txt', 'link/escaped.txt'])('cannot write to %s', async (path) => {
    const { failed } = await javascript(`files.write(${JSON.stringify(path)}, 'x')`)
    expect(failed).toBe(true)
    expect(existsSync(join(tmpdir(), 'escaped.txt'))).toBe(false)
  })

  it('cannot fill the disk or the conversation', async () => {
    expect(await javascript("files.write('big', 'x'.repeat(2_000_000))")).toMatchObject({
      failed: true,
      text: expect.stringContaining('at most 1048576 are allowed') as string,
    })
    expect(existsSync(join(folder, 'big'))).toBe(false)
    const { text } = await javascript("console.log('y'.repeat(500_000))")
    expect(text.length).toBeLessThan(61_000)
    expect(text).toContain('[440001 more characters left out]')
  })
})

describe('Python', () => {
  it('keeps names and shares the folder with JavaScript', async () => {
    const { text } = await python(
      "import csv, os\nrow = list(csv.DictReader(open('given.csv')))[0]\nos.makedirs('out', exist_ok=True)\nopen('out/py.txt', 'w').write('from python')\nrow['b']",
    )
    expect(text).toBe("'2'\n[wrote out/py.txt]")
    expect((await python("print(open('out/sum.txt').read()); int(row['a']) + 41")).text).toBe('3\n42')
    expect((await javascript("files.read('out/py.txt')")).text).toBe('"from python"')
  })

  it('shows the traceback of the code itself', async () => {
    expect(await python('def f():\n  return 1 / 0\nf()')).toEqual({
      failed: true,
      text: 'Traceback (most recent call last):\n  File "<task>", line 3, in <module>\n  File "<task>", line 2, in f\nZeroDivisionError: division by zero',
    })
  })

  it.each([
    [
      'a shell',
      `import os\nos.system("touch ${ESCAPED}")\nimport subprocess\nsubprocess.run(["touch", "${ESCAPED}"])`,
    ],
    ['files of the host', 'open("/etc/hostname").read()'],
    [
      'a folder of the host',
      'import pyodide_js\npyodide_js.mountNodeFS("/x", "/etc")\nopen("/x/hostname").read()',
    ],
    ['the host’s JavaScript', 'from pyodide.code import run_js\nrun_js("process.pid")'],
    ['the host’s modules', 'import js\njs.process.getBuiltinModule("fs")'],
    ['the network', 'import urllib.request\nurllib.request.urlopen("http://127.0.0.1:9/")'],
  ])('has no way to %s', async (_what, code) => {
    expect(await python(code)).toMatchObject({ failed: true })
    expect(existsSync(ESCAPED)).toBe(false)
  })

  it('runs out of memory as Python does', async () => {
    expect((await python('held = []\nwhile True: held.append(bytearray(50_000_000))')).text).toMatch(
      /MemoryError$/,
    )
    expect((await python('held = None\nrow["a"]')).text).toBe("'1'")
  })
})

describe('an endless loop', () => {
  let hasty: BuiltServer
  beforeAll(async () => {
    hasty = await startServer('code', '--root', folder, '--time-limit', '2')
  })
  afterAll(() => hasty.close())

  it('is stopped in JavaScript, which keeps what was defined before', async () => {
    const javascript = (code: string) => hasty.call('run_javascript', { code })
    await javascript('const rows = [1, 2]')
    expect(await javascript('for (;;);')).toMatchObject({
      failed: true,
      text: expect.stringContaining('too long') as string,
    })
    expect((await javascript('rows.length')).text).toBe('2')
  })

  it('is ended in Python, which says what was lost', async () => {
    const python = (code: string) => hasty.call('run_python', { code })
    await python('row = 1')
    expect(await python('while True: pass')).toMatchObject({
      failed: true,
      text: expect.stringContaining('Names defined before are gone') as string,
    })
    expect((await python('row')).text).toContain("NameError: name 'row' is not defined")
  })
})

describe('the files of a task', () => {
  it('can be listed, read and written without code', async () => {
    await server.call('write_file', { path: 'notes.md', text: 'Moss grows north.' })
    expect((await server.call('list_files')).text).toContain('notes.md (17 bytes)')
    expect((await server.call('read_file', { path: 'notes.md', offset: 5, limit: 5 })).text).toMatch(
      /^grows\n/,
    )
    expect((await server.call('read_file', { path: 'link/../../etc/hostname' })).failed).toBe(true)
  })
})
