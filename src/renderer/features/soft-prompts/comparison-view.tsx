import type { ComparedTask } from '../../../shared/domain/soft-prompt'
import { formatCount, plural } from '../../components/format'
import { Term } from '../../components/term'
import { FIRST_DRAWN } from '../../ground/plot/learning-data'
import { LearningPlot, LinePlot } from '../../ground/plot/plots'
import { compareWords, sumUp } from './words'

const WITHOUT = '--series-1'
const WITH = '--series-5'

/** The same tasks without and with the soft prompt: how many were solved, and what the prompts took. */
export function ComparisonView({ tasks, total }: { tasks: readonly ComparedTask[]; total: number }) {
  const { without, with: served } = sumUp(tasks)
  const lines = [
    { id: 'without', label: 'Without', colour: WITHOUT, detail: '', focused: false },
    { id: 'with', label: 'With', colour: WITH, detail: '', focused: true },
  ] as const
  return (
    <figure aria-label="Without and with the soft prompt" className="flex min-w-0 flex-col gap-3">
      <figcaption>
        <p className="font-medium">
          Tried on <Term name="held-out">tasks it has not seen</Term>
        </p>
        <p className="text-sm text-muted" data-testid="comparison-words">
          {compareWords(tasks, total)}
        </p>
      </figcaption>
      <div className="grid grid-cols-[3fr_2fr] gap-6 max-[900px]:grid-cols-1">
        <div>
          <p className="text-xs text-muted">
            Solved so far{tasks.length < FIRST_DRAWN ? `, drawn from task ${FIRST_DRAWN} on` : ''}
          </p>
          <div className="relative h-44">
            <LearningPlot
              kind="all"
              tasks={total}
              series={lines.map((line) => ({
                ...line,
                outcomes: tasks.map((task) => task[line.id].reward),
              }))}
            />
          </div>
        </div>
        <div>
          <p className="text-xs text-muted">Prompt tokens per task</p>
          <div className="relative h-44">
            <LinePlot
              x={tasks.map((_, index) => index + 1)}
              end={total}
              lines={lines.map((line) => ({
                label: line.label,
                colour: line.colour,
                values: tasks.map((task) => task[line.id].promptTokens),
              }))}
            />
          </div>
        </div>
      </div>
      {tasks.length > 0 ? (
        <table className="w-fit text-sm tabular-nums">
          <thead className="text-left text-muted">
            <tr>
              <th className="pr-6 font-normal">No cases in the prompt</th>
              <th className="pr-6 font-normal">Solved</th>
              <th className="font-normal">Prompt tokens per task</th>
            </tr>
          </thead>
          <tbody>
            {lines.map(({ id, label, colour }) => {
              const sum = id === 'with' ? served : without
              return (
                <tr key={id}>
                  <th scope="row" className="pr-6 text-left font-normal">
                    <span
                      aria-hidden
                      className="mr-2 inline-block h-0.5 w-3 align-middle"
                      style={{ background: `var(${colour})` }}
                    />
                    {label} soft prompt
                  </th>
                  <td className="pr-6">
                    {sum.solved} of {plural(tasks.length, 'task')}
                  </td>
                  <td>{formatCount(Math.round(sum.tokens / tasks.length))}</td>
                </tr>
              )
            })}
          </tbody>
        </table>
      ) : null}
    </figure>
  )
}
