import { FileUp, FolderOpen } from '../../components/icons'
import { useState } from 'react'
import type { LoamErrorShape } from '../../../shared/errors'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Field } from '../../components/field'
import { readFileBase64 } from '../../ground/bytes'
import { FilePicker, ROW_ENDINGS } from '../../ground/file-picker'
import { LineForm } from '../../ground/line-form'
import { useServices } from '../../stores/use-services'
import { useAddStream } from './use-add-stream'

/** Reads a task file by its path and adds it to the list, with what had to be skipped. */
export function OpenStream() {
  const { client } = useServices()
  const { ask } = useAddStream()
  const [problem, setProblem] = useState<LoamErrorShape | null>(null)
  /** Keeps a copy: a browser does not tell where a chosen file lies. */
  const take = async (file: File) =>
    setProblem(
      await ask(
        async () => client.streams.take({ fileName: file.name, base64: await readFileBase64(file) }),
        'is kept',
      ),
    )
  return (
    <div className="border-t pt-5">
      <Field
        label="Open a task file"
        hint="A benchmark’s file as it is published (JSON, JSONL, CSV, Parquet, a workbook, also packed), or a stream of your own. Rows that cannot be used are skipped and listed."
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
      <div className="mt-3 flex flex-col items-start gap-3">
        <FilePicker
          label="Task file to copy"
          accept={ROW_ENDINGS}
          onFiles={([file]) => void (file && take(file))}
        >
          {(pick) => (
            <Button icon={FileUp} onClick={pick}>
              Choose a task file
            </Button>
          )}
        </FilePicker>
        {problem ? <ErrorNotice problem={problem} /> : null}
      </div>
    </div>
  )
}
