import { useStore } from 'zustand'
import type { RunInfo } from '../../../shared/domain/run'
import { fileName } from '../../components/format'
import { useServices } from '../../stores/use-services'

/** Which roles of a run have a model of their own, and which; nothing where all ask the run's. */
export function RoleModels({ run }: { run: RunInfo }) {
  const { environments, models } = useServices()
  const groups = useStore(environments, ({ data }) => data)
  const records = useStore(models, ({ data }) => data)
  const inputTextMap = new Map<string, string>()
  for (const { roles } of groups ?? [])
    for (const field of roles.fields) {
      const path = run.config.settings[roles.id]?.[field.key]
      if (field.kind !== 'text' || field.look !== 'model' || typeof path !== 'string' || path === '') continue
      inputTextMap.set(field.title, records?.find((model) => model.path === path)?.name ?? fileName(path))
    }
  if (inputTextMap.size === 0) return null
  return (
    <p className="text-sm text-muted">
      {[...inputTextMap].map(([title, name]) => `${title}: ${name}`).join(' · ')}
    </p>
  )
}
