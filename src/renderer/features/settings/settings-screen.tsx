import { useState } from 'react'
import { Button } from '../../components/button'
import { optionsOf } from '../../components/options'
import { Segmented } from '../../components/segmented'
import { SettingRow, SwitchRow } from '../../ground/setting-row'
import { askToNotify, mayNotify } from '../../stores/notify'
import { DesktopRows } from './desktop-rows'
import { LearningSection } from './learning-section'
import { Rows, SettingsPage, type SettingsProps } from './settings-page'
import { UpdateRow } from './update-row'

const THEMES = optionsOf({ system: 'System', light: 'Light', dark: 'Dark' })

const TEXT_SIZES = optionsOf({ smaller: 'Smaller', usual: 'Usual', larger: 'Larger', largest: 'Largest' })

/** How Loam looks, what it may do, and how asks learn. */
export const SettingsScreen = () => (
  <SettingsPage title="Settings">
    {({ settings, save }) => (
      <>
        <Rows>
          <LookRows settings={settings} save={save} />
          <NotificationsRow />
          <UpdateRow />
          <DesktopRows settings={settings.desktop} save={save} />
          <SwitchRow
            title="Network"
            text="Off: Loam opens no connection to the outside, and everything except downloads works. On: models can be found and downloaded when you ask for it, and tools may search and read the web."
            checked={settings.network}
            onChange={(network) => void save({ network })}
          />
        </Rows>
        <LearningSection settings={settings} />
      </>
    )}
  </SettingsPage>
)

const NOTIFY_WORDS = { yes: 'On', no: 'Not allowed by the browser or the system' } as const

/** Whether the system says when long work ends while nobody looks at the window. */
function NotificationsRow() {
  const [may, setMay] = useState(mayNotify)
  return (
    <SettingRow
      title="Notifications"
      text="Says when work of more than twenty seconds ends while this window is out of sight. Nothing leaves the machine."
    >
      {may === 'ask' ? (
        <Button onClick={() => void askToNotify().then(setMay)}>Allow notifications</Button>
      ) : (
        <span className="text-sm text-muted">{NOTIFY_WORDS[may]}</span>
      )}
    </SettingRow>
  )
}

/** How the window looks. */
function LookRows({ settings, save }: SettingsProps) {
  return (
    <>
      <SettingRow title="Theme" text="Light, dark, or whatever your system uses.">
        <Segmented
          label="Theme"
          value={settings.theme}
          options={THEMES}
          onChange={(theme) => void save({ theme })}
        />
      </SettingRow>
      <SettingRow title="Text size" text="How large words are, everywhere in this window.">
        <Segmented
          label="Text size"
          value={settings.textSize}
          options={TEXT_SIZES}
          onChange={(textSize) => void save({ textSize })}
        />
      </SettingRow>
    </>
  )
}
