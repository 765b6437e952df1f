import { expect, it } from 'vitest'
import type { LoamClient } from '../../../src/renderer/client-type'
import { createSettingsStore } from '../../../src/renderer/stores/settings'
import { settingsSchema, type Settings } from '../../../src/shared/domain/memory-info'

it('shows the network as on only once the host has it on, and everything else at once', async () => {
  let kept: Settings = settingsSchema.parse({})
  const waiting: (() => void)[] = []
  const client = {
    app: {
      settings: () => Promise.resolve(kept),
      saveSettings: (change: Partial<Settings>) =>
        new Promise<Settings>((done) =>
          waiting.push(() => {
            kept = { ...kept, ...change }
            done(kept)
          }),
        ),
    },
  } as unknown as LoamClient
  const store = createSettingsStore(client)
  await store.getState().load()
  const saved = store.getState().save({ network: true, theme: 'dark' })
  expect(store.getState().settings).toMatchObject({ network: false, theme: 'dark' })
  waiting.shift()?.()
  expect(await saved).toBe(true)
  expect(store.getState().settings).toMatchObject({ network: true, theme: 'dark' })
})
