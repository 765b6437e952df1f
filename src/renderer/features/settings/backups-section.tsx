import { useState } from 'react'
import { BACKUP_WHY, backupChangeWords, type Backup, type Backups } from '../../../shared/domain/backup'
import type { Settings } from '../../../shared/domain/memory-info'
import type { LoamErrorShape } from '../../../shared/errors'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { formatBytes, formatWhen } from '../../components/format'
import { SwitchRow } from '../../ground/setting-row'
import { TitledSection } from '../../ground/titled-section'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { refusalOf } from '../../stores/error-shape'
import { useServices, useStored } from '../../stores/use-services'

/** Copies of the data folder: made by hand and by themselves, and gone back to after a look at what that changes. */
export function BackupsSection({ settings }: { settings: Settings }) {
  const { client, ui } = useServices()
  const { attempt, busy, problem } = useAttempt()
  const save = useStored('settings', (state) => state.save)
  const all = useQuery('backups', () => client.storage.backups())
  const [refusal, setRefusal] = useState<LoamErrorShape | null>(null)
  const backUp = () => attempt(() => client.storage.backUp().then(all.reload))
  const setReturn = async (name: string | null): Promise<void> => {
    setRefusal(await refusalOf(client.storage.goBack({ name }).then(all.reload)))
  }
  const look = async (backup: Backup): Promise<void> => {
    const { changes } = await client.storage.previewBackup({ name: backup.name })
    const words = changes.flatMap((change) => backupChangeWords(change) ?? [])
    ui.getState().ask({
      title: `Go back to ${formatWhen(backup.at)}?`,
      words: `${words.length === 0 ? 'Memories, asks, runs and experiments stay as they are' : sentence(words)}. Settings go back too; models and passwords stay. What is there now is backed up first.`,
      no: 'Stay',
      answers: [{ label: 'Go back at the next start', run: () => void setReturn(backup.name) }],
    })
  }
  return (
    <TitledSection
      title="Backups"
      lead="Copies of memories, asks, runs and settings in the data folder, without models and passwords."
      action={
        <Button disabled={busy} onClick={() => void backUp()}>
          {busy ? 'Backing up' : 'Back up now'}
        </Button>
      }
    >
      {problem ? <ErrorNotice problem={problem} /> : null}
      {refusal ? <ErrorNotice problem={refusal} /> : null}
      <div className="divide-y rounded-lg border bg-surface">
        <SwitchRow
          title="By itself"
          text="A few times a day where something has changed, while nothing works. Three of the last day and one of each day before are kept, ten at most."
          checked={settings.automaticBackups}
          onChange={(automaticBackups) => void save({ automaticBackups })}
        />
        {all.data ? (
          <List
            {...all.data}
            onLook={(backup) => void refusalOf(look(backup)).then(setRefusal)}
            onStay={() => void setReturn(null)}
          />
        ) : (
          <div className="p-4">{all.unread('backups')}</div>
        )}
      </div>
    </TitledSection>
  )
}

const sentence = (words: readonly string[]): string => {
  const text = words.join('; ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

interface ListProps extends Backups {
  readonly onLook: (backup: Backup) => void
  readonly onStay: () => void
}

function List({ backups, returnsTo, skipped, onLook, onStay }: ListProps) {
  const target = backups.find(({ name }) => name === returnsTo)
  return (
    <>
      {skipped === null ? null : <p className="p-4 text-sm text-muted">None is made by itself: {skipped}</p>}
      {returnsTo === null ? null : (
        <p role="status" className="flex flex-wrap items-center justify-between gap-2 p-4 text-sm">
          Loam goes back to {target ? `the backup of ${formatWhen(target.at)}` : returnsTo} when it starts
          next. Close it and start it again.
          <Button size="small" onClick={onStay}>
            Stay after all
          </Button>
        </p>
      )}
      {backups.length === 0 ? <p className="p-4 text-sm text-muted">None yet.</p> : null}
      <ul className="max-h-96 divide-y overflow-y-auto text-sm">
        {backups.map((backup) => (
          <li key={backup.name} className="flex flex-wrap items-center justify-between gap-2 px-4 py-2">
            <span>
              {formatWhen(backup.at)}{' '}
              <span className="text-muted">
                {BACKUP_WHY[backup.why]}, {formatBytes(backup.bytes)}
              </span>
            </span>
            <Button
              size="small"
              aria-label={`Go back to ${formatWhen(backup.at)}, ${BACKUP_WHY[backup.why]}`}
              onClick={() => onLook(backup)}
            >
              Go back
            </Button>
          </li>
        ))}
      </ul>
    </>
  )
}
