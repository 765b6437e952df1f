import { ASK_TOKENS, type ProjectSettings } from '../../../shared/domain/ask'
import { BOUNDS } from '../../../shared/domain/bounds'
import { NumberField } from '../../ground/number-field'

type Sampling = Pick<ProjectSettings, 'temperature' | 'topP' | 'maxTokens'>

/** How freely a model chooses its words, and how long it may answer: of an ask or of a project. */
export function SamplingFields(props: { sampling: Sampling; onChange(change: Partial<Sampling>): void }) {
  const { sampling, onChange } = props
  return (
    <div className="grid grid-cols-2 gap-x-4 gap-y-3">
      <NumberField
        label="Temperature"
        hint="0: the likeliest words. 1 and above: freer ones."
        fraction
        optional
        placeholder="As suits the model"
        bounds={BOUNDS.temperature}
        value={sampling.temperature}
        onChange={(temperature) => onChange({ temperature })}
      />
      <NumberField
        label="Top-p"
        hint="Chooses from the likeliest words that together have this share. 1: from all."
        fraction
        optional
        placeholder="As suits the model"
        bounds={BOUNDS.topP}
        value={sampling.topP}
        onChange={(topP) => onChange({ topP })}
      />
      <NumberField
        label="Longest answer, in tokens"
        optional
        placeholder={String(ASK_TOKENS)}
        bounds={BOUNDS.askTokens}
        value={sampling.maxTokens}
        onChange={(maxTokens) => onChange({ maxTokens })}
      />
    </div>
  )
}
