import { FolderOpen } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Field } from '../../components/field'
import { useServices } from '../../stores/use-services'
import { useAddStream } from './use-add-stream'

/** Reads a task file by its path and adds it to the list, with what had to be skipped. */
export function OpenStream() {
  const { client } = useServices()
  const [path, setPath] = useState('')
  const { add, busy, problem } = useAddStream()
  const open = async () => {
    if (await add(() => client.streams.inspect({ path: path.trim() }))) setPath('')
  }
  return (
    <form
      className="flex flex-col gap-3 border-t pt-5"
      onSubmit={(event) => {
        event.preventDefault()
        void open()
      }}
    >
      <Field
        label="Open a task file"
        hint="A JSON or JSONL file in LifelongAgentBench’s form. Rows that cannot be used are skipped and listed."
      >
        {(id) => (
          <div className="flex gap-2">
            <input
              id={id}
              value={path}
              placeholder="Full path of the file"
              spellCheck={false}
              onChange={(event) => setPath(event.target.value)}
              className="h-8 min-w-0 flex-1 rounded-md border bg-surface px-2.5 placeholder:text-faint"
            />
            <Button type="submit" icon={FolderOpen} disabled={busy || path.trim() === ''}>
              {busy ? 'Reading…' : 'Open'}
            </Button>
          </div>
        )}
      </Field>
      {problem ? <ErrorNotice problem={problem} onRetry={() => void open()} /> : null}
    </form>
  )
}
