import { appendFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createApp } from '../../../src/main/app'
import { attempt } from '../memory-store/fixtures'
import { lastLine, loam } from '../cli/loam-process'

let folder: string
const at = (name: string): string => join(folder, name)
const cli = async (...args: string[]) => {
  const { code, out, err } = await loam(...args, '--data', at('data'), '--json').ended
  return { code, err, json: lastLine(out) as Record<string, unknown> }
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-bundle-cli-'))
  const app = await createApp({ dataPath: at('data'), host: 'memory' })
  await (await app.spaces.open(at('space'))).commit(attempt(1, 'count the boats, token=abcdef123456'))
  await app.dispose()
})
afterAll(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

it(
  'a bundle is written, signed, checked, looked at, taken in and taken back from the command line',
  { timeout: 120_000 },
  async () => {
    const file = at('space.loam.zip')
    const to = ['export', '--format', 'bundle', '--space', at('space')]
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

    const into = ['import', file, '--space', at('other')]
    expect((await cli(...into, '--dry-run')).json).toMatchObject({ preview: true, imported: 2, whole: true })
    expect((await cli(...into)).json).toMatchObject({ imported: 2, left: [] })
    expect((await cli(...into)).json).toMatchObject({ imported: 0, duplicates: 2 })
    expect(await cli('rollback', '--space', at('other'))).toMatchObject({ code: 0 })
    expect((await cli(...into)).json).toMatchObject({ imported: 2 })
    await appendFile(file, 'x'.repeat(70_000))
    expect((await cli(...into)).code).toBe(2)
  },
)
