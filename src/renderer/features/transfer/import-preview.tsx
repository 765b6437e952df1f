import { useEffect } from 'react'
import { useStore } from 'zustand'
import type { ImportKind, ImportReport } from '../../../shared/domain/format'
import type { ConflictAnswer } from '../../../shared/domain/item-transfer'
import { Loading } from '../../components/loading'
import { SkippedRows } from '../../components/skipped-rows'
import { memoryOptions } from '../../ground/memory-options'
import { SelectField } from '../../ground/select-field'
import { useServices } from '../../stores/use-services'
import { Conflicts, type Answers } from './conflicts'
import { KindChoice } from './kind-choice'

/** What would come in: kind by kind with the first of them, what reads differently here, and what stays out. */
export function ImportPreview(props: {
  /** What is read. */
  name: string
  report: ImportReport | null
  waiting: boolean
  memoryId: string
  format: string
  kinds: readonly string[] | null
  onConflict: ConflictAnswer
  answers: Answers
  onMemory(memoryId: string): void
  onFormat(format: string): void
  onKinds(kinds: readonly string[] | null): void
  onConflictAnswer(answer: ConflictAnswer): void
  onAnswers(answers: Answers): void
}) {
  const { report, kinds } = props
  const { memories, formats: formatStore } = useServices()
  const list = useStore(memories, (state) => state.memories)
  const formats = useStore(formatStore, ({ data }) => data) ?? []
  useEffect(() => {
    if (formatStore.getState().data === null) void formatStore.getState().reload()
  }, [formatStore])
  const titleOf = (id: string): string => formats.find((format) => format.id === id)?.title ?? id
  const byContent =
    report === null || report.format === '' ? 'By its content' : `By its content: ${titleOf(report.format)}`
  const all = (report?.kinds ?? []).map(({ kind }) => kind)
  const has = (kind: string): boolean => kinds?.includes(kind) !== false
  const toggle = (kind: string) => {
    const next = all.filter((one) => (one === kind) !== has(one))
    props.onKinds(next.length === all.length ? null : next)
  }
  const secrets = Object.entries(report?.redactions ?? {})
  return (
    <>
      <p className="text-sm font-medium [overflow-wrap:anywhere]">{props.name}</p>
      <div className="flex flex-wrap gap-4 [&>*]:min-w-56 [&>*]:flex-1">
        <SelectField
          label="Into"
          name="Memory to import into"
          value={props.memoryId}
          options={memoryOptions(list)}
          onChange={props.onMemory}
        />
        <SelectField
          label="Format"
          value={props.format}
          options={[
            { value: 'auto', label: byContent },
            ...formats.filter(({ reads }) => reads).map(({ id: value, title }) => ({ value, label: title })),
          ]}
          onChange={props.onFormat}
        />
      </div>
      {report === null && props.waiting ? <Loading what="what would come in" /> : null}
      {report === null ? null : (
        <>
          {report.kinds.length > 0 ? (
            <KindChoice
              label="What comes in"
              rows={report.kinds.map((kind) => ({ ...kind, count: kind.rows, detail: detailOf(kind) }))}
              has={has}
              onToggle={toggle}
            />
          ) : null}
          <Conflicts
            conflicts={report.conflicts}
            answer={props.onConflict}
            answers={props.answers}
            onAnswer={props.onConflictAnswer}
            onAnswers={props.onAnswers}
          />
          <SkippedRows report={report} />
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
