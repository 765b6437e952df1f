import { SettingRow } from '../../ground/setting-row'
import { useStored } from '../../stores/use-services'
import { BackupsSection } from './backups-section'
import { CheckupSection } from './checkup-section'
import { Rows, SettingsPage } from './settings-page'
import { StorageSection } from './storage-section'

/** What is kept where, copies of it, and whether it is whole. */
export function StorageScreen() {
  const dataPath = useStored('info', (state) => state.data?.dataPath)
  return (
    <SettingsPage title="Storage">
      {({ settings }) => (
        <>
          {dataPath ? (
            <Rows>
              <SettingRow
                title="Data folder"
                text={
                  <>
                    Memories, asks, runs and settings live here:{' '}
                    <code className="text-xs [overflow-wrap:anywhere]">{dataPath}</code>
                  </>
                }
              >
                {null}
              </SettingRow>
            </Rows>
          ) : null}
          <StorageSection />
          <BackupsSection settings={settings} />
          <CheckupSection />
        </>
      )}
    </SettingsPage>
  )
}
