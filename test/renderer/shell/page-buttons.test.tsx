// @vitest-environment happy-dom
import { render, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { Menu, MenuItem } from '../../../src/renderer/ground/menu'
import { pageButtons } from '../../../src/renderer/shell/page-buttons'

it('offers what can be pressed on the screen, by name, each once, and not what is switched off', () => {
  const pressed = vi.fn()
  render(
    <>
      <button type="button">Outside of the screen</button>
      <main>
        <button type="button" onClick={() => pressed('start')}>
          Start run
        </button>
        <button type="button" aria-label="Rename this" onClick={() => pressed('rename')}>
          <svg />
        </button>
        <button type="button" aria-label="Rename this" />
        <button type="button" disabled>
          Pause
        </button>
        <div role="group" aria-label="Rate over">
          <button type="button" onClick={() => pressed('all')}>
            All so far
          </button>
        </div>
      </main>
    </>,
  )
  const buttons = pageButtons()
  expect(buttons.map(({ name }) => name)).toEqual(['Start run', 'Rename this', 'Rate over: All so far'])
  for (const { press } of buttons) press()
  expect(pressed.mock.calls.flat()).toEqual(['start', 'rename', 'all'])
})

it('opens a menu as its key would', async () => {
  render(
    <main>
      <Menu label="More" trigger={<button type="button">More</button>}>
        <MenuItem onSelect={() => undefined}>Export</MenuItem>
      </Menu>
    </main>,
  )
  pageButtons()[0]?.press()
  expect(await screen.findByRole('menuitem', { name: 'Export' })).toBeDefined()
})
