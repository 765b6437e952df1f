import { useState } from 'react'
import type { Experience, Guidance } from '../../../shared/domain/experience'
import { FormDialog } from '../../ground/form-dialog'
import { TextArea, TextField } from '../../ground/text-field'
import { useServices } from '../../stores/use-services'

const textOf = (given: Guidance): string => (typeof given === 'string' ? given : given.join('\n'))

/** A list stays a list, one line each. */
const guidanceOf = (text: string, before: Guidance): Guidance =>
  typeof before === 'string'
    ? text
    : text
        .split('\n')
        .map((line) => line.trim())
        .filter((line) => line !== '')

const draftOf = (experience: Experience) => ({
  question: experience.question,
  domain: experience.meta.domain,
  agentPlan: experience.agentPlan,
  agentExperience: textOf(experience.agentExperience),
  searchAgentPlan: experience.searchAgentPlan,
  searchAgentExperience: textOf(experience.searchAgentExperience),
})

const AREAS = [
  { name: 'question', label: 'Task', rows: 3 },
  { name: 'agentPlan', label: 'Plan', rows: 6 },
  { name: 'agentExperience', label: 'Experience', rows: 5 },
  { name: 'searchAgentPlan', label: 'Search plan', rows: 2 },
  { name: 'searchAgentExperience', label: 'Search experience', rows: 2 },
] as const

/** Rewrites what an agent is shown. Saving makes a new version; the old one is kept. */
export function EditDialog({ experience, onClose }: { experience: Experience; onClose(): void }) {
  const { experiences, toasts } = useServices()
  const [draft, setDraft] = useState(() => draftOf(experience))
  const save = async () => {
    const refused = await experiences.getState().edit(experience.id, {
      ...draft,
      agentExperience: guidanceOf(draft.agentExperience, experience.agentExperience),
      searchAgentExperience: guidanceOf(draft.searchAgentExperience, experience.searchAgentExperience),
    })
    if (!refused) toasts.getState().tell('Saved as a new version', 'The old one is kept.')
    return refused
  }
  return (
    <FormDialog
      title="Edit the experience"
      description="Agents see the new version from now on. The old one is kept and can be restored."
      submit={{ label: 'Save new version', busy: 'Saving…' }}
      ready={draft.question.trim() !== '' && draft.domain.trim() !== ''}
      onSubmit={save}
      onClose={onClose}
    >
      {AREAS.map(({ name, label, rows }) => (
        <TextArea
          key={name}
          label={label}
          hint={
            name === 'agentExperience' && typeof experience.agentExperience !== 'string'
              ? 'One piece of advice per line.'
              : undefined
          }

          rows={rows}
          value={draft[name]}
          onChange={(next) => setDraft({ ...draft, [name]: next })}
        />
      ))}
      <TextField
        label="Domain"
        hint="Agents are shown experiences of their own domain, and those called “general”."

        value={draft.domain}
        maxLength={60}
        onChange={(next) => setDraft({ ...draft, domain: next })}
        className="max-w-56"
      />
    </FormDialog>
  )
}
