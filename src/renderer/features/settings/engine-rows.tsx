import { BOUNDS } from '../../../shared/domain/bounds'
import type { Settings } from '../../../shared/domain/memory-info'
import { optionsOf } from '../../components/options'
import { NumberBox } from '../../ground/number-field'
import { Select } from '../../ground/select'
import { SettingRow, SwitchRow } from '../../ground/setting-row'
import { useStored } from '../../stores/use-services'

const BACKENDS = optionsOf({ auto: 'Automatic', cuda: 'CUDA', vulkan: 'Vulkan', metal: 'Metal' })
const FLASH = optionsOf({ auto: 'Automatic', on: 'On', off: 'Off' })
const CACHES = optionsOf({ f16: '16 bits', q8_0: '8 bits' })
const REUSES = optionsOf({ exact: 'Exact', fast: 'Fast' })

/** By what and how model files are computed. */
export function EngineRows({
  settings,
  save,
}: {
  settings: Settings
  save: (change: Partial<Settings>) => Promise<boolean>
}) {
  return (
    <>
      <SettingRow title="GPU layers" text="How much of a model goes to the graphics card, if there is one.">
        <GpuChoice value={settings.gpuLayers} onChange={(gpuLayers) => void save({ gpuLayers })} />
      </SettingRow>
      <SettingRow
        title="Graphics card by"
        text="What llama.cpp speaks to the card with. Automatic takes what it finds; what was chosen and cannot be used is refused, with the reason."
      >
        <Select
          label="Graphics card by"
          className="w-48"
          value={settings.gpuBackend}
          options={BACKENDS}
          onChange={(gpuBackend) => void save({ gpuBackend })}
        />
      </SettingRow>
      <CardRows settings={settings} save={save} />
      <SettingRow
        title="Flash attention"
        text="A quicker way to compute the same in less memory. Automatic uses it where model and card can. On is ignored by a model that cannot."
      >
        <Select
          label="Flash attention"
          className="w-48"
          value={settings.flashAttention}
          options={FLASH}
          onChange={(flashAttention) => void save({ flashAttention })}
        />
      </SettingRow>
      <SettingRow
        title="Cache"
        text="How a model keeps what it has read. 8 bits take half of the memory, so that longer texts fit. They need flash attention, move answers a little, and are new in llama.cpp: where the engine ends by them, go back to 16."
      >
        <Select
          label="Cache"
          className="w-48"
          value={settings.cacheType}
          options={CACHES}
          onChange={(cacheType) => void save({ cacheType })}
        />
      </SettingRow>
      <SettingRow
        title="Processor threads"
        text="One is often the fastest on a small or busy machine, many on a large one. Measured, a model is tried with several when it is first loaded."
      >
        <MeasuredChoice
          of="threads"
          value={settings.threads}
          onChange={(threads) => void save({ threads })}
        />
      </SettingRow>
      <SettingRow
        title="Processes side by side"
        text="Experiments with a small model work on several cells at once, each in a process of its own, and with the same results. Measured, as many as are quicker."
      >
        <MeasuredChoice
          of="engineProcesses"
          value={settings.engineProcesses}
          onChange={(engineProcesses) => void save({ engineProcesses })}
        />
      </SettingRow>
      <SettingRow
        title="Reading again"
        text="Exact, a model reads its own replies again, so that an answer depends on its question alone. Fast, it does not. Runs are always exact."
      >
        <Select
          label="Reading again"
          className="w-48"
          value={settings.promptReuse}
          options={REUSES}
          onChange={(promptReuse) => void save({ promptReuse })}
        />
      </SettingRow>
    </>
  )
}

const CARDS = optionsOf({ auto: 'All', number: 'One of them' })

/** Which of several cards, and whether encoders go there. Libraries read both when they begin, so they count from the next start. */
function CardRows({ settings, save }: Parameters<typeof EngineRows>[0]) {
  const { gpuCard, encodersOnCard } = settings
  const models = useStored('engine', ({ data }) => data?.models)
  const names = [...new Set(models?.flatMap(({ cards = [] }) => cards))]
  return (
    <>
      <SettingRow
        title="Which graphics card"
        text={`Where there are several. The first has the number 0. Counts from the next start.${names.length > 0 ? ` In use: ${names.join(', ')}.` : ''}`}
      >
        <div className="flex gap-2">
          <Select
            label="Which graphics card"
            className="w-48"
            value={gpuCard === 'auto' ? 'auto' : 'number'}
            options={CARDS}
            onChange={(choice) => void save({ gpuCard: choice === 'auto' ? 'auto' : 0 })}
          />
          {gpuCard === 'auto' ? null : (
            <NumberBox
              label="Number of the graphics card"
              className="w-20"
              value={gpuCard}
              bounds={BOUNDS.gpuCard}
              onChange={(next) => void save({ gpuCard: next })}
            />
          )}
        </div>
      </SettingRow>
      <SwitchRow
        title="ONNX on the graphics card"
        text="On: embedding models in ONNX are computed by the card where that gives the processor’s vectors. Not measured on any card. Counts from the next start."
        checked={encodersOnCard}
        onChange={(next) => void save({ encodersOnCard: next })}
      />
    </>
  )
}

type GpuLayers = Settings['gpuLayers']

const CHOICES = optionsOf({
  auto: 'As many as fit',
  max: 'All layers',
  cpu: 'None, processor only',
  number: 'A set number',
})

/** Layers on the GPU: automatic, all, none, or exactly N. */
function GpuChoice({ value, onChange }: { value: GpuLayers; onChange: (value: GpuLayers) => void }) {
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

const MEASURED = [
  { value: 'auto', label: 'As measured' },
  { value: 'number', label: 'A number' },
] as const

const WORDS = {
  threads: { label: 'Processor threads', number: 'Number of threads' },
  engineProcesses: { label: 'Processes side by side', number: 'Number of processes' },
} as const

/** How many threads or processes a model is worked out with: as measured, or a number. */
function MeasuredChoice({
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
        options={MEASURED}
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
