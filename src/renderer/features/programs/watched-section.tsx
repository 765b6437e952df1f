import { Undo2 } from '../../components/icons'
import { MY_MEMORY, type Settings } from '../../../shared/domain/memory-info'
import type { WatchedAgent, WatchedLogs } from '../../../shared/domain/watched-agent'
import { Button } from '../../components/button'
import { plural } from '../../components/format'
import { Switch } from '../../components/switch'
import { RefusedNotice } from '../../ground/refused-notice'
import { SettingRow } from '../../ground/setting-row'
import { TitledSection } from '../../ground/titled-section'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { undoImport } from '../../stores/job-ended'
import { useServices, useStored } from '../../stores/use-services'

/** Agents on this machine whose sessions My memory takes in: at once where a person asks for it, and each import goes with one undo. */
export function WatchedSection({ settings }: { settings: Settings }) {
  const services = useServices()
  const { client, settings: store } = services
  const { watchedAgents } = settings
  const { attempt, problem, busy, clear } = useAttempt()
  // One that is over before the window hears of its beginning counts too.
  const takings = useStored('jobs', ({ data }) =>
    data.flatMap(({ id, kind, status }) => (kind === 'watching' ? [`${id} ${status}`] : [])).join(),
  )
  const isTaking = takings.includes('running')
  const { data, unread, reload } = useQuery(
    'watched',
    async () => {
      const [agents, imports] = await Promise.all([
        client.items.watched(),
        client.items.imports({ memoryId: MY_MEMORY }),
      ])
      return { agents, undoable: imports.flatMap((one) => (one.undoneAt === null ? [one.importId] : [])) }
    },
    `${watchedAgents.join()} ${takings}`,
  )
  const turn = (agent: WatchedAgent, on: boolean) => {
    const others = watchedAgents.filter((id) => id !== agent)
    // What is switched on is known to the host before anything can be taken in.
    void attempt(() => store.getState().save({ watchedAgents: on ? [...others, agent] : others }))
  }
  const undo = (importId: string) =>
    attempt(async () => {
      await undoImport(services, MY_MEMORY, importId)
      reload()
    })
  const waits =
    data?.agents.some(({ agent, fresh, growing }) => watchedAgents.includes(agent) && fresh > growing) ===
    true
  return (
    <TitledSection
      title="Sessions of other agents"
      lead="My memory learns from what an agent that is switched on keeps of its sessions. They are read while nothing works."
      action={
        waits || isTaking ? (
          <Button disabled={busy || isTaking} onClick={() => void attempt(() => client.items.takeWatched())}>
            {isTaking ? 'Taking in…' : 'Take in now'}
          </Button>
        ) : null
      }
    >
      <RefusedNotice problem={problem} onDismiss={clear} />
      {data ? null : unread('what other agents keep')}
      <div className="divide-y rounded-lg border bg-surface empty:hidden">
        {data?.agents.map((one) => {
          const importId = one.last?.importId ?? null
          return (
            <SettingRow
              key={one.agent}
              title={one.title}
              text={<Standing of={one} isUndone={importId !== null && !data.undoable.includes(importId)} />}
            >
              {importId !== null && data.undoable.includes(importId) ? (
                <Button
                  size="small"
                  icon={Undo2}
                  aria-label={`Undo what came in from ${one.title}`}
                  disabled={busy || isTaking}
                  onClick={() => void undo(importId)}
                >
                  Undo
                </Button>
              ) : null}
              <Switch
                label={`Learn from ${one.title}`}
                checked={watchedAgents.includes(one.agent)}
                onChange={(on) => turn(one.agent, on)}
              />
            </SettingRow>
          )
        })}
      </div>
    </TitledSection>
  )
}

/** Where an agent keeps its sessions, what is new of them, and what came in the last time. */
function Standing({ of, isUndone }: { of: WatchedLogs; isUndone: boolean }) {
  const { folder, sessions, fresh, growing, last } = of
  const words = [
    sessions === 0 ? 'No sessions.' : `${plural(sessions, 'session')}, ${fresh} new or changed.`,
    growing > 0 ? `${growing} written to within ten minutes: read later.` : '',
    last
      ? `Last time ${last.imported} of ${plural(last.rows, 'attempt')} came in${isUndone ? ', which is undone' : ''}.`
      : '',
    ...(last?.reasons.map(({ why, count }) => `${count} left out: ${why}.`) ?? []),
  ]
  return (
    <>
      <span className="block font-mono text-xs break-all">{folder}</span>
      {words.filter((each) => each !== '').join(' ')}
    </>
  )
}
