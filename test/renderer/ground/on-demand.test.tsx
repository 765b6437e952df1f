// @vitest-environment happy-dom
import { act, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { onDemand } from '../../../src/renderer/ground/on-demand'

const Words = ({ text }: { text: string }) => <p>{text}</p>

it('a part that was loaded ahead of time is drawn in the same stroke, and is loaded once', async () => {
  let loads = 0
  const part = onDemand(() => Promise.resolve(Words).finally(() => (loads += 1)))
  await Promise.all([part.warm(), part.warm()])
  const { container } = render(<part.Part text="here" />)
  expect(container.textContent).toBe('here')
  expect(loads).toBe(1)
})

it('a part that is not there yet appears when it is, and what cannot be loaded is said and tried again', async () => {
  let isReachable = false
  const part = onDemand(() => (isReachable ? Promise.resolve(Words) : Promise.reject(new Error('no answer'))))
  const { container } = render(<part.Part text="here" />)
  expect(container.textContent).toBe('')
  await act(() => part.warm())
  expect(screen.getByRole('alert').textContent).toContain('no answer')
  isReachable = true
  await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
  expect(await screen.findByText('here')).toBeTruthy()
})
