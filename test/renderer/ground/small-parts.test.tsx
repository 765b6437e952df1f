// @vitest-environment happy-dom
import { screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { Box, Search } from '../../../src/renderer/components/icons'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { createStore } from 'zustand/vanilla'
import { optionsOf } from '../../../src/renderer/components/options'
import { PageHead } from '../../../src/renderer/components/screen'
import { SwitchLine } from '../../../src/renderer/components/switch'
import { LineForm } from '../../../src/renderer/ground/line-form'
import { MarkButtons } from '../../../src/renderer/ground/mark-buttons'
import { RefusedNotice } from '../../../src/renderer/ground/refused-notice'
import { MemoryGate } from '../../../src/renderer/ground/memory-gate'
import { TitledSection } from '../../../src/renderer/ground/titled-section'
import { useAttempt } from '../../../src/renderer/ground/use-attempt'
import type { Services } from '../../../src/renderer/stores/services'
import { LoamError, toErrorShape } from '../../../src/shared/errors'
import { draw } from './render'

const problem = toErrorShape(new LoamError('BAD_INPUT', 'Too long.', { suggestion: 'Say less.' }))

it('pins and mutes, and takes it back with the same button', async () => {
  function Held() {
    const [mark, setMark] = useState<'pinned' | 'muted' | null>(null)
    return <MarkButtons mark={mark} onMark={setMark} />
  }
  draw(<Held />)
  await userEvent.click(screen.getByRole('button', { name: /^Pin:/ }))
  await userEvent.click(screen.getByRole('button', { name: /^Mute:/ }))
  expect(screen.getByRole('button', { name: /^Pin:/ })).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Unmute' }))
  expect(screen.getByRole('button', { name: /^Mute:/ })).toBeDefined()
})

it('shows why something was refused until it was read', async () => {
  const dismissed = vi.fn()
  const { rerender } = draw(<RefusedNotice problem={null} onDismiss={dismissed} />)
  expect(screen.queryByRole('alert')).toBeNull()
  rerender(<RefusedNotice problem={problem} onDismiss={dismissed} />)
  expect(screen.getByRole('alert').textContent).toContain('Too long.')
  await userEvent.click(screen.getByRole('button', { name: 'Dismiss' }))
  expect(dismissed).toHaveBeenCalledOnce()
})

it('holds why the last attempt was refused, and forgets it when the next one works', async () => {
  const answers = [() => Promise.reject(new LoamError('BAD_INPUT', 'Too long.', { suggestion: 'Say less.' }))]
  function Trying() {
    const { attempt, problem: refused, busy } = useAttempt()
    return (
      <button type="button" onClick={() => void attempt(() => answers.shift()?.() ?? Promise.resolve())}>
        {busy ? 'busy' : (refused?.cause ?? 'fine')}
      </button>
    )
  }
  draw(<Trying />)
  await userEvent.click(screen.getByRole('button'))
  await waitFor(() => expect(screen.getByRole('button').textContent).toBe('Too long.'))
  await userEvent.click(screen.getByRole('button'))
  await waitFor(() => expect(screen.getByRole('button').textContent).toBe('fine'))
})

it('turns a switch on by its words too', async () => {
  const changed = vi.fn()
  draw(<SwitchLine label="Look first" detail="It stops then." checked={false} onChange={changed} />)
  await userEvent.click(screen.getByText('It stops then.'))
  expect(changed).toHaveBeenCalledWith(true)
})

it('names a section by its heading and a page by its title', () => {
  draw(
    <>
      <PageHead title="Curves" lead="Of runs." />
      <TitledSection title="Storage" lead="On disk.">
        <p>Rows</p>
      </TitledSection>
    </>,
  )
  expect(screen.getByRole('heading', { level: 1, name: 'Curves' })).toBeDefined()
  expect(screen.getByRole('region', { name: 'Storage' }).textContent).toContain('Rows')
})

it('lists choices in the order in which they are written', () => {
  expect(optionsOf({ b: 'Bread', a: 'Apples' })).toEqual([
    { value: 'b', label: 'Bread' },
    { value: 'a', label: 'Apples' },
  ])
})

it('says what lives in a memory while there is none, with the way to get one, and enters the one that is opened', async () => {
  const went = vi.fn()
  const entered = vi.fn()
  const reload = () => Promise.resolve()
  const memories = createStore<object>()(() => ({
    currentId: null,
    status: 'ready',
    problem: null,
    reload,
    keep: () => undefined,
  }))
  const services = {
    memories,
    ui: createStore<object>()(() => ({ go: went })),
  } as unknown as Partial<Services>
  draw(
    <MemoryGate icon={Box} about="Cases live in a memory." stores={[createStore(() => ({ enter: entered }))]}>
      {(memoryId) => <p>In {memoryId}</p>}
    </MemoryGate>,
    services,
  )
  expect(screen.getByText(/Cases live in a memory/)).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'Go to Runs' }))
  expect(went).toHaveBeenCalledWith('run')
  memories.setState({ currentId: 's1' })
  expect(await screen.findByText('In s1')).toBeDefined()
  expect(entered).toHaveBeenCalledWith('s1')
})

it('empties a line that was taken, but for words that say what is shown below it', async () => {
  const onSubmit = vi.fn(() => Promise.resolve(null))
  const line = (label: string, stays?: true) => (
    <LineForm
      label={label}
      placeholder=""
      button={{ label: 'Go', icon: Search }}
      {...(stays && { stays })}
      onSubmit={onSubmit}
    />
  )
  draw(
    <>
      {line('A path')}
      {line('Words', true)}
    </>,
  )
  await userEvent.type(screen.getByLabelText('A path'), 'here{Enter}')
  await userEvent.type(screen.getByLabelText('Words'), 'demo{Enter}')
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('A path').value).toBe(''))
  expect(screen.getByLabelText<HTMLInputElement>('Words').value).toBe('demo')
  expect(onSubmit.mock.calls).toEqual([['here'], ['demo']])
})
