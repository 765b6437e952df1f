import { existsSync } from 'node:fs'
import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../../../src/main/app'
import { attempt } from '../memory-store/fixtures'
import { lastLine, loamHere } from '../cli/loam-process'

let folder: string
const at = (name: string): string => join(folder, name)
const cli = async (...args: string[]) => {
  const { code, out, err } = await loamHere(...args, '--data', at('data'), '--json')
  return { code, err, json: lastLine(out) as Record<string, unknown> }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-bundle-cli-'))
  const app = await createApp({ dataPath: at('data'), host: 'memory' })
  await (await app.memories.open(at('space'))).commit(attempt(1, 'count the boats, token=abcdef123456'))
  await app.dispose()
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

it(
  'a bundle is written, signed, checked, looked at, taken in and taken back from the command line',
  { timeout: 300_000 },
  async () => {
    const file = at('space.loam.zip')
    const to = ['export', '--format', 'bundle', '--memory', at('space')]
    const preview = await cli(...to, '--redact', '--dry-run')
    expect(preview.json).toMatchObject({ path: null, redacted: true, counts: { attempts: 1, case: 1 } })
    const done = await cli(...to, '--out', file, '--sign', at('key.pem'), '--licence', 'MIT')
    expect(done).toMatchObject({ code: 0, json: { path: file, commits: 1 } })
    expect(await readFile(at('key.pem'), 'utf8')).toContain('PRIVATE KEY')

    const checked = await cli('verify-bundle', file)
    expect(checked).toMatchObject({
      code: 0,
      json: { ok: true, licence: 'MIT', signed: { fingerprint: expect.any(String) as string } },
    })
    await writeFile(at('bad.zip'), (await readFile(file)).subarray(0, 900))
    expect(await cli('verify-bundle', at('bad.zip'))).toMatchObject({
      code: 1,
      json: { ok: false, code: 'BAD_INPUT' },
    })

    const into = ['import', file, '--memory', at('other')]
    const looked = await cli(...into, '--dry-run')
    expect(looked.json).toMatchObject({ preview: true, imported: 2, format: 'bundle' })
    expect(looked.json['notes']).toContain('Its whole history comes in.')
    expect(existsSync(at('other'))).toBe(false)
    expect((await cli(...into)).json).toMatchObject({ imported: 2, left: [] })
    expect((await cli(...into)).json).toMatchObject({ imported: 0, duplicates: 2 })
    const back = await cli('rollback', '--memory', at('other'))
    expect(back.code).toBe(0)
    expect(back.err).toContain('is now called "loam imports undo"')
    expect((await cli(...into)).json).toMatchObject({ imported: 2 })
    await appendFile(file, 'x'.repeat(70_000))
    expect((await cli(...into)).code).toBe(2)
  },
)

it(
  'a dry run imports nothing, whatever the format, and says what it would',
  { timeout: 300_000 },
  async () => {
    const [file, into] = [at('notes.csv'), ['--memory', at('space')]]
    await writeFile(file, 'id,kind,title,text\n1,note,One,The tide is high\n2,note,Two,The boat is red\n')
    const before = await cli('imports', ...into)
    const looked = await cli('import', file, ...into, '--dry-run')
    expect(looked.json).toMatchObject({ preview: true, rows: 2, imported: 2, format: 'csv' })
    expect(looked.json['kinds']).toMatchObject([{ kind: 'note', rows: 2, fresh: 2, duplicates: 0 }])
    // The same dry run again finds nothing there.
    expect((await cli('import', file, ...into, '--dry-run')).json).toMatchObject({
      imported: 2,
      duplicates: 0,
    })
    expect((await cli('imports', ...into)).json).toEqual(before.json)

    const done = await cli('import', file, ...into)
    expect(done.json).toMatchObject({ rows: 2, imported: 2, duplicates: 0 })
    const importId = done.json['importId'] as string
    expect((await cli('imports', ...into)).json).toMatchObject({
      imports: [
        { importId, file: 'notes.csv', format: 'csv', client: 'loam import', imported: 2, undoneAt: null },
      ],
    })
    expect((await cli('imports', 'undo', importId, ...into)).json).toMatchObject({
      importId,
      removed: 2,
      stays: [],
    })
    expect((await cli('import', file, ...into, '--dry-run')).json).toMatchObject({
      imported: 2,
      duplicates: 0,
    })
    expect((await cli('imports', 'undo', importId, ...into)).code).not.toBe(0)
  },
)
