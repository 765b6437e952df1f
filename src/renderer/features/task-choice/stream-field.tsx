import type { StreamInfo } from '../../../shared/domain/task'
import { Field } from '../../components/field'
import { plural } from '../../components/format'
import { Select } from '../../components/select'
import { Term } from '../../components/term'

interface StreamFieldProps {
  readonly stream: StreamInfo | null
  readonly streams: readonly StreamInfo[]
  readonly onChange: (id: string) => void
}

/** Which tasks to work through. */
export function StreamField({ stream, streams, onChange }: StreamFieldProps) {
  return (
    <Field label={<Term name="task stream">Stream</Term>} hint={stream ? streamHint(stream) : null}>
      {(id) => (
        <Select
          id={id}
          label="Stream"
          value={stream?.id ?? null}
          placeholder="No stream found"
          options={streams.map((item) => ({
            value: item.id,
            label: item.title,
            detail: item.description,
          }))}
          onChange={onChange}
        />
      )}
    </Field>
  )
}

function streamHint({ tasks, skipped }: StreamInfo): string {
  const left = skipped.length > 0 ? `, ${plural(skipped.length, 'row')} skipped` : ''
  return `${plural(tasks, 'task')}${left}`
}
