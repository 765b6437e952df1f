// @vitest-environment happy-dom
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { useStore } from 'zustand'
import { connection } from '../../../src/renderer/client'
import { DataTable } from '../../../src/renderer/ground/data-table'
import { DetailPane, PartTabs } from '../../../src/renderer/ground/detail-pane'
import { FilePicker } from '../../../src/renderer/ground/file-picker'
import { SearchField } from '../../../src/renderer/ground/search-field'
import { useUndo } from '../../../src/renderer/ground/use-undo'
import { WorkButtons } from '../../../src/renderer/ground/work-buttons'
import { AskDialog } from '../../../src/renderer/shell/ask-dialog'
import { createToastsStore } from '../../../src/renderer/stores/toasts'
import { createUiStore } from '../../../src/renderer/stores/ui'
import { LoamError, toErrorShape } from '../../../src/shared/errors'
import { draw } from './render'

describe('work that goes on', () => {
  beforeEach(() => connection.setState({ status: 'connected' }, true))

  const heard = { pause: vi.fn(), resume: vi.fn(), cancel: vi.fn() }
  const buttons = (status: string) => (
    <>
      <WorkButtons
        what="the run"
        work={{ status, done: 12, total: 120 }}
        pausable={['running', 'queued']}
        busy={null}
        onPause={heard.pause}
        onResume={heard.resume}
        onCancel={heard.cancel}
      />
      <AskDialog />
    </>
  )

  it('is cancelled only after the question, which offers to pause instead', async () => {
    draw(buttons('running'), { ui: createUiStore() })
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    const question = screen.getByRole('dialog', { name: 'Cancel the run?' })
    expect(question.textContent).toContain('12 of 120 tasks are done.')
    expect(heard.cancel).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('button', { name: 'Keep going' }))
    expect(heard.cancel).not.toHaveBeenCalled()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await userEvent.click(screen.getByRole('button', { name: 'Pause instead' }))
    expect(heard.pause).toHaveBeenCalledOnce()
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await userEvent.click(screen.getByRole('button', { name: 'Cancel the run' }))
    expect(heard.cancel).toHaveBeenCalledOnce()
  })

  it('can be told nothing while the host is gone', () => {
    connection.setState({ status: 'waiting', attempt: 1, retryAt: 0 }, true)
    draw(buttons('paused'), { ui: createUiStore() })
    for (const name of ['Resume', 'Cancel'])
      expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(true)
  })
})

it('keeps heads and names of a table, and marks rows and cut cells', () => {
  draw(
    <DataTable
      caption="Settings"
      first="Setting"
      columns={[
        { key: 'a', label: 'Replay', detail: 'seed 1' },
        { key: 'b', label: 'No memory' },
      ]}
      rows={2}
      nameOf={(row) => ['K', 'Model'][row]}
      cellOf={(row, column) => `${row}/${column}`}
      titleOf={(row, column) => `in full ${row}/${column}`}
      isStrong={(row) => row === 1}
    />,
  )
  expect(screen.getAllByRole('columnheader').map((head) => head.textContent?.trim())).toEqual([
    'Setting',
    'Replayseed 1',
    'No memory',
  ])
  expect(screen.getByRole('rowheader', { name: 'Model' })).toBeDefined()
  expect(screen.getByTitle('in full 1/0').className).toContain('font-medium')
  expect(screen.getByTitle('in full 0/1').textContent).toBe('0/1')
})

it('opens the parts of a record one at a time', async () => {
  draw(
    <DetailPane marks="Case" title="Count the invoices" lead="lab-db" actions={<button>Edit</button>}>
      <PartTabs
        label="Parts"
        parts={[
          { value: 'a', label: 'Text', content: 'the text' },
          { value: 'b', label: 'Source', content: 'the source' },
        ]}
      />
    </DetailPane>,
  )
  expect(screen.getByRole('heading', { name: 'Count the invoices' })).toBeDefined()
  expect(screen.getByRole('tabpanel').textContent).toBe('the text')
  await userEvent.click(screen.getByRole('tab', { name: 'Source' }))
  expect(screen.getByRole('tabpanel').textContent).toBe('the source')
})

it('takes a file, and the same one again', async () => {
  const taken: string[] = []
  draw(
    <FilePicker label="Log" accept=".txt" onFiles={([file]) => taken.push(file?.name ?? '')}>
      {(pick) => <button onClick={pick}>Choose</button>}
    </FilePicker>,
  )
  const file = new File(['text'], 'log.txt')
  await userEvent.upload(screen.getByLabelText('Log'), file)
  await userEvent.upload(screen.getByLabelText('Log'), file)
  expect(taken).toEqual(['log.txt', 'log.txt'])
})

it('goes to the search with a slash, except while something is being written', async () => {
  const typed: string[] = []
  draw(
    <>
      <SearchField label="Search cases" value="" onChange={(text) => typed.push(text)} />
      <textarea aria-label="Plan" />
    </>,
  )
  await userEvent.type(screen.getByLabelText('Plan'), '/')
  expect(document.activeElement).toBe(screen.getByLabelText('Plan'))
  screen.getByLabelText('Plan').blur()
  await userEvent.keyboard('/a')
  expect(document.activeElement).toBe(screen.getByRole('searchbox', { name: 'Search cases' }))
  expect(typed).toEqual(['a'])
})

it('offers to take back what was done, and says why where it was refused', async () => {
  const toasts = createToastsStore()
  const undone = vi.fn(() => Promise.resolve(null))
  const refusal = toErrorShape(new LoamError('NOT_FOUND', 'It is gone.', { suggestion: 'Look again.' }))
  function Part({ problem }: { problem: typeof refusal | null }) {
    const { change } = useUndo()
    const notes = useStore(toasts, (state) => state.toasts)
    const said = { title: 'Deleted', detail: 'Runs no longer recall it.' }
    return (
      <>
        <button onClick={() => void change(Promise.resolve(problem), said, undone)}>Delete</button>
        <output>{notes.map(({ title, detail }) => `${title}: ${detail}`).join('; ')}</output>
        <button onClick={() => notes.at(-1)?.action?.run()}>Undo</button>
      </>
    )
  }
  const { rerender } = draw(<Part problem={null} />, { toasts })
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(screen.getByRole('status').textContent).toBe('Deleted: Runs no longer recall it.')
  await userEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(undone).toHaveBeenCalledOnce()
  expect(toasts.getState().toasts).toEqual([])
  rerender(<Part problem={refusal} />)
  await userEvent.click(screen.getByRole('button', { name: 'Delete' }))
  expect(screen.getByRole('status').textContent).toContain('Look again.')
})
