import { useState } from 'react'
import { useStore } from 'zustand'
import type { ExperimentInfo } from '../../../../shared/domain/experiment'
import { ErrorNotice } from '../../../components/error-notice'
import { Loading } from '../../../components/loading'
import { methodColour } from '../../../components/method-colours'
import { Select } from '../../../ground/select'
import { TitledSection } from '../../../ground/titled-section'
import { useQuery } from '../../../ground/use-query'
import { useServices } from '../../../stores/use-services'
import { useMethodNames } from '../use-method-names'
import { SuiteGrid, type Looked } from './suite-grid'
import { bestFirst, livesOf } from './suite-lines'
import { SuiteMatrix } from './suite-matrix'
import { SuiteStream } from './suite-stream'

/** Tasks after which the figures of a suite under way are asked for again. */
const ASK_EVERY = 60

/** A suite as one page: methods by streams, then one stream with its curves, its figures and what transferred. */
export function SuiteFigures({ info }: { info: ExperimentInfo }) {
  const { client, methods } = useServices()
  const list = useStore(methods, (state) => state.data)
  const names = useMethodNames(info.definition)
  const [choice, setChosen] = useState<Looked | null>(null)
  const question = `${info.status} ${Math.floor(info.done / ASK_EVERY)}`
  const {
    data: report,
    problem,
    reload,
  } = useQuery(info.id, () => client.experiments.suite({ experimentId: info.id }), question)
  if (problem && !report) return <ErrorNotice problem={problem} alwaysRetry onRetry={reload} />
  if (!report) return <Loading what="the figures" />
  const stream = choice?.stream ?? report.streams.find(({ companion }) => !companion)?.id ?? ''
  const played = bestFirst(report).filter((method) => livesOf(report.cells, stream, method).length > 0)
  const method = choice && played.includes(choice.method) ? choice.method : (played[0] ?? '')
  const looked = { stream, method }
  const titleOf = (name: string): string => names(name).title
  const variantMethod = (name: string): string => {
    const entry = info.definition.methods.find((one) => typeof one !== 'string' && one.name === name)
    return typeof entry === 'object' ? entry.method : name
  }
  const colourOf = (name: string): string => methodColour(list, variantMethod(name))
  const about = report.streams.find(({ id }) => id === stream)
  return (
    <>
      <TitledSection
        title="Methods by streams"
        lead="Success in percent, with its course over the tasks. Choose one to look at it below."
      >
        <SuiteGrid report={report} titleOf={titleOf} colourOf={colourOf} looked={looked} onLook={setChosen} />
        <ul className="flex flex-col gap-0.5 text-xs text-muted">
          {report.notes.map((note) => (
            <li key={note}>{note}</li>
          ))}
        </ul>
      </TitledSection>
      {method === '' ? null : (
        <TitledSection
          title={about?.title ?? stream}
          lead={about?.about}
          action={
            <Select
              label="Stream"
              className="w-44"
              value={stream}
              options={report.streams.map(({ id, title }) => ({ value: id, label: title }))}
              onChange={(value) => setChosen({ stream: value, method })}
            />
          }
        >
          <SuiteStream report={report} looked={looked} titleOf={titleOf} colourOf={colourOf} />
          <SuiteMatrix lives={livesOf(report.cells, stream, method)} title={titleOf(method)} />
        </TitledSection>
      )}
    </>
  )
}
