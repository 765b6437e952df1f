import { Plus } from '../../components/icons'
import { useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../components/button'
import { classNames } from '../../components/class-names'
import { NumberBox } from '../../ground/number-field'
import { Term } from '../../components/term'
import { useServices } from '../../stores/use-services'
import { BOUNDS } from '../../../shared/domain/bounds'

/** EvoSC's values. */
const USUAL = [0, 1, 4, 16, 32] as const

/** The values of K (EvoSC's Exp): the usual ones as switches, others by number. */
export function ExpChoice() {
  const { experimentForm } = useServices()
  const chosenNumbers = useStore(experimentForm, (state) => state.exp)
  const toggle = useStore(experimentForm, (state) => state.toggleExp)
  const [other, setOther] = useState<number | null>(null)
  const shownNumbers = [...new Set([...USUAL, ...chosenNumbers])].sort((a, b) => a - b)
  const add = () => {
    if (other !== null && !chosenNumbers.includes(other)) toggle(other)
    setOther(null)
  }
  return (
    <fieldset className="flex flex-col gap-1">
      <legend className="mb-1 text-sm font-medium">
        <Term name="K">K</Term>: items recalled per task
      </legend>
      <div className="flex flex-wrap items-center gap-1.5">
        {shownNumbers.map((value) => (
          <button
            key={value}
            type="button"
            aria-pressed={chosenNumbers.includes(value)}
            aria-label={`K ${value}`}
            onClick={() => toggle(value)}
            className={classNames(
              'h-8 min-w-10 rounded-md border px-2.5 transition-colors duration-100',
              chosenNumbers.includes(value)
                ? 'border-accent bg-accent-soft font-medium text-accent'
                : 'bg-surface hover:bg-hover',
            )}
          >
            {value}
          </button>
        ))}
        <NumberBox
          label="Another K"
          optional
          value={other}
          bounds={BOUNDS.k}
          placeholder="other"
          onChange={setOther}
          onEnter={add}
          className="ml-2 w-18"
        />
        <Button size="small" look="quiet" icon={Plus} disabled={other === null} onClick={add}>
          Add
        </Button>
      </div>
      <p className="text-xs text-muted">
        {chosenNumbers.length === 0
          ? 'None chosen: each method takes its own default.'
          : 'Large values need a model that can read long prompts; what does not fit says so.'}
      </p>
    </fieldset>
  )
}
