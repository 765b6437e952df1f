import type { ColumnChoice, TablePreview, TasksPreview } from '../../../shared/domain/own-tasks'
import { leftCount } from '../../../shared/domain/reading'
import { SkippedRows } from '../../components/skipped-rows'
import { plural } from '../../components/format'
import { DataTable } from '../../ground/data-table'
import { SelectField } from '../../ground/select'

/** No column, as a value of a menu. No column of a table is called so: names have no white space around them. */
const NONE = ' '

const ROLES: readonly { readonly key: keyof ColumnChoice; readonly label: string }[] = [
  { key: 'question', label: 'Question' },
  { key: 'answer', label: 'Answer' },
  { key: 'files', label: 'Files' },
  { key: 'skill', label: 'Kind' },
  { key: 'id', label: 'Id' },
]

/** What was seen of a table, and which of its columns is what. */
export function OwnColumns(props: {
  seen: TablePreview
  columns: ColumnChoice
  onChange(columns: ColumnChoice): void
}) {
  const { seen, columns } = props
  return (
    <>
      <p className="text-sm text-muted">
        Seen: {seen.form}, {plural(seen.rows, 'row')}.
      </p>
      <div className="flex max-h-44 min-h-24 flex-col">
        <DataTable
          caption="Rows as they were read"
          first="Row"
          columns={seen.columns.map((key) => ({ key, label: key }))}
          rows={seen.sample.length}
          nameOf={(row) => row + 1}
          cellOf={(row, column) => seen.sample[row]?.[seen.columns[column] ?? ''] ?? ''}
          titleOf={(row, column) => seen.sample[row]?.[seen.columns[column] ?? ''] ?? ''}
        />
      </div>
      <div className="grid grid-cols-2 gap-3 sm:grid-cols-3">
        {ROLES.map(({ key, label }) => (
          <SelectField
            key={key}
            label={label}
            value={columns[key] ?? NONE}
            options={[
              ...(key === 'question' ? [] : [{ value: NONE, label: 'none' }]),
              ...seen.columns.map((name) => ({ value: name, label: name })),
            ]}
            onChange={(name) => props.onChange({ ...columns, [key]: name === NONE ? null : name })}
          />
        ))}
      </div>
    </>
  )
}

const OWN_WORDS = {
  right: 'takes its own answer',
  wrong: 'does not take its own answer',
  untold: 'cannot be tried on it',
} as const

/** The first tasks that rows become, and what the check says of each one's own answer. */
export function OwnTasksPreview({ tried }: { tried: TasksPreview }) {
  return (
    <section aria-label="The first tasks" className="flex flex-col gap-2">
      <p className="text-sm text-muted">
        {plural(tried.reading.imported, 'task')}
        {leftCount(tried.reading) > 0 ? `, ${plural(leftCount(tried.reading), 'row')} left out` : ''}.
      </p>
      <ul className="flex flex-col gap-1.5">
        {tried.tasks.map((task, i) => (
          <li key={i} className="rounded-md border px-2.5 py-1.5 text-sm">
            <p className="line-clamp-2">{task.question}</p>
            <p className="text-muted">
              {task.answer === '' ? 'No answer' : task.answer}
              {task.files.length > 0 ? ` · ${task.files.join(', ')}` : ''}
              {` · The check ${OWN_WORDS[task.own]}`}
              {task.why === '' ? '' : `: ${task.why}`}
            </p>
          </li>
        ))}
      </ul>
      <SkippedRows report={tried.reading} />
    </section>
  )
}
