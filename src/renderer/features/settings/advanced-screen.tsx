import { BOUNDS } from '../../../shared/domain/bounds'
import { Switch } from '../../components/switch'
import { NumberBox } from '../../ground/number-field'
import { NumberRow, SettingRow } from '../../ground/setting-row'
import { ModulesSection } from './modules-section'
import { Rows, SettingsPage, type SettingsProps } from './settings-page'
import { ToolsSection } from './tools/tools-section'

const PRICES = [
  { name: 'prompt', label: 'read' },
  { name: 'completion', label: 'written' },
] as const

/** What most people leave as it is: tools of one's own, other programs, code from outside, prices. */
export const AdvancedScreen = () => (
  <SettingsPage title="Advanced">
    {({ settings, save }) => (
      <>
        <ToolsSection settings={settings} />
        <ModulesSection />
        <Rows>
          <ProgramRows settings={settings} save={save} />
        </Rows>
      </>
    )}
  </SettingsPage>
)

function ProgramRows({ settings, save }: SettingsProps) {
  return (
    <>
      <NumberRow
        title="REST for other programs"
        name="Port of REST"
        text="Off: no program on this machine can reach the desktop app. On: those that you gave a key (loam keys create NAME) can, on this port of 127.0.0.1; /api/openapi.json says what they can do. In a browser, REST is on the port of the page in any case."
        value={settings.rest.port}
        bounds={BOUNDS.port}
        onChange={(port) => void save({ rest: { ...settings.rest, port } })}
      >
        <Switch
          label="REST for other programs"
          checked={settings.rest.on}
          onChange={(on) => void save({ rest: { ...settings.rest, on } })}
        />
      </NumberRow>
      <SettingRow
        title="Prices"
        text="US dollars per million tokens, for the accounts of runs. A model on this machine costs nothing."
      >
        <div className="grid w-56 shrink-0 grid-cols-2 gap-3">
          {PRICES.map(({ name, label }) => (
            <label key={name} className="flex flex-col gap-1 text-sm text-muted">
              {label}
              <NumberBox
                label={`Price of a million tokens ${label}`}
                fraction
                value={settings.prices[name]}
                bounds={BOUNDS.price}
                onChange={(price) => void save({ prices: { ...settings.prices, [name]: price } })}
              />
            </label>
          ))}
        </div>
      </SettingRow>
    </>
  )
}
