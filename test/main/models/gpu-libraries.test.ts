import { execFile, execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { findLibraries, llamaRelease } from '../../../src/main/adapters/ggml/fetched-libraries'
import { JobRegistry } from '../../../src/main/ground/jobs'
import { openDownloadQueue, type DownloadQueue } from '../../../src/main/models/download-queue'
import { openGpuLibraries, type GpuLibraries } from '../../../src/main/models/gpu-libraries'
import { GPU_PACKAGES, GPU_RELEASE } from '../../../src/main/models/gpu-packages'

const NAME = 'made-up-x64-cuda'
const root = join(import.meta.dirname, '../../..')

it('are of the release of node-llama-cpp that is installed', () => {
  expect(GPU_RELEASE).toBe(llamaRelease())
  const packages = Object.values(GPU_PACKAGES).flatMap((kinds) => Object.values(kinds).flat())
  expect(packages).toHaveLength(6)
  expect(new Set(packages.map(({ sha256 }) => sha256)).size).toBe(6)
})

describe.skipIf(process.platform === 'win32')('libraries for graphics cards', () => {
  let folder: string
  let server: Server
  let network: boolean
  let archive: Buffer
  let jobs: JobRegistry
  let queue: DownloadQueue
  let gpu: GpuLibraries

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'loam-gpu-'))
    network = true
    const source = join(folder, 'source/package')
    await mkdir(join(source, 'dist'), { recursive: true })
    await writeFile(join(source, 'package.json'), '{"type":"module"}')
    await writeFile(join(source, 'dist/index.js'), 'export const getBinsDir = () => "made up"\n')
    execFileSync('tar', ['-czf', join(folder, 'whole.tgz'), '-C', join(folder, 'source'), 'package'])
    archive = await readFile(join(folder, 'whole.tgz'))
    const sha256 = createHash('sha256').update(archive).digest('hex')
    server = createServer((request, response) => {
      if (request.url === `/@node-llama-cpp/${NAME}/-/${NAME}-${llamaRelease()}.tgz`) response.end(archive)
      else response.writeHead(404).end()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    jobs = new JobRegistry({ throttleMs: 1 })
    queue = await openDownloadQueue({
      ...{ file: join(folder, 'downloads.json'), jobs, networkAllowed: () => network, atOnce: () => 1 },
      ...{ keyFor: () => null, retryMs: [1] },
      onDone: async ({ target }) => expect(await gpu.unpack(target)).toBe(true),
    })
    gpu = openGpuLibraries({
      ...{ queue: () => queue, folder: join(folder, 'libraries'), system: 'made-up' },
      registry: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      packages: { 'made-up': { cuda: [{ name: NAME, sizeBytes: archive.length, sha256 }] } },
    })
  })
  afterEach(async () => {
    await queue.close()
    await jobs.close()
    server.close()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })

  it('are fetched while the network is on, checked, unpacked, and found by llama.cpp’s own import', async () => {
    const libraries = join(folder, 'libraries')
    expect(gpu.list()).toMatchObject([
      { kind: 'cuda', title: 'CUDA', isHere: false, sizeBytes: archive.length },
    ])
    network = false
    await expect(gpu.add('cuda')).rejects.toMatchObject({ code: 'NETWORK_OFF' })
    network = true
    await expect(gpu.add('vulkan')).rejects.toMatchObject({ code: 'NOT_FOUND' })
    await gpu.add('cuda')
    await expect.poll(() => queue.list()).toEqual([])
    expect(gpu.list()).toMatchObject([{ isHere: true }])
    await expect(gpu.add('cuda')).rejects.toMatchObject({ code: 'CONFLICT' })
    expect(await readdir(join(libraries, llamaRelease()))).toEqual([NAME])
    expect(findLibraries(NAME, libraries)).toBe(join(libraries, llamaRelease(), NAME, 'dist/index.js'))

    // As the engine does: an import of the package by name, in a process of its own.
    const hook = pathToFileURL(join(root, 'src/main/adapters/ggml/fetched-libraries.ts')).href
    const script = `
      const { useFetchedLibraries } = await import(${JSON.stringify(hook)})
      useFetchedLibraries()
      const { getBinsDir } = await import('@node-llama-cpp/${NAME}')
      const absent = await import('@node-llama-cpp/not-there').catch((error) => error.code)
      console.log(getBinsDir(), absent)`
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--import', tsx, '--input-type=module', '--eval', script],
      { cwd: root, env: { ...process.env, LOAM_LIBRARIES: libraries } },
    )
    expect(stdout.trim()).toBe('made up ERR_MODULE_NOT_FOUND')
  })

  it('are not unpacked where their checksum is another', async () => {
    archive = Buffer.from(archive).fill(7, 20, 40)
    await gpu.add('cuda')
    await expect.poll(() => queue.list()[0]?.status).toBe('failed')
    expect(gpu.list()).toMatchObject([{ isHere: false }])
    expect(existsSync(join(folder, 'libraries', llamaRelease(), NAME))).toBe(false)
  })
})
