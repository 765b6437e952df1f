import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { readGgufHere } from '../../../src/main/gguf/gguf-header'
import { createFileHasher } from '../../../src/main/ground/file-hash'
import { openStreamLibrary } from '../../../src/main/streams/stream-library'
import { loam, lastLine } from '../cli/loam-process'

describe.skipIf(process.platform === 'win32')('a path that is no plain file', () => {
  let folder: string
  let server: Server
  let paths: Record<string, string>
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'loam-special-'))
    paths = {
      'a pipe': join(folder, 'pipe.gguf'),
      'a socket': join(folder, 'socket.gguf'),
      'a folder': folder,
      'a device': '/dev/zero',
    }
    execFileSync('mkfifo', [paths['a pipe'] ?? ''])
    server = createServer()
    await new Promise<void>((resolve) => server.listen(paths['a socket'], resolve))
  })
  afterAll(() => {
    server.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const kinds = ['a pipe', 'a socket', 'a folder', 'a device']
  it.each(kinds)('is refused as a model, not waited for: %s', async (kind) => {
    const path = paths[kind] ?? ''
    const refused = { code: 'MODEL_NOT_FOUND', message: expect.stringContaining(`is ${kind}`) as string }
    await expect(readGgufHere(path)).rejects.toMatchObject(refused)
    await expect(createFileHasher(join(folder, 'hashes.json')).hash(path)).rejects.toMatchObject(refused)
  })

  it.each(kinds)('is refused as a stream of tasks: %s', async (kind) => {
    const library = openStreamLibrary(folder, folder)
    await expect(library.load(paths[kind] ?? '')).rejects.toMatchObject({ code: 'BAD_INPUT' })
  })

  it('ends a run from the command line with words', { timeout: 60_000 }, async () => {
    const data = join(folder, 'data')
    const given = ['--stream', 'house-rules-a', '--method', 'none', '--tasks', '1', '--data', data, '--json']
    const { code, out } = await loam('run', '--model', paths['a pipe'] ?? '', ...given).ended
    expect(code).toBe(1)
    expect(lastLine(out)).toMatchObject({ error: { code: 'MODEL_NOT_FOUND' } })
  })
})
