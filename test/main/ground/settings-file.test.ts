import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { loadSettings, saveSettings } from '../../../src/main/ground/settings-file'
import { inTempFolder } from '../memory-store/fixtures'

/** What is read of a file that an earlier Loam wrote. */
const embedderOf = (file: object): Promise<string> =>
  inTempFolder(async (folder) => {
    const path = join(folder, 'settings.json')
    await writeFile(path, JSON.stringify({ theme: 'dark', network: true, ...file }))
    const settings = await loadSettings(path)
    expect(settings).toMatchObject({ theme: 'dark', network: true })
    await saveSettings(path, settings)
    expect((await loadSettings(path)).embedder).toBe(settings.embedder)
    return settings.embedder
  })

test('the built-in embedding model takes the place of the word matcher where nobody chose that', async () => {
  expect(await embedderOf({})).toBe('loam-256')
  expect(await embedderOf({ embedder: 'lexical-384' })).toBe('loam-256')
  expect(await embedderOf({ embedder: 'lexical-384', encoderChosen: false })).toBe('loam-256')
  expect(await embedderOf({ embedder: 'lexical-384', encoderChosen: true })).toBe('lexical-384')
  expect(await embedderOf({ embedder: 'all-MiniLM-L6-v2' })).toBe('all-MiniLM-L6-v2')
})
