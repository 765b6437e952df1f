import type { Settings } from '../../../shared/domain/memory-info'
import { optionsOf } from '../../components/options'
import { NumberBox } from '../../ground/number-field'
import { Select } from '../../ground/select'

type GpuLayers = Settings['gpuLayers']

const CHOICES = optionsOf({
  auto: 'As many as fit',
  max: 'All layers',
  cpu: 'None, processor only',
  number: 'A set number',
})

/** Layers on the GPU: automatic, all, none, or exactly N. */
export function GpuChoice({ value, onChange }: { value: GpuLayers; onChange: (value: GpuLayers) => void }) {
  return (
    <div className="flex gap-2">
      <Select
        label="GPU layers"
        className="w-48"
        value={typeof value === 'number' ? 'number' : value}
        options={CHOICES}
        onChange={(choice) => onChange(choice === 'number' ? 16 : choice)}
      />
      {typeof value === 'number' ? (
        <NumberBox
          label="Number of layers"
          className="w-20"
          value={value}
          bounds={[0, 999]}
          onChange={onChange}
        />
      ) : null}
    </div>
  )
}
