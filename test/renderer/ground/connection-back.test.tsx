// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { connection } from '../../../src/renderer/client'
import { CopyLine } from '../../../src/renderer/ground/copy-line'
import { RefusedNotice } from '../../../src/renderer/ground/refused-notice'
import { useQuery } from '../../../src/renderer/ground/use-query'
import { ConnectionBanner } from '../../../src/renderer/shell/connection-banner'
import { LoamError, toErrorShape } from '../../../src/shared/errors'
import { draw } from './render'

const lostError = new LoamError('CONNECTION_LOST', 'Loam did not answer.', { suggestion: 'Wait a little.' })
const refusal = new LoamError('BAD_INPUT', 'Too long.', { suggestion: 'Say less.' })
const lose = () => act(() => connection.setState({ status: 'waiting', attempt: 1, retryAt: 0 }))
const come = () => act(() => connection.setState({ status: 'connected' }))

beforeEach(come)
afterEach(() => act(() => connection.setState({ status: 'connecting' })))

it('takes a notice of a lost connection away when the connection is back, and no other notice', () => {
  const dismissed = vi.fn()
  const { rerender } = draw(<RefusedNotice problem={null} onDismiss={dismissed} />)
  lose()
  rerender(<RefusedNotice problem={toErrorShape(lostError)} onDismiss={dismissed} />)
  expect(screen.getByRole('alert').textContent).toContain('The connection to Loam was lost')
  expect(dismissed).not.toHaveBeenCalled()
  come()
  expect(dismissed).toHaveBeenCalledTimes(1)

  rerender(<RefusedNotice problem={toErrorShape(refusal)} onDismiss={dismissed} />)
  lose()
  come()
  expect(dismissed).toHaveBeenCalledTimes(1)
})

it('asks again what the lost connection left unanswered', async () => {
  const ask = vi.fn(() => Promise.reject<string>(lostError))
  function Asked() {
    const { data, problem } = useQuery('subject', ask)
    return <p>{data ?? problem?.title}</p>
  }
  lose()
  draw(<Asked />)
  await screen.findByText('The connection to Loam was lost')
  ask.mockImplementation(() => Promise.resolve('Here it is.'))
  come()
  await screen.findByText('Here it is.')
  expect(ask).toHaveBeenCalledTimes(2)
})

it('says that the host answers again, to those who do not see the banner go', () => {
  draw(<ConnectionBanner />)
  expect(screen.queryByRole('status')).toBeNull()
  lose()
  const region = screen.getByRole('status')
  expect(region.textContent).toContain('does not answer')
  come()
  expect(screen.getByRole('status')).toBe(region)
  expect(region.textContent).toBe('Loam’s host answers again.')
  expect(region.className).toBe('sr-only')
})

it('shows dots for what is secret in a text until somebody asks to see it, and copies the text itself', async () => {
  const user = userEvent.setup()
  draw(<CopyLine label="configuration" text={'--header "Bearer s3cret" # s3cret'} secret="s3cret" />)
  expect(document.body.textContent).toContain('Bearer ••••')
  expect(document.body.textContent).not.toContain('s3cret')
  await user.click(screen.getByRole('button', { name: 'Copy configuration' }))
  await waitFor(async () =>
    expect(await navigator.clipboard.readText()).toBe('--header "Bearer s3cret" # s3cret'),
  )
  await user.click(screen.getByRole('button', { name: 'Show configuration' }))
  expect(document.body.textContent).toContain('Bearer s3cret')
  await user.click(screen.getByRole('button', { name: 'Hide configuration' }))
  expect(document.body.textContent).not.toContain('s3cret')
})
