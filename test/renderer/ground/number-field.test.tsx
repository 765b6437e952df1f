// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it } from 'vitest'
import { Form } from '../../../src/renderer/components/form'
import { NumberBox, NumberField, type NumberBoxProps } from '../../../src/renderer/ground/number-field'
import { NumberFields, decimal, optional, whole } from '../../../src/renderer/ground/number-fields'
import { draw } from './render'

function Held(props: { start: number; heard?: number[]; fraction?: boolean; above?: boolean }) {
  const [value, setValue] = useState(props.start)
  const rest: Omit<NumberBoxProps, 'value' | 'onChange' | 'optional'> = { label: 'K', bounds: [0, 64] }
  return (
    <>
      <NumberBox
        {...rest}
        {...(props.fraction && { fraction: true })}
        {...(props.above && { above: true })}
        value={value}
        onChange={(next) => {
          props.heard?.push(next)
          setValue(next)
        }}
      />
      <output>{value}</output>
    </>
  )
}

const field = () => screen.getByRole<HTMLInputElement>('textbox')

it('says why a number does not count while it is there, and what stays when it is left', async () => {
  draw(<Held start={4} />)
  await userEvent.clear(field())
  await userEvent.type(field(), '300')
  expect(screen.getByText('A whole number from 0 to 64.')).toBeDefined()
  expect(field().getAttribute('aria-invalid')).toBe('true')
  await userEvent.tab()
  expect(field().value).toBe('300')
  expect(screen.getByText('“300” is not a whole number from 0 to 64. Until it is, 30 counts.')).toBeDefined()
})

it('names what is described for a screen reader', async () => {
  draw(<Held start={4} />)
  await userEvent.clear(field())
  const note = screen.getByText('A whole number from 0 to 64.')
  expect(field().getAttribute('aria-describedby')).toBe(note.id)
  await userEvent.tab()
  expect(screen.getByText('Empty is not a whole number from 0 to 64. Until it is, 4 counts.')).toBeDefined()
  await userEvent.type(field(), '1')
  expect(screen.queryByText(/counts/)).toBeNull()
})

it('keeps its form from being sent with another number than the one that is read', async () => {
  const sent: number[] = []
  draw(
    <Form onSubmit={() => sent.push(1)}>
      <Held start={1} />
      <button type="submit">Generate</button>
    </Form>,
  )
  await userEvent.clear(field())
  await userEvent.type(field(), '-3')
  expect(field().checkValidity()).toBe(false)
  await userEvent.clear(field())
  await userEvent.type(field(), '3')
  expect(field().checkValidity()).toBe(true)
  await userEvent.click(screen.getByRole('button', { name: 'Generate' }))
  expect(sent).toEqual([1])
})

it('takes a comma for the point and keeps what is typed while it means the same', async () => {
  const heard: number[] = []
  draw(<Held start={1} fraction heard={heard} />)
  await userEvent.clear(field())
  await userEvent.type(field(), '0,50')
  expect(field().value).toBe('0,50')
  expect(heard.at(-1)).toBe(0.5)
})

it('keeps an open bound out', async () => {
  draw(<Held start={1} fraction above />)
  await userEvent.clear(field())
  await userEvent.type(field(), '0')
  expect(screen.getByText('A number above 0, 64 at most.')).toBeDefined()
  await userEvent.type(field(), '.5')
  expect(screen.getByText('0.5')).toBeDefined()
})

it('gives null for an emptied field that has a default', async () => {
  const heard: (number | null)[] = []
  draw(
    <NumberField
      label="Tasks"
      optional
      value={5}
      bounds={[1, 9]}
      placeholder="all"
      onChange={(value) => heard.push(value)}
    />,
  )
  await userEvent.clear(screen.getByLabelText('Tasks'))
  expect(heard).toEqual([null])
})

it('makes one field of each number of a form', async () => {
  const heard: unknown[] = []
  draw(
    <NumberFields
      fields={[
        whole('steps', 'Steps', 'At most.', [1, 9]),
        decimal('rate', 'Rate', null, [0, 1], 'Learning rate'),
      ]}
      values={{ steps: 3, rate: 0.5 }}
      onChange={(change) => heard.push(change)}
    />,
  )
  await userEvent.type(screen.getByLabelText('Learning rate'), '5')
  await userEvent.clear(screen.getByLabelText('Steps'))
  await userEvent.type(screen.getByLabelText('Steps'), '7')
  expect(heard).toEqual([{ rate: 0.55 }, { steps: 7 }])
})

it('a number of a form that may be left out gives null where it is emptied', async () => {
  const heard: unknown[] = []
  draw(
    <NumberFields
      fields={[optional(whole('most', 'Longest reply', null, [16, 4096]), '512')]}
      values={{ most: 20 as number | null }}
      onChange={(change) => heard.push(change)}
    />,
  )
  const field = screen.getByLabelText('Longest reply')
  expect(field.getAttribute('placeholder')).toBe('512')
  await userEvent.clear(field)
  expect(heard).toEqual([{ most: null }])
})
