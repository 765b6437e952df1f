// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it, vi } from 'vitest'
import { RowLink } from '../../../src/renderer/components/row-link'
import { PlainTable } from '../../../src/renderer/ground/plain-table'
import { draw } from './render'

const rows = [
  { name: 'Apples', count: 3 },
  { name: 'Bread', count: 0 },
]

it('names each row by its first column, and sums up below where a column has a sum', () => {
  draw(
    <PlainTable
      caption="In the basket"
      columns={[
        { head: 'What', cell: ({ name }) => name, foot: 'All' },
        { head: 'How many', cell: ({ count }) => count, foot: 3 },
        { head: 'Words', words: true, cell: ({ count }) => (count > 0 ? 'some' : 'none') },
      ]}
      rows={rows}
      keyOf={({ name }) => name}
      isFaint={({ count }) => count === 0}
    />,
  )
  const table = screen.getByRole('table', { name: 'In the basket' })
  expect(
    within(table)
      .getAllByRole('columnheader')
      .map((head) => head.textContent),
  ).toEqual(['What', 'How many', 'Words'])
  expect(
    within(table)
      .getAllByRole('row')
      .map((row) => row.textContent),
  ).toEqual(['WhatHow manyWords', 'Apples3some', 'Bread0none', 'All3'])
  expect(within(table).getByRole('rowheader', { name: 'Bread' }).closest('tr')?.className).toContain(
    'opacity',
  )
})

it('has no last row where nothing is summed up', () => {
  draw(
    <PlainTable
      caption="In the basket"
      columns={[{ head: 'What', cell: ({ name }) => name }]}
      rows={rows}
      keyOf={({ name }) => name}
    />,
  )
  expect(screen.getAllByRole('row')).toHaveLength(3)
})

it('opens what a row is about', async () => {
  const opened = vi.fn()
  draw(<RowLink onClick={opened}>A long name</RowLink>)
  await userEvent.click(screen.getByRole('button', { name: 'A long name' }))
  expect(opened).toHaveBeenCalledOnce()
})
