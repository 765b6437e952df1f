// @vitest-environment happy-dom
import { act, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { createUiStore } from '../../../src/renderer/stores/ui'
import { Tour, TOUR } from '../../../src/renderer/shell/tour'
import { draw } from '../ground/render'

it('walks through the screens and back, and ends with Escape or at the last one', async () => {
  const ui = createUiStore()
  draw(<Tour />, { ui })
  expect(screen.queryByRole('complementary', { name: 'Tour' })).toBeNull()
  act(() => ui.getState().setTourStep(0))
  const seen = [ui.getState().screen]
  for (let step = 1; step < TOUR.length; step += 1) {
    await userEvent.click(screen.getByRole('button', { name: 'Next' }))
    seen.push(ui.getState().screen)
  }
  expect(seen).toEqual(TOUR.map((step) => step.screen))
  await userEvent.click(screen.getByRole('button', { name: 'Back' }))
  expect(ui.getState().screen).toBe(TOUR.at(-2)?.screen)
  await userEvent.click(screen.getByRole('button', { name: 'Next' }))
  await userEvent.click(screen.getByRole('button', { name: 'Done' }))
  expect(screen.queryByRole('complementary', { name: 'Tour' })).toBeNull()
  act(() => ui.getState().setTourStep(2))
  await userEvent.keyboard('{Escape}')
  expect(ui.getState().tourStep).toBeNull()
})

it('each step has the focus on another heading, which says the text and how far it is', () => {
  const ui = createUiStore()
  draw(<Tour />, { ui })
  const headings = TOUR.map((step, index) => {
    act(() => ui.getState().setTourStep(index))
    const heading = document.activeElement
    const ids = heading?.getAttribute('aria-describedby')?.split(' ') ?? []
    const text = ids.map((id) => document.getElementById(id)?.textContent).join(' ')
    expect([heading?.textContent, text]).toEqual([step.title, `${step.text} ${index + 1} of ${TOUR.length}`])
    return heading
  })
  expect(new Set(headings).size).toBe(TOUR.length)
})

it('can be read in two minutes', () => {
  const words = TOUR.flatMap(({ title, text }) => `${title} ${text}`.split(/\s+/)).length
  // 200 words a minute is an ordinary pace.
  expect(words).toBeLessThan(400)
})
