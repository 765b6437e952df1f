import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'

const script = join(import.meta.dirname, '../../scripts/check-commits.mjs')
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'loam-commits-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const check = (...args: string[]) => {
  const { status, stdout } = spawnSync(process.execPath, [script, ...args], { cwd: folder, encoding: 'utf8' })
  return { status, stdout }
}

it('a subject has at most 72 characters and no semicolon, as git hands it to its hook', () => {
  const file = join(folder, 'message')
  const write = (text: string) => {
    writeFileSync(file, text)
    return check(file)
  }
  expect(write(`${'a'.repeat(72)}\n\nA body; as long as it likes, ${'x'.repeat(90)}\n`)).toEqual({
    status: 0,
    stdout: '',
  })
  expect(write('a'.repeat(73))).toMatchObject({ status: 1, stdout: expect.stringContaining('73') as string })
  expect(write('Do one; do two\n')).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('semicolon') as string,
  })
})

it('looks at the last commit where the history does not reach back, and at none where there is no history', () => {
  expect(check()).toEqual({ status: 0, stdout: 'No git history here, so no commit was checked.\n' })
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t', ...args], {
      cwd: folder,
      stdio: 'pipe',
    })
  git('init', '-q')
  git('commit', '-q', '--allow-empty', '-m', 'Do one; do two')
  expect(check().status).toBe(1)
  git('commit', '-q', '--allow-empty', '-m', 'Do three')
  expect(check()).toEqual({ status: 0, stdout: '' })
})
