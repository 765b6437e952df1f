import type { Series } from './series'

export interface SettingRow {
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
