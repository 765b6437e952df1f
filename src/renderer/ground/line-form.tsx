import type { IconType } from '../components/icons'
import { useState } from 'react'
import type { LoamErrorShape } from '../../shared/errors'
import { Button } from '../components/button'
import { ErrorNotice } from '../components/error-notice'
import { Form } from '../components/form'

/** One line to type and one button: a path to open, a folder to add, words to search for. Emptied once it was taken. */
export function LineForm(props: {
  id?: string
  /** Its name where no label says it. */
  label?: string
  placeholder: string
  button: { readonly label: string; readonly busy?: string; readonly icon: IconType }
  /** Words that say what is shown below stay. Default: they go once they were taken. */
  stays?: boolean
  /** Gets the text without memories around it. Resolves to why it was refused, or to null. */
  onSubmit(text: string): Promise<LoamErrorShape | null>
}) {
  const [text, setText] = useState('')
  const [busy, setBusy] = useState(false)
  const [problem, setProblem] = useState<LoamErrorShape | null>(null)
  const submit = async () => {
    setBusy(true)
    const refusal = await props.onSubmit(text.trim())
    setBusy(false)
    setProblem(refusal)
    if (!refusal && !props.stays) setText('')
  }
  const { label, busy: meanwhile = label, icon } = props.button
  return (
    <Form
      className="flex flex-col gap-3"
      onSubmit={() => {
        if (text.trim() !== '') void submit()
      }}
    >
      <div className="flex gap-2">
        <input
          id={props.id}
          aria-label={props.label}
          placeholder={props.placeholder}
          spellCheck={false}
          value={text}
          onChange={(event) => setText(event.target.value)}
          className="h-8 min-w-0 flex-1 rounded-md border bg-surface px-2.5 placeholder:text-faint"
        />
        <Button type="submit" icon={icon} disabled={busy || text.trim() === ''}>
          {busy ? meanwhile : label}
        </Button>
      </div>
      {problem ? <ErrorNotice problem={problem} onRetry={() => void submit()} /> : null}
    </Form>
  )
}
