import { leftCount } from '../../../shared/domain/reading'
import type { StreamInfo } from '../../../shared/domain/task'
import { plural } from '../../components/format'
import { Term } from '../../components/term'
import { SelectField } from '../select'

interface StreamFieldProps {
  readonly stream: StreamInfo | null
  readonly streams: readonly StreamInfo[]
  readonly onChange: (id: string) => void
}

/** Which tasks to work through. */
export function StreamField({ stream, streams, onChange }: StreamFieldProps) {
  return (
    <SelectField
      label={<Term name="task stream">Stream</Term>}
      hint={stream ? streamHint(stream) : null}
      name="Stream"
      value={stream?.id ?? null}
      placeholder="No stream found"
      options={streams.map((item) => ({
        value: item.id,
        label: item.title,
        detail: item.description,
      }))}
      onChange={onChange}
    />
  )
}

function streamHint({ tasks, reading }: StreamInfo): string {
  const count = leftCount(reading)
  const restText = count > 0 ? `, ${plural(count, 'row')} left out` : ''
  return `${plural(tasks, 'task')}${restText}`
}
