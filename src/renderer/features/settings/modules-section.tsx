import { Trash2 } from '../../components/icons'
import type { ModuleInfo } from '../../../shared/domain/module'
import { Badge } from '../../components/badge'
import { ErrorNotice } from '../../components/error-notice'
import { IconButton } from '../../components/icon-button'
import { Switch } from '../../components/switch'
import { TitledSection } from '../../ground/titled-section'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'

const SEAM_WORDS: Readonly<Record<ModuleInfo['seam'], string>> = {
  method: 'Method',
  environment: 'Environment',
  provider: 'Model provider',
  format: 'Format',
  'tool-server': 'Tool server',
  'memory-kind': 'Memory kind',
}

/** Code from outside: where each module is from, whether it is in use, and why not. Hidden while there is none. */
export function ModulesSection() {
  const { client, ui } = useServices()
  const modules = useQuery('modules', () => client.modules.list())
  const { problem: failure, attempt } = useAttempt()
  const change = async (act: () => Promise<unknown>) => {
    await attempt(act)
    modules.reload()
  }
  const allow = ({ name, title, origin }: ModuleInfo) =>
    ui.getState().ask({
      title: `Allow ${title}?`,
      words: `A module is code. It runs inside Loam and can read whatever Loam can. It came from ${origin}.`,
      no: 'Leave it off',
      answers: [{ label: 'Allow', run: () => void change(() => client.modules.allow({ name })) }],
    })
  const remove = ({ name, title }: ModuleInfo) =>
    ui.getState().ask({
      title: `Remove ${title}?`,
      words: 'Loam deletes its folder. What it wrote into a memory stays there.',
      no: 'Keep it',
      answers: [
        { label: 'Remove', danger: true, run: () => void change(() => client.modules.remove({ name })) },
      ],
    })
  const problem = failure ?? modules.problem
  if (!problem && (modules.data ?? []).length === 0) return null
  return (
    <TitledSection
      title="Modules"
      lead="Additions from outside. Each is off until you allow it, and goes off when its code changes or fails."
    >
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={modules.reload} /> : null}
      <ul className="divide-y rounded-lg border bg-surface">
        {(modules.data ?? []).map((module) => (
          <ModuleRow
            key={module.name}
            module={module}
            onSwitch={(on) =>
              on ? allow(module) : void change(() => client.modules.deny({ name: module.name }))
            }
            onRemove={() => remove(module)}
          />
        ))}
      </ul>
    </TitledSection>
  )
}

interface ModuleRowProps {
  module: ModuleInfo
  onSwitch(on: boolean): void
  onRemove(): void
}

function ModuleRow({ module, onSwitch, onRemove }: ModuleRowProps) {
  const { title, version, seam, licence, origin, state, problem } = module
  return (
    <li className="p-2 pl-3">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <span className="min-w-40 flex-1">
          <span className="flex flex-wrap items-center gap-2">
            <span className="font-medium">{title}</span>
            <Badge>{SEAM_WORDS[seam]}</Badge>
            {state === 'changed' ? <Badge tone="danger">Its code changed</Badge> : null}
            {state === 'failed' ? <Badge tone="danger">Failed</Badge> : null}
          </span>
          <span className="block truncate text-sm text-muted" title={origin}>
            {version}, {licence}, from {origin}
          </span>
        </span>
        <IconButton icon={Trash2} label={`Remove ${title}`} onClick={onRemove} />
        <Switch label={`Use ${title}`} checked={state === 'on'} onChange={onSwitch} />
      </div>
      {problem ? (
        <p className="mt-1 text-sm break-words text-danger">
          {problem.cause} {problem.suggestion}
        </p>
      ) : null}
    </li>
  )
}
