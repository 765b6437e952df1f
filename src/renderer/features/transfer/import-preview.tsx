import {
  waitingWords,
  type ImportConflict,
  type ImportKind,
  type ImportReport,
} from '../../../shared/domain/format'
import { isBelieved, signerWords } from '../../../shared/domain/signer'
import type { ConflictAnswer } from '../../../shared/domain/item-transfer'
import { SmallFold } from '../../components/fold'
import { NEW_MEMORY } from '../../../shared/domain/memory-info'
import { plural } from '../../components/format'
import { Loading } from '../../components/loading'
import { Segmented } from '../../components/segmented'
import { SkippedRows } from '../../components/skipped-rows'
import { memoryOptions, SelectField } from '../../ground/select'
import { TextField } from '../../ground/text-field'
import { useQuery } from '../../ground/use-query'
import { useServices, useStored } from '../../stores/use-services'
import { KindChoice } from './kind-choice'

/** What would come in: kind by kind with the first of them, what reads differently here, and what stays out. */
export function ImportPreview(props: {
  /** What is read. */
  name: string
  report: ImportReport | null
  waiting: boolean
  memoryId: string
  choice: ImportChoice
  /** Of asks that come in; empty for none. */
  project: string
  onProject(name: string): void
  onChange(change: Partial<ImportChoice>): void
}) {
  const { report, choice, onChange } = props
  const { kinds } = choice
  const { client } = useServices()
  const list = useStored('memories', (state) => state.memories)
  const formats = useQuery('formats', () => client.items.formats()).data ?? []
  const titleOf = (id: string): string => formats.find((format) => format.id === id)?.title ?? id
  const byContent =
    report === null || report.format === ''
      ? 'By its content'
      : `By its content: ${report.format.split(', ').map(titleOf).join(', ')}`
  const all = (report?.kinds ?? []).map(({ kind }) => kind)
  const has = (kind: string): boolean => kinds?.includes(kind) !== false
  const toggle = (kind: string) => {
    const next = all.filter((one) => (one === kind) !== has(one))
    onChange({ kinds: next.length === all.length ? null : next })
  }
  // Among the notes it says so for the command line.
  const signed = report?.signature ? wordsOf(report.signature) : ''
  const secrets = Object.entries(report?.redactions ?? {})
  return (
    <>
      <p className="text-sm font-medium [overflow-wrap:anywhere]">{props.name}</p>
      <div className="flex flex-wrap gap-4 [&>*]:min-w-56 [&>*]:flex-1">
        <SelectField
          label="Into"
          name="Memory to import into"
          value={props.memoryId}
          options={[
            ...memoryOptions(list),
            { value: NEW_MEMORY, label: 'A new memory', detail: 'named as the file is' },
          ]}
          onChange={(memoryId) => onChange({ memoryId })}
        />
        <SelectField
          label="Format"
          value={choice.format}
          options={[
            { value: 'auto', label: byContent },
            ...formats.filter(({ reads }) => reads).map(({ id: value, title }) => ({ value, label: title })),
          ]}
          onChange={(format) => onChange({ format, kinds: null })}
        />
      </div>
      {report === null && props.waiting ? <Loading what="what would come in" /> : null}
      {report === null ? null : (
        <>
          {report.signature ? <Signature signature={report.signature} /> : null}
          {report.kinds.length > 0 ? (
            <KindChoice
              label="What comes in"
              rows={report.kinds.map((kind) => ({ ...kind, count: kind.rows, detail: detailOf(kind) }))}
              has={has}
              onToggle={toggle}
            />
          ) : null}
          {report.waiting > 0 ? (
            <p className="text-sm text-muted">
              {waitingWords(report)} After the import, choose In quarantine instead of In use in Memory.
            </p>
          ) : null}
          {all.includes('asks') && has('asks') ? (
            <TextField
              label="Project of the asks"
              hint={`Empty for none. They keep their dates and are not judged.${report.waiting > 0 || (all.includes('experience') && has('experience')) ? '' : ' Nothing is learned from them.'}`}
              value={props.project}
              onChange={(name) => props.onProject(name.slice(0, 100))}
            />
          ) : null}
          <Conflicts conflicts={report.conflicts} choice={choice} onChange={onChange} />
          <SkippedRows report={{ ...report, notes: report.notes.filter((note) => note !== signed) }} />
          {secrets.length > 0 ? (
            <p className="text-sm text-muted">
              Loam takes secrets out: {secrets.map(([kind, count]) => `${count} × ${kind}`).join(', ')}.
            </p>
          ) : null}
        </>
      )}
    </>
  )
}

