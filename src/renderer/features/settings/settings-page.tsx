import type { ReactNode } from 'react'
import type { Settings } from '../../../shared/domain/memory-info'
import { ErrorNotice } from '../../components/error-notice'
import { Loading } from '../../components/loading'
import { Screen } from '../../components/screen'
import { useStored } from '../../stores/use-services'

/** Settings as they are, and what changes some of them. */
export interface SettingsProps {
  readonly settings: Settings
  save(change: Partial<Settings>): Promise<boolean>
}

/** A screen of settings, once they are read. Every change counts at once. */
export function SettingsPage(props: { title: string; children: (props: SettingsProps) => ReactNode }) {
  const { settings, problem, load, save } = useStored('settings')
  return (
    <Screen title={props.title} lead="Changes count at once and are kept on this machine.">
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={() => void load()} /> : null}
      {settings ? props.children({ settings, save }) : problem ? null : <Loading what="the settings" />}
    </Screen>
  )
}

/** Rows of settings in one frame. */
export const Rows = ({ children }: { children: ReactNode }) => (
  <div className="divide-y rounded-lg border bg-surface">{children}</div>
)
