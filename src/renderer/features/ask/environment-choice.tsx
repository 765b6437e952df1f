import type { AskEnvironment } from '../../../shared/domain/ask'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Summary } from '../../components/fold'
import { NumberField } from '../../ground/number-field'
import { SelectField } from '../../ground/select'
import { useQuery } from '../../ground/use-query'
import { useServices, useStored } from '../../stores/use-services'
import { Long } from './collapsible'

const NOWHERE = 'nowhere'

/** Whether the agent acts in the world of a stream's task, such as a database, and what there is in it. */
export function EnvironmentChoice({ world, demo }: { world: AskEnvironment | null; demo: boolean }) {
  const { asks } = useServices()
  const acted = useStored('environments', ({ data }) => data)?.filter(({ player }) => player === null) ?? []
  const list = (useStored('streams', ({ data }) => data) ?? []).filter(({ environment }) =>
    acted.some(({ id }) => id === environment),
  )
  const { write } = asks.getState()
  return (
    <details className="group" open={world !== null}>
      <Summary>Act in the world of a task</Summary>
      <div className="flex flex-col gap-3 pt-3">
        <p className="text-sm text-muted">
          {demo
            ? 'The demo model only knows the house rules of its own worlds. Ask in their words; it finds their hidden rules out, or recalls them.'
            : 'Instead of working with tools and files, the agent acts on what a task of a stream begins with, such as its tables.'}
        </p>
        <div className="flex gap-3">
          <div className="min-w-0 flex-1">
            <SelectField
              label="World"
              value={world?.stream ?? NOWHERE}
              options={[
                { value: NOWHERE, label: 'No world', detail: 'It works with tools and files.' },
                ...list.map(({ id, title, description }) => ({
                  value: id,
                  label: title,
                  detail: description,
                })),
              ]}
              onChange={(stream) => write({ world: stream === NOWHERE ? null : { stream, index: 0 } })}
            />
          </div>
          {world ? (
            <NumberField
              label="As of task"
              name="The task whose world it is"
              width="w-28"
              value={world.index + 1}
              bounds={[1, list.find(({ id }) => id === world.stream)?.tasks ?? 1]}
              onChange={(number) => write({ world: { ...world, index: number - 1 } })}
            />
          ) : null}
        </div>
        {world ? <WorldView world={world} /> : null}
      </div>
    </details>
  )
}

/** What there is in a world, and how its own task is worded. */
function WorldView({ world }: { world: AskEnvironment }) {
  const { client, asks } = useServices()
  const { data, problem, reload } = useQuery(
    `${world.stream} ${world.index}`,
    () => client.asks.world({ stream: world.stream, index: world.index }),
    '',
    150,
  )
  if (problem) return <ErrorNotice problem={problem} onRetry={reload} alwaysRetry />
  if (!data) return null
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span>
          <span className="text-muted">Its own task:</span> {data.instruction}
        </span>
        <Button size="small" onClick={() => asks.getState().write({ text: data.instruction })}>
          Use these words
        </Button>
      </p>
      <Long label="What is there" text={data.context} />
    </div>
  )
}
