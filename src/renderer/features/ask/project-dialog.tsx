import { useState } from 'react'
import { projectSettingsSchema, type ProjectSettings } from '../../../shared/domain/ask'
import { ErrorNotice } from '../../components/error-notice'
import { FormDialog } from '../../ground/form-dialog'
import { TextArea } from '../../ground/text-field'
import { useQuery } from '../../ground/use-query'
import { refusalOf } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'
import { SamplingFields } from './sampling-fields'

/** How the asks of a project are answered. */
export function ProjectDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { client } = useServices()
  const { data, problem } = useQuery('', () => client.asks.projects())
  if (problem) return <ErrorNotice problem={problem} />
  if (!data) return null
  const before = data.find((project) => project.name === name)
  return <ProjectForm before={before ?? projectSettingsSchema.parse({ name })} onClose={onClose} />
}

function ProjectForm({ before, onClose }: { before: ProjectSettings; onClose: () => void }) {
  const { client } = useServices()
  const [settings, setSettings] = useState(before)
  const write = (change: Partial<ProjectSettings>) => setSettings({ ...settings, ...change })
  return (
    <FormDialog
      title={`Project “${before.name}”`}
      description="It counts for each answer in this project from now on."
      submit={{ label: 'Save' }}
      onSubmit={() => refusalOf(client.asks.setProject(settings))}
      onClose={onClose}
    >
      <TextArea
        label="Instructions"
        hint="How to answer, and what to keep in mind."
        rows={6}
        value={settings.instructions}
        onChange={(instructions) => write({ instructions })}
      />
      <SamplingFields sampling={settings} onChange={write} />
    </FormDialog>
  )
}
