import { expect, it, vi } from 'vitest'
import { createMemoriesStore } from '../../../src/renderer/stores/memories'
import { createSettingsStore } from '../../../src/renderer/stores/settings'
import { settingsSchema, type MemoryInfo, type Settings } from '../../../src/shared/domain/memory-info'
import { partialClient } from '../fixtures'

const memory = (id: string, role: MemoryInfo['role']): MemoryInfo => ({
  id,
  role,
  name: id,
  path: id,
  createdAt: '2026-01-01T00:00:00.000Z',
  cases: 0,
  items: {},
  trajectories: 0,
  bytes: 0,
  embedder: 'lexical-384',
})

it('keeps the memory that was made while an older list was on its way', async () => {
  const kept = [memory('mine', 'mine')]
  const waiting: (() => void)[] = []
  let isHeld = false
  let saved: Settings = settingsSchema.parse({})
  const client = partialClient({
    memories: {
      // The answer is what there was when it was asked for.
      list: () => {
        const answer = [...kept]
        return isHeld
          ? new Promise((resolve) => waiting.push(() => resolve(answer)))
          : Promise.resolve(answer)
      },
      create: ({ name }: { name: string }) => {
        const made = memory(name, 'lab')
        kept.push(made)
        return Promise.resolve(made)
      },
    },
    app: {
      settings: () => Promise.resolve(saved),
      saveSettings: (change: Partial<Settings>) => Promise.resolve((saved = { ...saved, ...change })),
    },
  })
  const lost = vi.fn()
  const store = createMemoriesStore(client, createSettingsStore(client), lost)
  await store.getState().reload()

  isHeld = true
  const older = store.getState().reload()
  await vi.waitFor(() => expect(waiting).toHaveLength(1))
  isHeld = false
  await store.getState().create('Made')
  waiting[0]?.()
  await older

  const { currentId, homeId, memories } = store.getState()
  expect({ currentId, homeId }).toEqual({ currentId: 'Made', homeId: 'Made' })
  expect(memories.map(({ id }) => id).sort()).toEqual(['Made', 'mine'])
  expect(lost).not.toHaveBeenCalled()
})
