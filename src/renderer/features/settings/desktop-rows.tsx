import { desktopSettingsSchema, type DesktopSettings } from '../../../shared/domain/desktop'
import type { Settings } from '../../../shared/domain/memory-info'
import { useStored } from '../../stores/use-services'
import { LineRow, SwitchRow } from '../../ground/setting-row'

/** What only the desktop window does; nothing in a browser. */
export function DesktopRows({
  settings,
  save,
}: {
  settings: DesktopSettings
  save: (change: Partial<Settings>) => Promise<boolean>
}) {
  const isDesktop = useStored('info', (state) => state.data?.host === 'electron')
  if (!isDesktop) return null
  const change = (part: Partial<DesktopSettings>) => void save({ desktop: { ...settings, ...part } })
  return (
    <>
      <SwitchRow
        title="Stay beside the clock"
        text="On: closing the window leaves Loam and its work going on, with a sign beside the clock. Off: closing the window ends Loam; runs go on when it is started again."
        checked={settings.tray}
        onChange={(tray) => change({ tray })}
      />
      <LineRow
        key={settings.quickAsk}
        title="Keys for a quick ask"
        name="Keys for a quick ask"
        text="They bring up a small window with one line, over any program, while Loam runs. Nothing is read from other programs. Nothing of such an ask is kept unless you keep it. Empty: no keys."
        example="Control+Shift+Space"
        value={settings.quickAsk}
        onChange={(quickAsk) => {
          // What is no combination of keys is put back by the host's answer.
          if (desktopSettingsSchema.shape.quickAsk.safeParse(quickAsk).success) change({ quickAsk })
        }}
      />
      <SwitchRow
        title="Check spelling"
        text="Counts from the next start. On Windows and Linux the word list is fetched once from Google’s servers, and only while the network is on; macOS has its own. What you write stays here."
        checked={settings.spelling}
        onChange={(spelling) => change({ spelling })}
      />
      <SwitchRow
        title="Look at each start"
        name="Look for a newer version at each start"
        text="On: when Loam starts and the network is on, it asks whether there is a newer version. It fetches and installs nothing by itself."
        checked={settings.lookForUpdates}
        onChange={(lookForUpdates) => change({ lookForUpdates })}
      />
    </>
  )
}
