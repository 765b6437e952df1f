import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openPromptStore } from '../../../src/main/asks/prompt-store'
import { promptsFor } from '../../../src/shared/domain/saved-prompt'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-prompts-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

const open = () => openPromptStore(join(folder, 'saved-prompts.json'))

/** Keeps a new one in an empty folder. */
async function first(name: string) {
  const store = open()
  const [prompt] = await store.save({ name, text: 'a' })
  if (!prompt) throw new Error('Nothing was saved.')
  return { store, prompt }
}

describe('saved prompts', () => {
  it('are kept by name, changed where they stand, and there after a restart', async () => {
    const { store, prompt: short } = await first('Short')
    const both = await store.save({ name: 'Letter', text: 'Write a letter to' })
    expect(both.map(({ name }) => name)).toEqual(['Letter', 'Short'])
    const id = both[0]?.id ?? ''
    await store.save({ id, name: 'To an office', text: 'Write to an office about' })
    expect(await open().list()).toEqual([
      short,
      { id, name: 'To an office', text: 'Write to an office about' },
    ])
  })

  it('have a name of their own each, whatever its letters’ size; what is refused changes nothing', async () => {
    const { store, prompt } = await first('Short')
    await expect(store.save({ name: 'SHORT', text: 'b' })).rejects.toMatchObject({ code: 'CONFLICT' })
    await store.save({ ...prompt, name: 'short' })
    expect(await store.list()).toEqual([{ ...prompt, name: 'short' }])
  })

  it('come back as they were when one that was deleted is saved with its id', async () => {
    const { store, prompt } = await first('Short')
    expect(await store.remove(prompt.id)).toEqual([])
    expect(await store.remove(prompt.id)).toEqual([])
    expect(await store.save(prompt)).toEqual([prompt])
  })

  it('lose none of two that are saved at once, nor all of them to one damaged file', async () => {
    const store = open()
    await Promise.all([store.save({ name: 'a', text: '1' }), store.save({ name: 'b', text: '2' })])
    const path = join(folder, 'saved-prompts.json')
    await writeFile(path, `${(await readFile(path, 'utf8')).slice(0, 20)}#`)
    expect((await open().list()).map(({ name }) => name)).toEqual(['a', 'b'])
  })
})

describe('a search for prompts', () => {
  const prompts = ['Translate', 'A short letter', 'Letter'].map((name, index) => ({
    id: `00000000-0000-4000-8000-00000000000${index}`,
    name,
    text: index === 0 ? 'This letter into German:' : 'Write it.',
  }))
  const namesFor = (words: string) => promptsFor(prompts, words).map(({ name }) => name)

  it('finds beginnings of names first, then names, then texts, and all for no words', () => {
    expect(namesFor('letter')).toEqual(['Letter', 'A short letter', 'Translate'])
    expect(namesFor(' LET ')).toEqual(['Letter', 'A short letter', 'Translate'])
    expect(namesFor('')).toHaveLength(3)
    expect(namesFor('zebra')).toEqual([])
  })
})
