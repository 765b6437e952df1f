// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { SolvedIcon } from '../../../src/renderer/components/row-icons'
import { TextLink } from '../../../src/renderer/components/row-link'
import { FoundCount, RecordBrowser } from '../../../src/renderer/ground/record-browser'
import { SelectField } from '../../../src/renderer/ground/select'
import { LoamError, toErrorShape } from '../../../src/shared/errors'
import { draw } from './render'

const problem = toErrorShape(
  new LoamError('BAD_INPUT', 'The memory is gone.', { suggestion: 'Open another.' }),
)
const ready = { openProblem: null, reload: () => Promise.resolve(), problem: null, status: 'ready' } as const
const parts = {
  title: 'Notes',
  one: 'note',
  bar: <p>Filters</p>,
  rows: <p>Rows</p>,
  nothing: <p>No notes yet</p>,
  open: null,
  invitation: 'Choose a note.',
}

it.each([
  [{ ...ready, total: 0 }, 'No notes yet'],
  [{ ...ready, total: 2, status: 'loading' as const }, 'Rows'],
  [{ ...ready, total: 2, status: 'failed' as const, problem }, 'The memory is gone.'],
])('shows what there is to show of a list: %o', (list, words) => {
  draw(<RecordBrowser {...parts} list={list} />)
  expect(screen.getByRole('region', { name: 'Notes' }).textContent).toContain(words)
})

it('invites to choose one only where there is one, and says why the chosen one cannot be read', () => {
  const list = { ...ready, total: 2 }
  const { rerender } = draw(<RecordBrowser {...parts} list={list} />)
  const open = screen.getByRole('region', { name: 'The open note' })
  expect(open.textContent).toBe('Choose a note.')
  rerender(<RecordBrowser {...parts} list={{ ...list, openProblem: problem }} />)
  expect(open.textContent).toContain('The memory is gone.')
  rerender(<RecordBrowser {...parts} open={<p>In full</p>} list={list} />)
  expect(open.textContent).toBe('In full')
})

it('says how many were found and how long that took', () => {
  draw(<FoundCount list={{ total: 1, ms: 0.42, status: 'ready' }} one="note" ranked />)
  expect(screen.getByRole('status').textContent).toBe('1 note, best first, 0.4 ms')
})

it('names a choice by its label, or by its own name where the label is not text', () => {
  const choice = { value: 'a', options: [{ value: 'a', label: 'Apples' }], onChange: () => undefined }
  draw(
    <>
      <SelectField label="Kind" hint="Of fruit." {...choice} />
      <SelectField label={<em>Other</em>} name="Other kind" {...choice} />
    </>,
  )
  expect(screen.getByRole('button', { name: 'Kind: Apples' })).toBeDefined()
  expect(screen.getByRole('button', { name: 'Other kind: Apples' })).toBeDefined()
  expect(screen.getByText('Of fruit.')).toBeDefined()
})

it('says in words what a row shows in shape, and leads elsewhere from within a sentence', async () => {
  const went = vi.fn()
  draw(
    <>
      <SolvedIcon reward={1} />
      <SolvedIcon reward={0} />
      <TextLink onClick={went}>See the models</TextLink>
    </>,
  )
  expect(screen.getByRole('img', { name: 'Solved' })).toBeDefined()
  expect(screen.getByRole('img', { name: 'Failed' })).toBeDefined()
  await userEvent.click(screen.getByRole('button', { name: 'See the models' }))
  expect(went).toHaveBeenCalledOnce()
})
