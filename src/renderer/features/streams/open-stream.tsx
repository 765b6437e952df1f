import { FolderOpen } from 'lucide-react'
import { Field } from '../../components/field'
import { LineForm } from '../../ground/line-form'
import { useServices } from '../../stores/use-services'
import { useAddStream } from './use-add-stream'

/** Reads a task file by its path and adds it to the list, with what had to be skipped. */
export function OpenStream() {
  const { client } = useServices()
  const { ask } = useAddStream()
  return (
    <div className="border-t pt-5">
      <Field
        label="Open a task file"
        hint="A benchmark’s file as it is published (JSON, JSONL, CSV, Parquet, also packed), or a stream of your own. Rows that cannot be used are skipped and listed."
      >
        {(id) => (
          <LineForm
            id={id}
            placeholder="Full path of the file"
            button={{ label: 'Open', busy: 'Reading…', icon: FolderOpen }}
            onSubmit={(path) => ask(() => client.streams.inspect({ path }))}
          />
        )}
      </Field>
    </div>
  )
}
