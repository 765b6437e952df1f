// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, it } from 'vitest'
import { FormDialog } from '../../../src/renderer/ground/form-dialog'
import { SearchField } from '../../../src/renderer/ground/search-field'
import { isWriting } from '../../../src/renderer/ground/keys'
import { useSendKeys } from '../../../src/renderer/shell/use-send-keys'
import { draw } from '../ground/render'

const sent: string[] = []
const form = (name: string, sends = false, disabled = false) => (
  <form
    {...(sends && { 'data-sends': true })}
    onSubmit={(event) => {
      event.preventDefault()
      sent.push(name)
    }}
  >
    <textarea aria-label={name} />
    <button type="submit" disabled={disabled}>
      Send {name}
    </button>
  </form>
)
function Page(props: { dialog?: boolean; disabled?: boolean }) {
  useSendKeys()
  return (
    <>
      <button>Elsewhere</button>
      <input type="checkbox" aria-label="Box" />
      <SearchField label="Search" value="" onChange={() => undefined} />
      {form('correction')}
      {form('message', true, props.disabled)}
      {props.dialog ? (
        <FormDialog
          title="From step 1 on"
          description="Another try."
          submit={{ label: 'Try it' }}
          onClose={() => undefined}
          onSubmit={() => {
            sent.push('dialog')
            return Promise.resolve(null)
          }}
        >
          <textarea aria-label="Words" />
        </FormDialog>
      ) : null}
    </>
  )
}
const press = async () => {
  sent.length = 0
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  return [...sent]
}

it('Mod+Enter sends what the screen is about wherever the focus is, and the form that the focus is in', async () => {
  draw(<Page />)
  expect(await press()).toEqual(['message'])
  screen.getByRole('button', { name: 'Elsewhere' }).focus()
  expect(await press()).toEqual(['message'])
  screen.getByRole('textbox', { name: 'correction' }).focus()
  expect(await press()).toEqual(['correction'])
})

it('sends nothing that is not ready', async () => {
  draw(<Page disabled />)
  expect(await press()).toEqual([])
})

it('Mod+Enter submits an open dialog, and `/` in it does not search behind it', async () => {
  draw(<Page dialog />)
  screen.getByRole('textbox', { name: 'Words' }).focus()
  expect(await press()).toEqual(['dialog'])
  const close = screen.getByRole('button', { name: 'Close' })
  close.focus()
  await userEvent.keyboard('/')
  expect(document.activeElement).toBe(close)
})

it('takes a key for a character only where characters are written', () => {
  draw(<Page />)
  expect(isWriting(screen.getByRole('checkbox'))).toBe(false)
  expect(isWriting(screen.getByRole('searchbox'))).toBe(true)
  expect(isWriting(screen.getByRole('textbox', { name: 'message' }))).toBe(true)
  expect(isWriting(document.body)).toBe(false)
})
