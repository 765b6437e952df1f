import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeUpElectron } from '../../scripts/installer/made-up-electron.mjs'
import { startDesktopAt } from '../electron-stand-in/start-desktop'
import { addressOpened, endHostOf, startInstalled } from '../electron-stand-in/start-installed'
import { writeTinyOnnx } from '../fixtures/tiny-onnx'
import { connectTo, startHeadlessAt } from '../main/headless-process'
import { startServerAt } from '../main/tools/built-server'
import { AppPage } from '../e2e/pages/app-page'
import { TORTURE } from '../torture'

const root = join(import.meta.dirname, '../..')
const packer = join(root, 'scripts/installer')
const hasPacker = existsSync(join(packer, 'node_modules'))
const MB = 1024 * 1024

/** A document of one page, without a table of its parts: readers put that together. */
const PDF = `%PDF-1.4
1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 300 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
4 0 obj<</Length 58>>stream
BT /F 12 Tf 20 100 Td (The crane lifts nine tons.) Tj ET
endstream endobj
5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
trailer<</Root 1 0 R>>
%%EOF
`

/** What `measure` says of each file below a folder, by its path from there. */
async function measured<T>(folder: string, measure: (file: string) => Promise<T>): Promise<Map<string, T>> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return new Map(
    await Promise.all(
      files.map(async (file) => [file.slice(folder.length + 1), await measure(file)] as const),
    ),
  )
}

const sizes = (folder: string) => measured(folder, async (file) => (await stat(file)).size)
const sums = (folder: string) =>
  measured(folder, async (file) =>
    createHash('sha256')
      .update(await readFile(file))
      .digest('hex'),
  )

