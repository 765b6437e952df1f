import type { Settings } from '../../../shared/domain/memory-info'
import type { WatchedAgent } from '../../../shared/domain/watched-agent'
import { Switch } from '../../components/switch'
import { SettingRow } from '../../ground/setting-row'
import { TitledSection } from '../../ground/titled-section'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'

/** Agents on this machine whose sessions My memory takes in. */
export function WatchedSection({ settings }: { settings: Settings }) {
  const { client, settings: store } = useServices()
  const { watchedAgents } = settings
  const { data: agents, unread } = useQuery('watched', () => client.items.watched(), watchedAgents.join())
  const turn = (agent: WatchedAgent, on: boolean) => {
    const others = watchedAgents.filter((id) => id !== agent)
    void store.getState().save({ watchedAgents: on ? [...others, agent] : others })
  }
  return (
    <TitledSection
      title="Sessions of other agents"
      lead="My memory learns from what an agent that is switched on keeps of its sessions. They are read while nothing works."
    >
      {agents ? null : unread('what other agents keep')}
      <div className="divide-y rounded-lg border bg-surface empty:hidden">
        {agents?.map(({ agent, title, folder, sessions, last }) => (
          <SettingRow
            key={agent}
            title={title}
            text={
              <>
                <span className="block font-mono text-xs break-all">{folder}</span>
                {`${sessions === 0 ? 'No' : sessions} ${sessions === 1 ? 'session' : 'sessions'}.${last ? ` Last time ${last.imported} of ${last.rows} attempts were new, ${last.leftOut} were left out.` : ''}`}
              </>
            }
          >
            <Switch
              label={`Learn from ${title}`}
              checked={watchedAgents.includes(agent)}
              onChange={(on) => turn(agent, on)}
            />
          </SettingRow>
        ))}
      </div>
    </TitledSection>
  )
}
