import { Fragment, useState } from 'react'
import type { VersionView } from '../../../shared/domain/guide'
import { Badge } from '../../components/badge'
import { formatWhen, plural } from '../../components/format'
import { Switch } from '../../components/switch'
import { Select } from '../../ground/select'
import { DiffView, LossNotes } from './diff-view'
import { DecideButton } from './use-decide'
import { versionState } from './words'

interface Numbered extends VersionView {
  /** From 1, in the order in which they were written. */
  readonly number: number
}

/** Every version of a document, a comparison of any two, and which of them agents read. */
export function VersionsView({ versions }: { versions: readonly VersionView[] }) {
  const all: Numbered[] = versions.map((view, i) => ({ ...view, number: versions.length - i }))
  const triedCount = all.filter(({ state }) => state === 'candidate').length
  const [withTried, setWithTried] = useState(false)
  const [choice, setChoice] = useState<{ from: string | null; to: string | null }>({ from: null, to: null })
  const listed = withTried ? all : all.filter(({ state }) => state !== 'candidate')
  const find = (id: string | null) => all.find(({ version }) => version.id === id)
  const to = find(choice.to) ?? all.find(({ state }) => state === 'current') ?? listed[0]
  const from =
    find(choice.from) ??
    find(to?.version.parent ?? null) ??
    listed.find((one) => one !== to) ??
    all.find((one) => one !== to)
  const options = all.map(({ number, state, version }) => ({
    value: version.id,
    label: `Version ${number}`,
    detail: `${versionState(state).words}, ${formatWhen(version.createdAt)}`,
  }))
  const compared = [
    ...(from ? [{ key: 'from', label: 'From', view: from }] : []),
    ...(to ? [{ key: 'to', label: 'To', view: to }] : []),
  ]
  return (
    <div className="flex flex-col gap-6">
      <section aria-label="All versions" className="flex flex-col gap-2">
        {triedCount > 0 ? (
          <label className="flex items-center gap-2 text-sm">
            <Switch label="Show what the search tried" checked={withTried} onChange={setWithTried} />
            Also show {plural(triedCount, 'guide')} that the search tried
          </label>
        ) : null}
        <ul className="max-h-96 divide-y overflow-y-auto rounded-lg border">
          {listed.map((view) => (
            <li key={view.version.id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
              <div className="min-w-48 flex-1">
                <p className="flex items-center gap-2">
                  Version {view.number}
                  <Badge tone={versionState(view.state).tone}>{versionState(view.state).words}</Badge>
                </p>
                <p className="text-xs text-muted">{originWords(view)}</p>
              </div>
              <DecideButton view={view} accept="Use this one" />
            </li>
          ))}
        </ul>
      </section>
      {from && to && from !== to ? (
        <section aria-label="Compare" className="flex flex-col gap-3">
          <div className="flex flex-wrap items-center gap-2">
            <h2 className="font-medium">Compare</h2>
            {compared.map(({ key, label, view }) => (
              <Fragment key={key}>
                {key === 'to' ? <span className="text-muted">with</span> : null}
                <Select
                  label={label}
                  className="w-36"
                  value={view.version.id}
                  options={options}
                  onChange={(id) => setChoice({ ...choice, [key]: id })}
                />
              </Fragment>
            ))}
          </div>
          <LossNotes version={to.version} />
          <DiffView before={from.version.text} after={to.version.text} />
        </section>
      ) : (
        <p className="text-sm text-muted">There is nothing to compare with yet.</p>
      )}
    </div>
  )
}

function originWords({ version, reward }: VersionView): string {
  const by = version.buildId === null ? 'Written by a person' : 'Written by a search'
  const scored = reward ? `, reward ${reward.total.toFixed(2)}` : ', not scored'
  return `${by}, ${formatWhen(version.createdAt)}${scored}`
}
