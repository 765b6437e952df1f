import { BOUNDS } from '../../../shared/domain/bounds'
import type { Settings } from '../../../shared/domain/memory-info'
import { NumberBox } from '../../ground/number-field'
import { Select } from '../../ground/select'

const CHOICES = [
  { value: 'auto', label: 'As measured' },
  { value: 'number', label: 'A number' },
] as const

/** How many threads a model is worked out with: as measured, or a number. */
export function ThreadsChoice({
  value,
  onChange,
}: {
  value: Settings['threads']
  onChange: (value: Settings['threads']) => void
}) {
  return (
    <div className="flex gap-2">
      <Select
        label="Processor threads"
        className="w-48"
        value={value === 'auto' ? 'auto' : 'number'}
        options={CHOICES}
        onChange={(choice) => onChange(choice === 'number' ? 1 : choice)}
      />
      {value === 'auto' ? null : (
        <NumberBox
          label="Number of threads"
          className="w-20"
          value={value}
          bounds={BOUNDS.threads}
          onChange={onChange}
        />
      )}
    </div>
  )
}
