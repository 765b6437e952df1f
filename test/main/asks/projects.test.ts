import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { renameProject } from '../../../src/main/asks/rename-project'
import { projectOf } from '../../../src/core/memory/items/projects'
import { MY_MEMORY } from '../../../src/shared/domain/memory-info'
import { askAndWait, useAsksRig } from './rig'

const openRig = useAsksRig()

test('a project is called otherwise with its asks, what they taught, its facts, folders, settings and keys', async () => {
  const { app } = await openRig()
  const { ask, attempts } = await askAndWait(app, {
    text: 'Remember that the north bed has tomatoes.',
    project: 'Garden',
  })
  const { memoryId } = ask.spec
  const { item: byHand } = await app.memory.add(
    memoryId,
    'fact',
    { statement: 'The pump needs 2.5 bar.' },
    'Garden',
  )
  const { item: shared } = await app.memory.add(memoryId, 'fact', { statement: 'The lift is closed.' }, null)
  const folder = await mkdtemp(join(tmpdir(), 'loam-beds-'))
  await writeFile(join(folder, 'beds.md'), 'The south bed has basil.')
  await app.files.add(memoryId, folder, 'Garden')
  await app.projects.set({
    ...{ name: 'Garden', instructions: 'Be brief.', temperature: null, topP: null, maxTokens: null },
  })
  const moveKeys = vi.fn(() => Promise.resolve())
  await renameProject({ from: 'Garden', name: 'Allotment' }, { ...app, moveKeys })

  expect(app.asks.get(ask.id).ask.folder).toBe('Allotment')
  const { curated } = (await app.memories.open(MY_MEMORY)).memorySource.state
  const project = (id: string) => projectOf(curated, 'fact', id)
  expect([attempts[0]?.facts[0]?.id ?? '', byHand.id, shared.id].map(project)).toEqual([
    'Allotment',
    'Allotment',
    null,
  ])
  expect((await app.files.list(memoryId)).map(({ project: own }) => own)).toEqual(['Allotment'])
  expect(await app.projects.list()).toMatchObject([{ name: 'Allotment', instructions: 'Be brief.' }])
  expect(moveKeys).toHaveBeenCalledWith('Garden', 'Allotment')
})

test('an ask whose memory was thrown away is called otherwise too', async () => {
  const { app } = await openRig()
  const { id: memoryId } = await app.memories.create('Trials')
  const { ask } = await askAndWait(app, {
    ...{ text: 'Remember that the north bed has tomatoes.', project: 'Garden', memoryId },
  })
  await app.storage.remove({ what: 'memory', id: memoryId })
  await renameProject({ from: 'Garden', name: 'Allotment' }, { ...app, moveKeys: () => Promise.resolve() })
  expect(app.asks.get(ask.id).ask.folder).toBe('Allotment')
})
