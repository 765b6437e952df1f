import { useStore } from 'zustand'
import { cannotWrite, changedPromptsText, paceWords, type ModelInfo } from '../../../shared/domain/model'
import { formatBytes } from '../../components/format'
import { SelectField } from '../select'
import { useServices } from '../../stores/use-services'

interface ModelFieldProps {
  readonly model: ModelInfo | null
  readonly models: readonly ModelInfo[]
  readonly onChange: (path: string) => void
}

/** Which GGUF acts. Says what is special about the chosen one. */
export function ModelField({ model, models, onChange }: ModelFieldProps) {
  const looking = useStore(useServices().models, ({ data }) => data === null)
  return (
    <SelectField
      label="Model"
      hint={model ? modelHint(model) : null}
      value={model?.path ?? null}
      placeholder={looking ? 'Looking for models…' : 'No model found'}
      options={models.map((item) => ({
        value: item.path,
        label: item.name,
        detail:
          cannotWrite(item) ??
          `${item.sizeBytes === 0 ? 'on a model server' : formatBytes(item.sizeBytes)}${item.demo ? ', demo model' : ''}${item.foundIn === undefined ? '' : `, ${item.foundIn}`}${item.speed ? `, ${paceWords(item.speed)}` : ''}`,
        disabled: cannotWrite(item) !== null,
      }))}
      onChange={onChange}
    />
  )
}

const modelHint = (model: ModelInfo): string | null =>
  changedPromptsText(model) ??
  (model.demo ? 'A tiny specialist for the demo streams, not for real work.' : null)
