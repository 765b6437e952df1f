// @vitest-environment happy-dom
import { act, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { expect, it, vi } from 'vitest'
import { Button } from '../../../src/renderer/components/button'
import { FormDialog } from '../../../src/renderer/ground/form-dialog'
import { LineForm } from '../../../src/renderer/ground/line-form'
import { RecordList } from '../../../src/renderer/ground/record-list'
import { Select } from '../../../src/renderer/ground/select'
import { useQuery } from '../../../src/renderer/ground/use-query'
import { LoamError, toErrorShape } from '../../../src/shared/errors'
import { Plus } from '../../../src/renderer/components/icons'
import { draw } from './render'

const refusal = toErrorShape(
  new LoamError('BAD_INPUT', 'The name is taken.', { suggestion: 'Choose another.' }),
)

it('keeps a form dialog open with the reason when it is refused, and closes it when it is done', async () => {
  const answers = [refusal, null]
  const closed = vi.fn()
  draw(
    <FormDialog
      title="New memory"
      description="An empty memory."
      submit={{ label: 'Create' }}
      onSubmit={() => Promise.resolve(answers.shift() ?? null)}
      onClose={closed}
    >
      <input aria-label="Name" />
    </FormDialog>,
  )
  await userEvent.click(screen.getByRole('button', { name: 'Create' }))
  expect(screen.getByRole('alert').textContent).toContain('The name is taken.')
  expect(closed).not.toHaveBeenCalled()
  await userEvent.click(screen.getByRole('button', { name: 'Create' }))
  expect(closed).toHaveBeenCalledOnce()
})

it('does not submit a form dialog that is not ready', () => {
  draw(
    <FormDialog
      title="t"
      description="d"
      submit={{ label: 'Save' }}
      ready={false}
      note="A name is missing."
      onSubmit={() => Promise.resolve(null)}
      onClose={() => undefined}
    >
      {null}
    </FormDialog>,
  )
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  expect(screen.getByText('A name is missing.')).toBeDefined()
})

it('chooses with the keyboard, and says what is chosen', async () => {
  function Held() {
    const [value, setValue] = useState<'a' | 'b'>('a')
    return (
      <Select<'a' | 'b'>
        label="Kind"
        value={value}
        options={[
          { value: 'a', label: 'Apples' },
          { value: 'b', label: 'Bread', detail: 'Baked today.' },
        ]}
        onChange={setValue}
      />
    )
  }
  draw(<Held />)
  screen.getByRole('button', { name: 'Kind: Apples' }).focus()
  await userEvent.keyboard('{Enter}')
  expect(screen.getByRole('menuitemradio', { name: /Bread/ }).textContent).toContain('Baked today.')
  await userEvent.keyboard('{ArrowDown}{Enter}')
  expect(screen.getByRole('button', { name: 'Kind: Bread' })).toBeDefined()
})

it('moves through records with the keys and deletes the open one', async () => {
  const opened: number[] = []
  const deleted: number[] = []
  function Held() {
    const [at, setAt] = useState(-1)
    return (
      <RecordList
        label="Records"
        count={100}
        at={at}
        onOpen={(index) => {
          opened.push(index)
          setAt(index)
        }}
        onDelete={(index) => deleted.push(index)}
        row={(index) => `Record ${index}`}
      />
    )
  }
  draw(<Held />)
  screen.getByRole('listbox', { name: 'Records' }).focus()
  await userEvent.keyboard('{ArrowDown}{ArrowDown}{PageDown}{Delete}{End}{ArrowDown}{Home}{ArrowUp}')
  expect(opened).toEqual([0, 1, 11, 12, 99, 99, 0, 0])
  expect(deleted).toEqual([11])
  const list = screen.getByRole('listbox', { name: 'Records' })
  expect(list.getAttribute('aria-activedescendant')).toMatch(/-0$/)
})

it('empties a line once it was taken, and keeps it with the reason otherwise', async () => {
  const taken: string[] = []
  draw(
    <LineForm
      label="Folder"
      placeholder="Full path"
      button={{ label: 'Add', icon: Plus }}
      onSubmit={(text) => {
        taken.push(text)
        return Promise.resolve(taken.length === 1 ? refusal : null)
      }}
    />,
  )
  const line = screen.getByRole<HTMLInputElement>('textbox', { name: 'Folder' })
  await userEvent.type(line, ' /here {Enter}')
  expect(line.value).toBe(' /here ')
  expect(screen.getByRole('alert').textContent).toContain('Choose another.')
  await userEvent.type(line, '{Enter}')
  expect(line.value).toBe('')
  expect(taken).toEqual(['/here', '/here'])
})

it('never shows an answer about another subject, and asks again on demand', async () => {
  const questions: { subject: string; answer: (text: string) => void; refuse: (error: Error) => void }[] = []
  function Asking({ subject }: { subject: string }) {
    const { data, problem, reload } = useQuery(
      subject,
      () =>
        new Promise<string>((answer, refuse) => {
          questions.push({ subject, answer, refuse })
        }),
    )
    return (
      <>
        <output>{problem?.code ?? data ?? 'nothing yet'}</output>
        <Button onClick={reload}>Again</Button>
      </>
    )
  }
  const shown = () => screen.getByRole('status').textContent
  const { rerender } = draw(<Asking subject="a" />)
  rerender(<Asking subject="b" />)
  await act(async () => questions[1]?.answer('about b'))
  await act(async () => questions[0]?.answer('about a'))
  expect(shown()).toBe('about b')
  rerender(<Asking subject="c" />)
  expect(shown()).toBe('nothing yet')
  await act(async () => questions[2]?.refuse(new LoamError('NOT_FOUND', 'It is gone.', { suggestion: '-' })))
  expect(shown()).toBe('NOT_FOUND')
  await userEvent.click(screen.getByRole('button', { name: 'Again' }))
  await waitFor(() => expect(questions).toHaveLength(4))
  await act(async () => questions[3]?.answer('about c'))
  expect(shown()).toBe('about c')
})
