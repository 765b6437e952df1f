import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { openAttemptFiles } from '../../../src/main/share/proxy/attempt-files'
import { OpenAttempts } from '../../../src/main/share/proxy/open-attempts'

test('an open attempt lies on disk without the secrets in it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'loam-attempts-'))
  const secret = `ghp_${'a1B2'.repeat(9)}`
  const message = { role: 'user' as const, content: `Push with ${secret}.` }
  const { attempt } = new OpenAttempts().attemptOf('a', [message], 'person', new Date(0))
  await openAttemptFiles(folder).save(attempt)
  const texts = await Promise.all((await readdir(folder)).map((name) => readFile(join(folder, name), 'utf8')))
  expect(texts.join('\n')).toContain('Push with')
  expect(texts.join('\n')).not.toContain(secret)
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
})
