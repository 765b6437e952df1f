import { useStore } from 'zustand'
import type { StartingExperiences } from '../../../shared/domain/experiment'
import { Field } from '../../components/field'
import { formatShare, plural } from '../../components/format'
import { Select, memoryOptions } from '../../ground/select'
import { useServices } from '../../stores/use-services'

/** Which memory the experiences come from, when variants start with some; nothing otherwise. */
export function ItemField() {
  const { experimentForm, memories } = useServices()
  const { variants, experiences, change } = useStore(experimentForm)
  const list = useStore(memories, (state) => state.memories)
  const starting = variants.flatMap((variant) =>
    variant.experiences ? [{ name: variant.name, choice: variant.experiences }] : [],
  )
  if (starting.length === 0) return null
  return (
    <Field
      label="Experiences come from"
      hint="Each cell starts with its own copy; the memory chosen here is not changed."
    >
      {(id) => (
        <>
          <Select
            id={id}
            label="Memory with experiences"
            className="w-72 max-w-full"
            value={experiences}
            placeholder="Choose a memory"
            options={memoryOptions(list, ({ trajectories }) => plural(trajectories, 'attempt'))}
            onChange={(memoryId) => change({ experiences: memoryId })}
          />
          <ul className="mt-1 text-sm text-muted">
            {starting.map(({ name, choice }) => (
              <li key={name}>
                <span className="font-mono text-xs">{name}</span>: {choiceWords(choice)}
              </li>
            ))}
          </ul>
        </>
      )}
    </Field>
  )
}

function choiceWords(choice: StartingExperiences): string {
  const { share, domains, exceptDomains, frameworks, exceptFrameworks } = choice
  return [
    `${formatShare(share)} of the experiences`,
    domains.length > 0 ? `in ${domains.join(', ')}` : '',
    exceptDomains.length > 0 ? `outside ${exceptDomains.join(', ')}` : '',
    frameworks.length > 0 ? `made by ${frameworks.join(', ')}` : '',
    exceptFrameworks.length > 0 ? `not made by ${exceptFrameworks.join(', ')}` : '',
  ]
    .filter((part) => part !== '')
    .join(' ')
}
