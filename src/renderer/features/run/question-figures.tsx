import type { QuestionFigures } from '../../../shared/domain/question-figures'
import { Figure } from '../../components/figure'
import { ErrorNotice } from '../../components/error-notice'
import { formatCount, plural } from '../../components/format'
import { Term } from '../../components/term'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'
import { PlainTable, type PlainColumn } from '../../ground/plain-table'

const percent = (rate: number | null): string => (rate === null ? '–' : `${Math.round(100 * rate)} %`)

/** A run's figures on questions; nothing for other runs. `done` is how many tasks it has finished. */
export function QuestionFiguresPanel({ runId, done }: { runId: string; done: number }) {
  const { client } = useServices()
  const { data: figures, problem, reload } = useQuery(runId, () => client.runs.questions({ runId }), done)
  if (problem) return <ErrorNotice problem={problem} alwaysRetry onRetry={reload} />
  if (!figures) return null
  return <Figures figures={figures} />
}

type LevelRow = QuestionFigures['levels'][number]

const LEVELS: readonly PlainColumn<LevelRow>[] = [
  { head: 'Level', cell: ({ level }) => level ?? 'None' },
  { head: 'Tasks', cell: ({ n }) => n },
  { head: 'Exact match', cell: ({ em }) => percent(em) },
  { head: 'Tokens read', cell: ({ promptTokens }) => formatCount(Math.round(promptTokens)) },
  { head: 'Written', cell: ({ completionTokens }) => formatCount(Math.round(completionTokens)) },
  { head: 'Tool calls', cell: ({ toolCalls }) => toolCalls.toFixed(1) },
]

function Figures({ figures }: { figures: QuestionFigures }) {
  const { n, graded, em, macroF1, pm, datasets, levels, tools, plansPerTask, subtasksPerTask } = figures
  return (
    <section aria-label="Figures on questions" className="flex shrink-0 flex-col gap-3 text-sm">
      <dl className="flex flex-wrap gap-x-8 gap-y-2">
        <Figure name={<Term name="exact match">Exact match</Term>}>{percent(em)}</Figure>
        <Figure name={<Term name="macro F1">{datasets.length > 1 ? 'Macro F1' : 'F1'}</Term>}>
          {percent(macroF1)}
        </Figure>
        {pm === null ? null : (
          <Figure name={<Term name="partial match">Partial match</Term>}>{percent(pm)}</Figure>
        )}
        <Figure name="Plans, subtasks per task">
          {plansPerTask.toFixed(1)}, {subtasksPerTask.toFixed(1)}
        </Figure>
        {graded < n ? <Figure name="Graded">{`${graded} of ${n}`}</Figure> : null}
      </dl>
      <div>
        <PlainTable
          caption="Questions by level"
          columns={LEVELS}
          rows={levels}
          keyOf={({ level }) => String(level ?? 'none')}
        />
        <p className="pt-1 text-xs text-muted">Tokens and calls are means per task.</p>
      </div>
      {tools.length === 0 ? null : (
        <ul aria-label="Tool calls" className="flex flex-wrap gap-x-5 gap-y-1">
          {tools.map(({ tool, calls, failed, ms }) => (
            <li key={tool}>
              <span className="font-mono text-xs">{tool}</span>{' '}
              <span className="text-muted">
                {plural(calls, 'call')}, {failed > 0 ? `${failed} failed, ` : ''}
                {Math.round(ms)} ms each
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
