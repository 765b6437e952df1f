import { expect, test } from 'vitest'
import type { OwnedFiles } from '../../../src/core/shell/owned-files'
import { vi } from '../../../src/core/shell/vi'

/** What a file holds after commands of vi. */
async function after(text: string, ...commands: string[]): Promise<string> {
  let held = text
  const files = {
    resolvePath: (_: string, path: string) => path,
    readFile: () => Promise.resolve(held),
    writeFile: (_: string, content: string) => {
      held = content
      return Promise.resolve()
    },
  } as unknown as OwnedFiles
  await vi(files, '/', [...commands.flatMap((command) => ['-c', command]), '-c', 'wq', 'list.txt'], '')
  return held
}

test('substitutes the first or all, on a line or on each', async () => {
  const text = 'one two one\none\n'
  expect(await after(text, '%s/one/1/')).toBe('1 two one\n1\n')
  expect(await after(text, '%s/one/1/g')).toBe('1 two 1\n1\n')
  expect(await after(text, '2s/one/1/')).toBe('one two one\n1\n')
  expect(await after(text, '1s/(\\w+) (\\w+)/$2 $1/')).toBe('two one one\none\n')
})

test('a pattern that others search by for ages is through at once, and one that cannot be is refused', async () => {
  const line = `${'a'.repeat(5000)}!`
  expect(await after(`${line}\n`, '%s/(a+)+$/x/')).toBe(`${line}\n`)
  await expect(after('a\n', '%s/(a/x/')).rejects.toThrow('E383: Invalid search string: (a')
})