const detailOf = ({ fresh, duplicates, conflicts, skipped }: ImportKind): string =>
  [
    ...(fresh > 0 ? [`${fresh} new`] : []),
    ...(duplicates > 0 ? [`${duplicates} there already`] : []),
    ...(conflicts > 0 ? [`${conflicts} read differently`] : []),
    ...(skipped > 0 ? [`${skipped} not chosen`] : []),
  ].join(', ')

/** How an import is to be read and brought in. */
export interface ImportChoice {
  /** Null: the open memory. */
  readonly memoryId: string | null
  readonly format: string
  /** Null: all there are. */
  readonly kinds: readonly string[] | null
  /** The answer to all conflicts. */
  readonly onConflict: ConflictAnswer
  /** What a person answered to single conflicts, by `kind/id`. */
  readonly answers: Readonly<Record<string, ConflictAnswer>>
}

const CHOICES = [
  { value: 'keep', label: 'Keep mine' },
  { value: 'take', label: 'Take theirs' },
  { value: 'both', label: 'Keep both' },
] as const

/** Items that read differently here and in the file: one answer to all, and others to single ones. */
function Conflicts(props: {
  conflicts: readonly ImportConflict[]
  choice: Pick<ImportChoice, 'onConflict' | 'answers'>
  onChange(change: Partial<ImportChoice>): void
}) {
  const { conflicts, onChange } = props
  const { onConflict: answer, answers } = props.choice
  if (conflicts.length === 0) return null
  return (
    <section aria-label="Items that read differently" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-3">
        <span className="min-w-0 flex-1 text-sm">
          {plural(conflicts.length, 'item reads', 'items read')} differently here
        </span>
        <Segmented
          label="What to do about all of them"
          value={answer}
          options={CHOICES}
          onChange={(onConflict) => onChange({ onConflict })}
        />
      </div>
      <SmallFold title="Answer one by one" look="text-sm text-muted">
        <ul className="mt-2 max-h-64 divide-y overflow-y-auto rounded-md border">
          {conflicts.map(({ kind, id, parts }) => {
            const key = `${kind}/${id}`
            return (
              <li key={key} className="flex flex-col gap-2 p-3">
                <div className="flex flex-wrap items-center gap-3">
                  <span className="min-w-0 flex-1 truncate text-sm">
                    <span className="text-muted">{kind}</span> {id}
                  </span>
                  <Segmented
                    label={`What to do about ${id}`}
                    value={answers[key] ?? answer}
                    options={CHOICES}
                    onChange={(next) => onChange({ answers: { ...answers, [key]: next } })}
                  />
                </div>
                {parts.map(({ part, mine, theirs }) => (
                  <dl key={part} className="grid grid-cols-[5rem_1fr] gap-x-3 text-xs">
                    <dt className="text-muted">here</dt>
                    <dd className="[overflow-wrap:anywhere]">{mine || '(nothing)'}</dd>
                    <dt className="text-muted">in the file</dt>
                    <dd className="[overflow-wrap:anywhere]">{theirs || '(nothing)'}</dd>
                  </dl>
                ))}
              </li>
            )
          })}
        </ul>
      </SmallFold>
    </section>
  )
}

/** Who signed the file, set apart where nobody whom the person knows did. */
function Signature({ signature }: { signature: NonNullable<ImportReport['signature']> }) {
  const { standing, fingerprint } = signature
  const [before = '', after = ''] = wordsOf(signature).split(fingerprint ?? '\n')
  const words = (
    <>
      {before}
      {fingerprint === null ? null : <code className="text-xs font-normal break-all">{fingerprint}</code>}
      {after}
    </>
  )
  return isBelieved(standing) ? (
    <p className="text-sm text-muted">{words}</p>
  ) : (
    <p role="alert" className="rounded-lg border border-notice/50 bg-notice-soft p-3 font-medium">
      {words}
    </p>
  )
}

const wordsOf = ({ standing, fingerprint, name }: NonNullable<ImportReport['signature']>): string =>
  signerWords(standing, fingerprint, name)
