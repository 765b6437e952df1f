import { ChartSpline, ListOrdered, Play } from '../../components/icons'
import { useState, type ReactNode } from 'react'
import type { AskCurve, AskPoint, LeftOut } from '../../../shared/domain/ask-curve'
import type { StreamInfo } from '../../../shared/domain/task'
import { askFigures, rightSoFar } from '../../../shared/figures/ask-figures'
import { curveMeaning } from '../../../shared/figures/meaning'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { SmallFold } from '../../components/fold'
import { formatCount, formatShare, plural } from '../../components/format'
import { RowLink } from '../../components/row-link'
import { MemoryGate } from '../../ground/memory-gate'
import { PlainTable } from '../../ground/plain-table'
import { LinePlot } from '../../ground/plot/plots'
import { Select } from '../../ground/select'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { Recalls } from './recalls'
import { useServices, useStored } from '../../stores/use-services'

/** Everyday work with the open memory over time: how often it was right, what it took, by topic, and when the memory changed. */
export function CurveView() {
  return (
    <MemoryGate icon={ChartSpline} about="Asks are kept with the memory that remembers them.">
      {(memoryId) => <MemoryCurve key={memoryId} memoryId={memoryId} />}
    </MemoryGate>
  )
}

function MemoryCurve({ memoryId }: { memoryId: string }) {
  const { client } = useServices()
  const change = useStored('asks', (state) => state.asks.map(({ changedAt }) => changedAt).join())
  const name = useStored('memories', (state) => state.memories.find(({ id }) => id === memoryId)?.name)
  const { data, unread } = useQuery(memoryId, () => client.asks.curve({ memoryId }), change)
  const [topic, setTopic] = useState<number | null>(null)
  if (!data) return unread('the curve')
  const points = topic === null ? data.points : data.points.filter((point) => point.topic === topic)
  return (
    <div className="h-full overflow-y-auto">
      <div className="mx-auto flex max-w-3xl flex-col gap-5 p-6">
        <header className="flex flex-wrap items-start gap-3">
          <div className="min-w-60 flex-1">
            <h2 className="text-xl font-semibold">Your curve</h2>
            <p className="mt-1 text-muted">What was asked with the memory “{name ?? memoryId}”.</p>
          </div>
          {data.topics.length > 1 ? (
            <Select
              className="w-60"
              label="Topic"
              value={topic === null ? '' : String(topic)}
              options={[
                { value: '', label: 'All topics' },
                ...data.topics.map(({ title, asks: count }, i) => ({
                  value: String(i),
                  label: title,
                  detail: plural(count, 'ask'),
                })),
              ]}
              onChange={(value) => setTopic(value === '' ? null : Number(value))}
            />
          ) : null}
        </header>
        {data.points.length === 0 ? (
          <p className="text-muted">
            Nothing was asked of it yet. Ask something, and say whether it was right.
          </p>
        ) : (
          <>
            <Charts points={points} curve={data} whole={topic === null} />
            <p className="rounded-lg border bg-canvas px-3 py-2">{curveMeaning(points)}</p>
            <Topics curve={data} />
            <Moments curve={data} memoryId={memoryId} />
            <Recalls memoryId={memoryId} />
            <AsksToStream memoryId={memoryId} name={name ?? 'My work'} />
          </>
        )}
      </div>
    </div>
  )
}

/** Right, tokens and time, each over the same asks. Small multiples: their units differ. */
function Charts({ points, curve, whole }: { points: readonly AskPoint[]; curve: AskCurve; whole: boolean }) {
  const figures = askFigures(points)
  const x = points.map((_, i) => i + 1)
  const marks = whole ? curve.moments.map(({ after }) => after + 0.5) : []
  const common = { x, end: points.length + 0.5, marks }
  const percent = (value: number | null): number | null => (value === null ? null : value * 100)
  const dots = points.map(({ right }) => percent(right))
  return (
    <div className="flex flex-col gap-3">
      <Chart
        title="Right, of those that were judged, in percent"
        figure={
          figures.rate === null
            ? 'none judged'
            : `${formatShare(figures.rate.rate)} of ${figures.judged} (${formatShare(figures.rate.low)} to ${formatShare(figures.rate.high)})`
        }
        tall
      >
        <LinePlot
          {...common}
          top={106}
          lines={[
            { label: 'right', colour: '--series-1', values: rightSoFar(points).map(percent) },
            { label: 'ask', colour: '--series-2', values: dots, dots: true },
          ]}
        />
      </Chart>
      <div className="grid grid-cols-2 gap-3 max-[1000px]:grid-cols-1">
        <Chart
          title="Tokens per ask"
          figure={figures.tokens === null ? '' : `${formatCount(Math.round(figures.tokens))} on average`}
        >
          <LinePlot
            {...common}
            lines={[{ label: 'tokens', colour: '--series-3', values: points.map(({ tokens }) => tokens) }]}
          />
        </Chart>
        <Chart
          title="Seconds per ask"
          figure={figures.ms === null ? '' : `${(figures.ms / 1000).toFixed(1)} on average`}
        >
          <LinePlot
            {...common}
            lines={[{ label: 'seconds', colour: '--series-4', values: points.map(({ ms }) => ms / 1000) }]}
          />
        </Chart>
      </div>
      {marks.length > 0 ? (
        <p className="text-xs text-muted">
          Line: share right over the last 20 judged asks. Dots: the asks. Dashed: the memory changed there.
        </p>
      ) : null}
    </div>
  )
}

