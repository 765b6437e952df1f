// @vitest-environment happy-dom
import { act, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { Dialog } from '../../../src/renderer/components/dialog'
import { Sayings, Toasts } from '../../../src/renderer/shell/toasts'
import { createToastsStore, type ToastsStore } from '../../../src/renderer/stores/toasts'
import { draw } from '../ground/render'

function Page() {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button onClick={() => setOpen(true)}>Open</button>
      {open ? (
        <Dialog title="My files" description="What is read." onClose={() => setOpen(false)}>
          <input aria-label="Folder" />
        </Dialog>
      ) : null}
      <Toasts />
      <Sayings />
    </>
  )
}

const note = (toasts: ToastsStore, title: string) =>
  act(() => void toasts.getState().show({ title, tone: 'plain' }))

it('Escape closes what is open though a note came after it, and the note stays', async () => {
  const toasts = createToastsStore()
  draw(<Page />, { toasts })
  await userEvent.click(screen.getByRole('button', { name: 'Open' }))
  note(toasts, 'Brought in step')
  await userEvent.keyboard('{Escape}')
  expect(screen.queryByRole('dialog')).toBeNull()
  expect(toasts.getState().toasts).toHaveLength(1)
})

it('F8 moves the focus to the notes, which stay while it is there; Escape there closes one', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    const toasts = createToastsStore()
    draw(<Page />, { toasts })
    note(toasts, 'First')
    note(toasts, 'Second')
    fireEvent.keyDown(document.body, { key: 'F8' })
    expect(document.activeElement?.textContent).toContain('First')
    act(() => void vi.advanceTimersByTime(60_000))
    expect(toasts.getState().toasts).toHaveLength(2)
    const [dismiss] = screen.getAllByRole('button', { name: 'Dismiss' })
    if (!dismiss) throw new Error('A note can be dismissed.')
    dismiss.focus()
    fireEvent.keyDown(dismiss, { key: 'Escape' })
    expect(toasts.getState().toasts.map(({ title }) => title)).toEqual(['Second'])
    act(() => void vi.advanceTimersByTime(60_000))
    expect(toasts.getState().toasts).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})

it('a note is said in one piece, with the key to what it offers, and then no longer stands where it is read', () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  try {
    // What is said stands in a closed root.
    const attach = vi.spyOn(Element.prototype, 'attachShadow')
    const toasts = createToastsStore()
    draw(<Page />, { toasts })
    const root: unknown = attach.mock.results[0]?.value
    if (!(root instanceof ShadowRoot)) throw new Error('A root is opened.')
    expect(root.host.isConnected && root.host.ariaLive).toBe('polite')
    const told = () => [...root.children].map(({ textContent }) => textContent)
    expect(screen.queryByRole('region', { name: 'Notes (F8)' })).toBeNull()
    fireEvent.keyDown(document.body, { key: 'F8' })
    expect(document.activeElement).toBe(document.body)
    const action = { label: 'Undo', run: () => undefined }
    act(
      () =>
        void toasts.getState().show({
          title: 'Ask deleted',
          detail: '“Why?”',
          tone: 'plain',
          action,
        }),
    )
    act(() => toasts.getState().say('**Two** `marks`'))
    expect(told()).toEqual(['Ask deleted. “Why?”. F8 leads to Undo.', 'Two marks'])
    const notes = screen.getByRole('region', { name: 'Notes (F8)' })
    expect(notes.querySelector('[aria-live="polite"]')).toBeNull()
    act(() => void vi.advanceTimersByTime(60_000))
    expect(told()).toEqual([])
  } finally {
    vi.useRealTimers()
  }
})
