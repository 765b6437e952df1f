// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor } from '@testing-library/react'
import { Plus } from '../../../src/renderer/components/icons'
import { Tooltip } from 'radix-ui'
import { useState, type ReactNode } from 'react'
import { expect, it } from 'vitest'
import { ErrorNotice } from '../../../src/renderer/components/error-notice'
import { Hint, IconButton, NamedButton } from '../../../src/renderer/components/icon-button'
import { Term } from '../../../src/renderer/components/term'
import { useAnswerSaid } from '../../../src/renderer/features/ask/ask-view'
import { TaskStrip } from '../../../src/renderer/features/run/task-strip'
import { TextField } from '../../../src/renderer/ground/text-field'
import { createToastsStore } from '../../../src/renderer/stores/toasts'
import type { AskDetail } from '../../../src/shared/domain/ask'
import type { RunInfo } from '../../../src/shared/domain/run'
import type { LoamErrorShape } from '../../../src/shared/errors'
import { draw } from './render'

const hinted = (children: ReactNode) => <Tooltip.Provider delayDuration={0}>{children}</Tooltip.Provider>

it('says a name, its keys and what a term means once, though a tooltip shows them too', async () => {
  draw(
    hinted(
      <>
        <p id="row">Case bank</p>
        <IconButton icon={Plus} label="Back" keys="Alt+←" aria-describedby="row" />
        <Term name="seed" />
        <Hint text="It works on the CPU.">
          <NamedButton aria-description="It works on the CPU.">Ready</NamedButton>
        </Hint>
      </>,
    ),
    {},
  )
  const button = screen.getByRole('button', { name: 'Back' })
  act(() => button.focus())
  await waitFor(() => expect(screen.getByRole('tooltip').textContent).toContain('Back'))
  expect(button.getAttribute('aria-describedby')).toBe('row')
  expect(button.getAttribute('aria-keyshortcuts')).toBe('Alt+ArrowLeft')
  const term = screen.getByText('seed')
  const meaning = term.getAttribute('aria-description')
  act(() => term.focus())
  await waitFor(() => expect(screen.getByRole('tooltip').textContent).toContain(meaning?.split('. ')[0]))
  expect(term.hasAttribute('aria-describedby')).toBe(false)
  const status = screen.getByRole('button', { name: 'Ready' })
  act(() => status.focus())
  await waitFor(() => expect(screen.getByRole('tooltip').textContent).toContain('CPU'))
  expect(status.hasAttribute('aria-describedby')).toBe(false)
})

it('says an error in one piece: what happened, why, and what to do', () => {
  const problem = { code: 'NOT_FOUND', title: 'Not found', cause: 'No file.', suggestion: 'Name one.' }
  draw(<ErrorNotice problem={{ ...problem, retryable: false } as LoamErrorShape} />)
  const alert = screen.getByRole('alert')
  expect(alert.querySelectorAll('p')).toHaveLength(1)
  expect(alert.textContent).toBe('Not foundNo file.Name one.')
})

it('says what a field wants with its name', () => {
  draw(<TextField label="Rows" hint="The first row names the columns." value="" onChange={() => {}} />)
  const field = screen.getByRole('textbox', { name: 'Rows' })
  const hint = document.getElementById(field.getAttribute('aria-describedby') ?? '')
  expect(hint?.textContent).toBe('The first row names the columns.')
})

function Tasks() {
  const [open, setOpen] = useState<number | null>(null)
  const run = { rewards: Array.from({ length: 120 }, (_, i) => i % 2), solved: 60, done: 120, total: 120 }
  return <TaskStrip run={run as unknown as RunInfo} open={open} live={null} onOpen={setOpen} />
}

it('gives who listens one task of a long run, and the others by arrows', () => {
  draw(<Tasks />, {})
  const group = screen.getByRole('group', { name: /^Tasks: 60 solved of 120 finished/ })
  const names = () => screen.getAllByRole('button').map((button) => button.getAttribute('aria-label'))
  expect(group.querySelectorAll('button')).toHaveLength(120)
  expect(names()).toEqual(['Task 120, solved'])
  fireEvent.keyDown(screen.getByRole('button'), { key: 'ArrowLeft' })
  expect(names()).toEqual(['Task 119, failed'])
  expect(document.activeElement?.getAttribute('aria-label')).toBe('Task 119, failed')
})

const answerTo = (answers: readonly string[], unread = false) =>
  ({
    ask: { unread },
    attempts: answers.map((content) => ({
      trajectory: { rounds: [{ action: { kind: 'answer', content } }] },
    })),
  }) as unknown as AskDetail

function Heard({ detail, active }: { detail: AskDetail; active: boolean }) {
  useAnswerSaid(detail, active)
  return null
}

it('says an answer when it comes, a long one by its beginning, and none that was there', () => {
  const toasts = createToastsStore()
  const told = () => toasts.getState().sayings.map(({ words }) => words)
  const show = { detail: answerTo(['Old.']), active: false }
  const { rerender } = draw(<Heard {...show} />, { toasts })
  rerender(<Heard detail={answerTo(['Old.'])} active />)
  expect(told()).toEqual([])
  rerender(<Heard detail={answerTo(['Old.', 'Rex.'], true)} active={false} />)
  rerender(<Heard detail={answerTo(['Old.', 'Rex.'])} active={false} />)
  expect(told()).toEqual(['The answer: Rex.'])
  rerender(<Heard detail={answerTo(['Old.', 'Rex.', 'word '.repeat(300)])} active={false} />)
  expect(told()[1]).toMatch(/^The answer: (?:word ?){80,82}… It goes on\.$/)
})

it('says an answer that came while nobody looked', () => {
  const toasts = createToastsStore()
  draw(<Heard detail={answerTo(['Rex.'], true)} active={false} />, { toasts })
  expect(toasts.getState().sayings.map(({ words }) => words)).toEqual(['The answer: Rex.'])
})
