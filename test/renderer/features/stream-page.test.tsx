// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { StreamPage } from '../../../src/renderer/features/streams/stream-page'
import type { StreamPage as Page } from '../../../src/shared/domain/task'
import { method, model, stream } from '../choices'
import { draw } from '../ground/render'

const page: Page = {
  ...{ source: 'a file', licence: null, solved: 'as it says', sample: 'Do it.' },
  verified: { at: null, settings: [], tried: 2, agree: 2, unknown: 0 },
  worked: [
    { method: 'none', model: 'demo.gguf', runs: 2, tasks: 36, solved: 14 },
    { method: 'gone', model: 'other.gguf', runs: 1, tasks: 3, solved: 1 },
  ],
}

test('who worked on a stream is said by the names of methods and models, where they are known', async () => {
  draw(<StreamPage stream={stream('house-rules-a', true)} titleId="title" />, {
    client: { streams: { page: () => Promise.resolve(page) } } as never,
    methods: createStore(() => ({ data: [method('none', false)] })) as never,
    models: createStore(() => ({ data: [{ ...model('/m/demo.gguf', true), name: 'Loam demo' }] })) as never,
  })
  await userEvent.click(screen.getByRole('button', { name: 'About' }))
  const words = (await screen.findByText('Worked on by')).nextElementSibling?.textContent
  expect(words).toBe(
    'The none with Loam demo: 14 of 36 solved in 2 runs\ngone with other.gguf: 1 of 3 solved in 1 run',
  )
})