// Needs what packs: npm ci --prefix scripts/installer. It takes a minute, so `npm test` leaves it out.
describe.runIf(TORTURE && hasPacker && process.platform === 'linux')(
  'Loam, packed with a made-up Electron',
  { timeout: 600_000 },
  () => {
    let folder: string
    let resources: string
    let inside: string
    const pack = (output: string) => {
      const options = ['--dir', '--electron', join(folder, 'electron'), '--output', output]
      execFileSync(process.execPath, [join(packer, 'pack.mjs'), ...options], { cwd: root, stdio: 'ignore' })
    }
    const loam = async (...args: string[]) =>
      (await promisify(execFile)(join(resources, 'bin/loam'), ['--data', join(folder, 'data'), ...args]))
        .stdout

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'loam-packed-'))
      const electron = join(folder, 'electron')
      const { devDependencies } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as {
        devDependencies: Record<string, string>
      }
      makeUpElectron(electron, devDependencies['electron'] ?? '')
      pack(join(folder, 'dist'))
      resources = join(folder, 'dist/linux-unpacked/resources')
      inside = join(resources, 'app.asar.unpacked')
    }, 600_000)
    afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

    it('is the same to the byte when it is packed again', async () => {
      const again = join(folder, 'again')
      pack(again)
      expect(await sums(join(again, 'linux-unpacked'))).toEqual(
        await sums(join(folder, 'dist/linux-unpacked')),
      )
      await rm(again, { recursive: true })
    }, 600_000)

    it('weighs at most 450 MB, and holds no library for other systems or for graphics cards', async () => {
      const files = await sizes(join(folder, 'dist/linux-unpacked'))
      const whole = [...files.values()].reduce((sum, size) => sum + size, 0)
      expect(whole / MB).toBeLessThan(450)
      const natives = [...files.keys()].filter((path) => /\.(node|so|dll|dylib)(\.|$)/.test(path))
      expect(natives.length).toBeGreaterThan(5)
      expect(natives.filter((path) => /darwin|win32|arm64|armv7|musl|cuda|vulkan/.test(path))).toEqual([])
      expect([...files.keys()].filter((path) => /\.(map|d\.ts)$/.test(path))).toEqual([])
      expect([...files.keys()]).toEqual(
        expect.arrayContaining(['resources/models/loam-demo.gguf', 'resources/models/loam-encoder.bin']),
      )
    })

    it('says what is inside, with licences, none of them one that would bind Loam', async () => {
      const { components } = JSON.parse(await readFile(join(resources, 'sbom.json'), 'utf8')) as {
        components: {
          name: string
          purl: string
          licenses: { license?: { name: string }; expression?: string }[]
        }[]
      }
      const names = components.map(({ name }) => name)
      expect(names).toEqual(expect.arrayContaining(['react', 'zod', '@lancedb/lancedb', 'node-llama-cpp']))
      expect(new Set(components.map(({ purl }) => purl)).size).toBe(names.length)
      const licences = components.map(({ licenses: [one] }) => one?.expression ?? one?.license?.name ?? '')
      expect(licences.filter((licence) => /(^|[^L])GPL/.test(licence) && !/ OR /.test(licence))).toEqual([])
      const texts = await readFile(join(resources, 'licences.txt'), 'utf8')
      for (const name of ['@lancedb/lancedb', 'Icons of Lucide: ISC']) expect(texts).toContain(name)
    })

    it('has Electron’s switches as they should be: Node’s mode on, its options and its inspector off', async () => {
      const program = await readFile(join(folder, 'dist/linux-unpacked/loam'), 'latin1')
      // In Electron's order: Node's mode, cookies, NODE_OPTIONS, inspector, archive's sum, archive alone, snapshot, file protocol.
      expect(/dL7pKGdnNz796PbbjQWNKmHXBZaB9tsX..(\d+)/s.exec(program)?.[1]).toMatch(/^110011\d0$/)
    })

    it('plays tasks, trains a soft prompt, and writes a bundle that another Loam takes', async () => {
      const memory = join(folder, 'memory')
      await loam(
        'run',
        '--stream',
        'house-rules-a',
        '--tasks',
        '12',
        '--method',
        'case-bank',
        '--memory',
        memory,
      )
      const about = await loam(
        'soft-prompts',
        'train',
        '--stream',
        'house-rules-a',
        '--memory',
        memory,
        '--steps',
        '2',
        '--attempts',
        '8',
        '--json',
      )
      expect(JSON.parse(about.trim().split('\n').at(-1) ?? '')).toMatchObject({ steps: 2 })
      const bundle = join(folder, 'all.loam')
      await loam('export', '--memory', memory, '--format', 'bundle', '--out', bundle)
      const other = join(folder, 'other')
      expect(await loam('import', bundle, '--memory', other)).toContain('Cases: 12 (12 new)')
    })

    it('reads a document and computes with Python in its walled-off processes', async () => {
      const notes = join(folder, 'notes')
      await mkdir(notes)
      await writeFile(join(notes, 'crane.pdf'), PDF)
      await loam('files', 'add', notes)
      expect(await loam('memory', 'search', 'crane nine tons')).toContain('crane.pdf')
      const server = (id: string) => startServerAt(join(inside, 'out/main/mcp/index.js'), id, '--root', notes)
      const code = await server('code')
      expect((await code.call('run_python', { code: 'sum(range(5))' })).text).toContain('10')
      await code.close()
      const documents = await server('documents')
      expect((await documents.call('read_document', { path: 'crane.pdf' })).text).toContain('lifts nine tons')
      await documents.close()
    })

    it('compares texts with an encoder in ONNX', async () => {
      const encoder = join(folder, 'tiny-onnx')
      writeTinyOnnx(encoder)
      const memory = join(folder, 'facts')
      for (const fact of ['The slithy is red', 'The borogove is red'])
        await loam('memory', 'add', 'fact', '--set', `statement=${fact}`, '--memory', memory)
      await loam('embedders', 'use', encoder)
      const search = async (text: string) =>
        (await loam('memory', 'search', text, '--mode', 'semantic', '--memory', memory)).split('\n')[0]
      // No word of either: only this encoder knows what is meant.
      expect(await search('brillig')).toContain('The slithy is red')
      expect(await search('mimsy')).toContain('The borogove is red')
    })

    it('runs modules from outside in processes of their own', async () => {
      const cards = join(folder, 'cards.jsonl')
      await writeFile(cards, '{"front":"Tide","back":"The tide is high"}\n')
      for (const name of ['cards', 'dice']) {
        await loam('module', 'add', join(root, 'test/fixtures/modules', name))
        await loam('module', 'allow', name)
      }
      expect(await loam('import', cards, '--format', 'cards')).toContain('1 of 1 row read')
      const module = join(folder, 'data/modules/dice')
      const dice = await startServerAt(join(inside, 'out/main/mcp/module.js'), module, 'dice')
      expect((await dice.call('roll', { count: 2, sides: 1 })).text).toBe('1, 1')
      await dice.close()
    })

    it('serves its window to a browser', async () => {
      const host = startHeadlessAt(join(inside, 'out/main/headless.js'), join(folder, 'browser'))
      const { client, closed } = await connectTo(await host.url)
      expect((await client.app.info()).version).toMatch(/^\d/)
      const page = await fetch(new URL('/', await host.url))
      expect(await page.text()).toContain('<div id="root">')
      host.child.kill('SIGTERM')
      expect((await host.ended).code).toBe(0)
      await closed
    })

    it('opens its window, and a browser where it ends before', async () => {
      const whole = join(folder, 'boot/resources')
      await cp(resources, whole, { recursive: true })
      const asar = join(packer, 'node_modules/.bin/asar')
      const project = join(whole, 'app.asar.unpacked')
      execFileSync(asar, ['extract', join(resources, 'app.asar'), project])
      const desktop = startDesktopAt(project, '--data', join(folder, 'window'))
      await desktop.heard(({ kind }) => kind === 'shown')
      expect(desktop.news.filter(({ kind }) => kind === 'error-box')).toEqual([])
      const page = await desktop.page()
      await new AppPage(page).goTo('Runs')
      desktop.order('quit')
      expect((await desktop.ended).code).toBe(0)

      const early = await mkdtemp(join(folder, 'early-'))
      try {
        expect(await startInstalled(project, early, 'SIGKILL')).toBe('SIGKILL')
        const { client } = await connectTo(await addressOpened(early))
        expect((await client.app.info()).windowless).toContain('ended before its window appeared')
      } finally {
        await endHostOf(early)
      }
    })

    it('keeps its words where nothing may be written', async () => {
      await writeFile(join(folder, 'odd.loam'), 'no bundle')
      await expect(loam('verify-bundle', join(folder, 'odd.loam'))).rejects.toThrow(/bundle/i)
    })
  },
)
