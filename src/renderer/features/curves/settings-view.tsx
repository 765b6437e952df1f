import { useId } from 'react'
import { useStore } from 'zustand'
import { Switch } from '../../components/switch'
import { DataTable } from '../../ground/data-table'
import { useServices } from '../../stores/use-services'
import type { Series } from './series'

/** What the series were made with, side by side; only what differs, or everything. */
export function SettingsView({ series }: { series: readonly Series[] }) {
  const { curves } = useServices()
  const only = useStore(curves, (state) => state.controls.onlyDifferences)
  const id = useId()
  const rows = settingsTable(series)
  const settingRows = only ? rows.filter(({ differs }) => differs) : rows
  return (
    <div className="flex min-h-0 flex-1 flex-col gap-3">
      <div className="flex items-center gap-2">
        <Switch
          id={id}
          label="Differences only"
          checked={only}
          onChange={(onlyDifferences) => curves.getState().change({ onlyDifferences })}
        />
        <label htmlFor={id} className="text-sm">
          Differences only
        </label>
        <p className="ml-2 text-xs text-muted">
          {rows.length - rows.filter(({ differs }) => differs).length} of {rows.length} settings are the same
          for all.
        </p>
      </div>
      {settingRows.length === 0 ? (
        <p className="text-muted">
          {series.length < 2
            ? 'There is only one series. Choose another one to compare it with.'
            : 'These series differ in nothing that decides a run.'}
        </p>
      ) : (
        <DataTable
          caption="Settings of each series"
          first="Setting"
          columns={series}
          rows={settingRows.length}
          nameOf={(row) => settingRows[row]?.name}
          cellOf={(row, column) => settingRows[row]?.values[column] || '–'}
          titleOf={(row, column) => settingRows[row]?.values[column] ?? ''}
          isStrong={(row) => !only && (settingRows[row]?.differs ?? false)}
        />
      )}
    </div>
  )
}

interface SettingRow {
  readonly name: string
  /** One per series, in their order; seeds of one series together. Empty where the method does not have it. */
  readonly values: readonly string[]
  /** Whether the series differ in it. */
  readonly differs: boolean
}

/** The settings of all series side by side, in the order a run tells them. */
export function settingsTable(series: readonly Series[]): SettingRow[] {
  const names = [...new Set(series.flatMap(({ head }) => head.settings.map(({ name }) => name)))]
  return names
    .map((name) => {
      const values = series.map((item) =>
        [
          ...new Set(item.tracks.flatMap(({ parts }) => parts.map(({ run }) => valueOf(run.settings, name)))),
        ].join(', '),
      )
      // A setting that only some methods have does not differ: the method does.
      return { name, values, differs: new Set(values.filter(Boolean)).size > 1 }
    })
    .sort((a, b) => place(a.name) - place(b.name))
}

/** The methods' own settings after the method, everything else as it came. */
const place = (name: string) => (name === 'Seed' ? 2 : name.includes(': ') ? 1 : 0)

const valueOf = (settings: readonly { name: string; value: string }[], name: string) =>
  settings.find((setting) => setting.name === name)?.value ?? ''
