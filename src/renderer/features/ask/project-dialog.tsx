import { useState } from 'react'
import { BOUNDS } from '../../../shared/domain/bounds'
import type { ProjectSettings } from '../../../shared/domain/ask'
import { ErrorNotice } from '../../components/error-notice'
import { FormDialog } from '../../ground/form-dialog'
import { NumberField } from '../../ground/number-field'
import { TextArea } from '../../ground/text-field'
import { useQuery } from '../../ground/use-query'
import { refusalOf } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'

/** How the asks of a project are answered. */
export function ProjectDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { client } = useServices()
  const { data, problem } = useQuery('', () => client.asks.projects())
  if (problem) return <ErrorNotice problem={problem} />
  if (!data) return null
  const before = data.find((project) => project.name === name)
  return (
    <ProjectForm
      before={before ?? { name, instructions: '', temperature: null, topP: null }}
      onClose={onClose}
    />
  )
}

function ProjectForm({ before, onClose }: { before: ProjectSettings; onClose: () => void }) {
  const { client } = useServices()
  const [instructions, setInstructions] = useState(before.instructions)
  const [temperature, setTemperature] = useState(before.temperature)
  const [topP, setTopP] = useState(before.topP)
  return (
    <FormDialog
      title={`Project “${before.name}”`}
      description="It counts for each answer in this project from now on."
      submit={{ label: 'Save' }}
      onSubmit={() =>
        refusalOf(client.asks.setProject({ name: before.name, instructions, temperature, topP }))
      }
      onClose={onClose}
    >
      <TextArea
        label="Instructions"
        hint="How to answer, and what to keep in mind."
        rows={6}
        value={instructions}
        onChange={setInstructions}
      />
      <TemperatureField value={temperature} onChange={setTemperature} />
      <TopPField value={topP} onChange={setTopP} />
    </FormDialog>
  )
}

interface SamplingFieldProps {
  value: number | null
  onChange(value: number | null): void
}

/** How freely a model chooses its words. */
export function TemperatureField(props: SamplingFieldProps) {
  return (
    <NumberField
      label="Temperature"
      hint="0: the likeliest words. 1 and above: freer ones."
      fraction
      optional
      placeholder="As suits the model"
      bounds={BOUNDS.temperature}
      {...props}
    />
  )
}

/** How many of the likeliest words a model chooses from. */
export function TopPField(props: SamplingFieldProps) {
  return (
    <NumberField
      label="Top-p"
      hint="Chooses from the likeliest words that together have this share. 1: from all."
      fraction
      optional
      placeholder="As suits the model"
      bounds={BOUNDS.topP}
      {...props}
    />
  )
}
