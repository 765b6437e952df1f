// @vitest-environment happy-dom
import { fireEvent, screen } from '@testing-library/react'
import { expect, it } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { LiveView } from '../../../../src/renderer/features/ask/live-view'
import { createAsksStore } from '../../../../src/renderer/stores/asks'
import type { Services } from '../../../../src/renderer/stores/services'
import { askDetailSchema, type ModelWait } from '../../../../src/shared/domain/ask'
import { partialClient } from '../../fixtures'
import { draw } from '../../ground/render'

const at = '2026-01-01T00:00:00.000Z'
const waiting = (wait: ModelWait | null, live: object | null = null) =>
  askDetailSchema.parse({
    ask: {
      ...{ id: 'ask-1', title: 'Count', given: [], status: 'waiting', problem: null, pinned: false },
      ...{ createdAt: at, changedAt: at, messageAt: at, deletedAt: null, attempts: 0, verdict: null },
      spec: { text: 'Count', model: 'a.gguf', memoryId: 'm', method: 'case-bank', k: 2 },
    },
    ...{ turns: [{ text: 'Count', given: [], after: null, at }], attempts: [], live, wait },
  })

function show(wait: ModelWait | null, live: object | null = null) {
  const begun: string[] = []
  const client = partialClient({
    asks: { startNow: ({ askId }: { askId: string }) => Promise.resolve(begun.push(askId)) },
  })
  const services = {
    client,
    asks: createAsksStore(client),
    tools: createStore(() => ({ requests: [] })),
  } as unknown as Services
  draw(<LiveView detail={waiting(wait, live)} withRecalled={false} />, services)
  return begun
}

it('tells the place in line and about how long it takes, and starts the ask now', () => {
  const begun = show({ place: 2, behind: 'the ask “Story”', waitMs: 90_000, canStart: true })
  expect(screen.getByRole('status').textContent).toBe('Number 2 in line, after the ask “Story”, about 2 min…')
  fireEvent.click(screen.getByRole('button', { name: 'Start now' }))
  expect(begun).toEqual(['ask-1'])
})

it('offers no start where what has the place keeps it', () => {
  show({ place: 1, behind: 'a training', waitMs: null, canStart: false })
  expect(screen.getByRole('status').textContent).toBe('Next in line, after a training…')
  expect(screen.queryByRole('button', { name: 'Start now' })).toBeNull()
})

it('says what of a file is left out while the rest is read', () => {
  const unread = 'manual.pdf read in part, 11,742 of 117,103 characters'
  show(null, {
    ...{ taskId: 'ask-1', index: 0, instruction: 'Count', context: '', recalled: [], rounds: [] },
    ...{ streaming: '', calling: null, unread },
  })
  expect(screen.getByText(`${unread}.`)).toBeTruthy()
  expect(screen.getByRole('status').textContent).toBe('Reading…')
})