function Chart(props: { title: string; figure: string; tall?: boolean; children: ReactNode }) {
  return (
    <figure className="rounded-lg border p-3">
      <figcaption className="flex flex-wrap justify-between gap-x-3 text-sm">
        <span className="font-medium">{props.title}</span>
        <span className="text-muted tabular-nums">{props.figure}</span>
      </figcaption>
      <div className={`relative mt-2 ${props.tall ? 'h-48' : 'h-32'}`}>{props.children}</div>
    </figure>
  )
}

function Topics({ curve }: { curve: AskCurve }) {
  const tokensOf = (topic: number): string => {
    const { tokens } = askFigures(curve.points.filter((point) => point.topic === topic))
    return formatCount(Math.round(tokens ?? 0))
  }
  return (
    <section aria-label="Topics">
      <PlainTable
        caption="Asks by topic"
        rows={[...curve.topics.slice(0, 20).entries()]}
        keyOf={([i]) => String(i)}
        columns={[
          {
            head: 'Topic',
            cell: ([, { title }]) => <span className="block max-w-80 truncate">{title}</span>,
          },
          { head: 'Asks', cell: ([, { asks }]) => asks },
          {
            head: 'Right, of judged',
            cell: ([, { judged, right }]) => (judged === 0 ? '–' : `${right} of ${judged}`),
          },
          { head: 'Tokens', cell: ([i]) => tokensOf(i) },
        ]}
      />
    </section>
  )
}

const SHOWN = 12

/** When the memory changed, newest first. */
function Moments({ curve, memoryId }: { curve: AskCurve; memoryId: string }) {
  const { openItem } = useServices()
  if (curve.moments.length === 0) return null
  return (
    <section aria-label="When the memory changed" className="flex flex-col gap-2">
      <h3 className="font-medium">When the memory changed</h3>
      <ul className="divide-y rounded-md border">
        {curve.moments
          .toReversed()
          .slice(0, SHOWN)
          .map(({ after, added, edited, gone, sample }) => (
            <li key={after} className="flex flex-wrap items-baseline gap-x-3 px-2.5 py-1.5 text-sm">
              <span className="w-32 shrink-0 text-muted">
                {after === 0 ? 'Before the first' : `After ask ${after}`}
              </span>
              <span>
                {[
                  added > 0 ? `${added} learned` : '',
                  edited > 0 ? `${edited} edited` : '',
                  gone > 0 ? `${gone} gone` : '',
                ]
                  .filter(Boolean)
                  .join(', ')}
              </span>
              {sample.slice(0, 1).map(({ kind, id, title }) => (
                <RowLink
                  key={id}
                  className="min-w-0 flex-1 text-muted"
                  onClick={() => openItem(memoryId, { kind, id })}
                >
                  {title}
                </RowLink>
              ))}
            </li>
          ))}
      </ul>
    </section>
  )
}

interface Made {
  readonly streams: readonly StreamInfo[]
  readonly leftOut: readonly LeftOut[]
}

/** Past asks become a stream with one click, and any method or model is replayed on them. */
function AsksToStream({ memoryId, name }: { memoryId: string; name: string }) {
  const { client, streams, runForm, ui } = useServices()
  const [product, setMade] = useState<Made | null>(null)
  const { problem, attempt } = useAttempt()
  const make = () =>
    attempt(async () => {
      const result = await client.asks.toStream({ title: `Asks of ${name}`, memoryId })
      // A run is offered once its form knows the stream.
      await streams.getState().reload()
      setMade(result)
    })
  const replay = (stream: StreamInfo) => {
    runForm.getState().change({ stream: stream.id, memoryId: null, tasks: null })
    ui.getState().go('run')
  }
  return (
    <section aria-label="Replay them" className="flex flex-col gap-3 rounded-lg border p-3">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-60 flex-1 text-sm">
          Would another model or another way to learn have solved them? As a stream, they can be replayed.
        </p>
        <Button icon={ListOrdered} onClick={() => void make()}>
          Make a stream of them
        </Button>
      </div>
      {problem ? <ErrorNotice problem={problem} /> : null}
      {product ? (
        <div role="status" className="flex flex-col gap-2">
          {product.streams.map((stream) => (
            <div key={stream.id} className="flex flex-wrap items-center gap-3">
              <p className="min-w-40 flex-1 text-sm">
                “{stream.title}”: {plural(stream.tasks, 'task')}
              </p>
              <Button size="small" icon={Play} onClick={() => replay(stream)}>
                Replay with another method or model
              </Button>
            </div>
          ))}
          {product.leftOut.length > 0 ? (
            <SmallFold title={`${plural(product.leftOut.length, 'ask')} left out`} look="">
              <ul className="mt-1 list-disc pl-5 text-sm text-muted">
                {product.leftOut.map(({ askId, title, why }, i) => (
                  <li key={`${askId} ${i}`}>
                    {title}: {why}
                  </li>
                ))}
              </ul>
            </SmallFold>
          ) : null}
        </div>
      ) : null}
    </section>
  )
}
