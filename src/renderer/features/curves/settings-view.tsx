import { useId } from 'react'
import { useStore } from 'zustand'
import { classNames } from '../../components/class-names'
import { Switch } from '../../components/switch'
import { useServices } from '../../stores/use-services'
import type { Series } from './series'
import { settingsTable } from './settings-table'

/** What the series were made with, side by side; only what differs, or everything. */
export function SettingsView({ series }: { series: readonly Series[] }) {
  const { curves } = useServices()
  const only = useStore(curves, (state) => state.controls.onlyDifferences)
  const id = useId()
  const rows = settingsTable(series)
  const shown = only ? rows.filter(({ differs }) => differs) : rows
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
      {shown.length === 0 ? (
        <p className="text-muted">
          {series.length < 2
            ? 'There is only one series. Choose another one to compare it with.'
            : 'These series differ in nothing that decides a run.'}
        </p>
      ) : (
        <div className="min-h-0 flex-1 overflow-auto rounded-lg border">
          <table className="w-full text-sm [&_td]:pl-4 [&_th]:pl-4">
            <caption className="sr-only">Settings of each series</caption>
            <thead>
              <tr>
                <th
                  scope="col"
                  className="sticky top-0 left-0 z-10 bg-surface py-2 text-left align-bottom font-medium"
                >
                  Setting
                </th>
                {series.map((item) => (
                  <th
                    key={item.key}
                    scope="col"
                    className="sticky top-0 bg-surface py-2 pr-4 text-left align-bottom font-medium whitespace-nowrap"
                  >
                    {item.label}
                    <span className="block text-xs font-normal text-muted">{item.detail || '\u00a0'}</span>
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {shown.map(({ name, values, differs }) => (
                <tr key={name} className="border-t">
                  <th
                    scope="row"
                    className="sticky left-0 bg-surface py-1.5 pr-4 text-left font-normal whitespace-nowrap text-muted"
                  >
                    {name}
                  </th>
                  {values.map((value, index) => (
                    <td
                      key={series[index]?.key ?? index}
                      className={classNames(
                        'max-w-64 truncate py-1.5 pr-4',
                        differs && !only && 'font-medium',
                      )}
                      title={value}
                    >
                      {value || '–'}
                    </td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </div>
  )
}
