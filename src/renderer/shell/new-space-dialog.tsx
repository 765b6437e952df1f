import { useState } from 'react'
import type { LoamErrorShape } from '../../shared/errors'
import { Button } from '../components/button'
import { Dialog } from '../components/dialog'
import { ErrorNotice } from '../components/error-notice'
import { useServices } from '../stores/use-services'

/** Asks for a name and makes a space. */
export function NewSpaceDialog({
  open,
  onOpenChange,
}: {
  open: boolean
  onOpenChange: (open: boolean) => void
}) {
  const { spaces } = useServices()
  const [name, setName] = useState('')
  const [problem, setProblem] = useState<LoamErrorShape | null>(null)
  const create = async () => {
    const failure = await spaces.getState().create(name.trim())
    setProblem(failure)
    if (failure) return
    setName('')
    onOpenChange(false)
  }
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title="New space"
      description="An empty memory. Choose it under Memory when you start a run."
    >
      <form
        className="flex flex-col gap-3 p-4"
        onSubmit={(event) => {
          event.preventDefault()
          void create()
        }}
      >
        <input
          aria-label="Name of the space"
          value={name}
          maxLength={80}
          placeholder="For example: bookings, second try"
          onChange={(event) => setName(event.target.value)}
          className="h-8 rounded-md border bg-surface px-2.5 placeholder:text-faint"
        />
        {problem ? <ErrorNotice problem={problem} /> : null}
        <div className="flex justify-end gap-2">
          <Button onClick={() => onOpenChange(false)}>Cancel</Button>
          <Button look="primary" type="submit" disabled={name.trim() === ''}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
