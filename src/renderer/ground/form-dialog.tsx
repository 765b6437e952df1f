import type { IconType } from '../components/icons'
import { useState, type ReactNode } from 'react'
import type { LoamErrorShape } from '../../shared/errors'
import { Button } from '../components/button'
import { Dialog } from '../components/dialog'
import { ErrorNotice } from '../components/error-notice'
import { Form } from '../components/form'
import { TextField } from './text-field'

export interface FormDialogProps {
  title: string
  /** One sentence under the title. */
  description: string
  className?: string
  /** Words and icon of the button that submits, and its words meanwhile (default: the same). */
  submit: { readonly label: string; readonly busy?: string; readonly icon?: IconType }
  /** Whether what was entered can be submitted. Default true. */
  ready?: boolean
  /** Beside the buttons: what is missing. */
  note?: string
  /** An error from before anything was submitted. */
  problem?: LoamErrorShape | null
  /** Resolves to why it was refused, which is shown; to null when it is done, which closes the dialog. Never rejects. */
  onSubmit(): Promise<LoamErrorShape | null>
  onClose(): void
  children: ReactNode
}

/** A form in a modal dialog. It is there while it is open, so what was typed begins anew each time. */
export function FormDialog(props: FormDialogProps) {
  const [refused, setRefused] = useState<LoamErrorShape | null>(null)
  const [busy, setBusy] = useState(false)
  const submit = async () => {
    setBusy(true)
    const refusal = await props.onSubmit()
    setBusy(false)
    setRefused(refusal)
    if (!refusal) props.onClose()
  }
  const problem = refused ?? props.problem
  const { label, busy: meanwhile = label, icon } = props.submit
  return (
    <Dialog
      onClose={props.onClose}
      title={props.title}
      description={props.description}
      {...(props.className !== undefined && { className: props.className })}
    >
      <Form className="flex min-h-0 flex-1 flex-col" onSubmit={() => void submit()}>
        <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
          {problem ? (
            <ErrorNotice problem={problem} {...(refused && { onRetry: () => void submit() })} />
          ) : null}
          {props.children}
        </div>
        <div className="flex items-center justify-end gap-2 border-t p-3">
          {props.note ? <p className="min-w-0 flex-1 text-xs text-muted">{props.note}</p> : null}
          <Button onClick={props.onClose}>Cancel</Button>
          <Button
            look="primary"
            type="submit"
            disabled={busy || props.ready === false}
            {...(icon && { icon })}
          >
            {busy ? meanwhile : label}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

type NameDialogProps = Pick<FormDialogProps, 'title' | 'description' | 'submit' | 'onClose'> & {
  /** What the field is called. Default: `Name`. */
  label?: string
  /** What it is called now. Default: nothing. */
  name?: string
  /** Whether it may go without a name. Default false. */
  optional?: boolean
  maxLength: number
  placeholder?: string
  /** Gets the name without space around it. */
  onName(name: string): Promise<LoamErrorShape | null>
}

/** Asks what something is to be called. */
export function NameDialog(props: NameDialogProps) {
  const { label = 'Name', name = '', optional, maxLength, placeholder, onName, ...form } = props
  const [text, setText] = useState(name)
  return (
    <FormDialog
      {...form}
      ready={optional === true || text.trim() !== ''}
      onSubmit={() => onName(text.trim())}
    >
      <TextField label={label} value={text} {...{ maxLength, placeholder }} onChange={setText} />
    </FormDialog>
  )
}
