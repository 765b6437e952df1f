import { BOUNDS } from '../../../shared/domain/bounds'
import type { Settings } from '../../../shared/domain/memory-info'
import { NumberBox } from '../../ground/number-field'
import { Select } from '../../ground/select'

const CHOICES = [
  { value: 'auto', label: 'As measured' },
  { value: 'number', label: 'A number' },
] as const

const WORDS = {
  threads: { label: 'Processor threads', number: 'Number of threads' },
  engineProcesses: { label: 'Processes side by side', number: 'Number of processes' },
} as const

/** How many threads or processes a model is worked out with: as measured, or a number. */
export function MeasuredChoice({
  of,
  value,
  onChange,
}: {
  of: keyof typeof WORDS
  value: Settings['threads']
  onChange: (value: Settings['threads']) => void
}) {
  return (
    <div className="flex gap-2">
      <Select
        label={WORDS[of].label}
        className="w-48"
        value={value === 'auto' ? 'auto' : 'number'}
        options={CHOICES}
        onChange={(choice) => onChange(choice === 'number' ? 1 : choice)}
      />
      {value === 'auto' ? null : (
        <NumberBox
          label={WORDS[of].number}
          className="w-20"
          value={value}
          bounds={BOUNDS[of]}
          onChange={onChange}
        />
      )}
    </div>
  )
}
