import { Scale } from '../../../../components/icons'
import { useEffect, useState } from 'react'
import { caseWorthSchema, type CaseWorth, type WeighedCase } from '../../../../../shared/domain/case'
import { Badge } from '../../../../components/badge'
import { Button } from '../../../../components/button'
import { classNames } from '../../../../components/class-names'
import { EmptyState } from '../../../../components/empty-state'
import { Form } from '../../../../components/form'
import { Term } from '../../../../components/term'
import { PlainTable, type PlainColumn } from '../../../../ground/plain-table'
import { TextArea } from '../../../../ground/text-field'
import { useQuery } from '../../../../ground/use-query'
import { useServices, useStored } from '../../../../stores/use-services'
import { LearnerBar, CaseLink } from './learner-bar'
import { WorthScatter } from './worth-scatter'

/** For a task in words: how similar each case is, what Q makes of it, and what a run would recall. */
export function WorthView() {
  const { client } = useServices()
  const { memoryId, method, text, version, weigh } = useStored('caseValues')
  const { data, loading, problem, unread } = useQuery(
    memoryId ?? '',
    memoryId === null || text.trim() === ''
      ? null
      : async (signal) => {
          const view = { memoryId, kind: 'case', ability: 'worth', input: { method, text } }
          return caseWorthSchema.parse(await client.items.view(view, { signal }))
        },
    `${version} ${method} ${text}`,
  )
  const suggestion = useStored('items', (state) => state.open?.title ?? state.rows.get(0)?.title ?? '')
  const [draft, setDraft] = useState(text === '' ? suggestion : text)
  useEffect(() => {
    if (text === '' && suggestion !== '') {
      setDraft(suggestion)
      weigh(suggestion)
    }
  }, [text, suggestion, weigh])
  return (
    <div className="mx-auto flex max-w-3xl flex-col gap-5 p-6">
      <Form className="flex flex-col gap-2" onSubmit={() => weigh(draft.trim())}>
        <TextArea
          label="If this were the next task"
          rows={2}
          value={draft}
          onChange={(next) => setDraft(next)}
        />
        <div className="flex flex-wrap items-center justify-between gap-2">
          <LearnerBar learner={data?.learner ?? null} />
          <Button look="primary" type="submit" icon={Scale} disabled={loading || draft.trim() === ''}>
            {loading ? 'Weighing…' : 'Weigh the cases'}
          </Button>
        </div>
      </Form>
      {data === null ? (
        problem || loading ? (
          unread('the worth of the cases')
        ) : null
      ) : data.cases.length === 0 ? (
        <EmptyState icon={Scale} title="No case to weigh">
          The memory holds no case of this environment yet.
        </EmptyState>
      ) : (
        <>
          <p className="max-w-2xl text-sm text-muted">
            Right is more alike by <Term name="cosine">similarity</Term>, up is more helpful by{' '}
            <Term name="Q value" />. {blendInWords(data.cases[0]?.weight ?? 0)}{' '}
            {data.learner.draws
              ? `${data.learner.k} are drawn, good ones more often, so another time it may be others.`
              : `The best ${data.learner.k} are recalled.`}
          </p>
          <p className="text-xs text-muted">
            <span className="text-solved">●</span> solved, <span className="text-failed">◆</span> failed;
            filled ones are recalled. A dashed line, where one score decides, is where that begins.
          </p>
          <WorthScatter worth={data} />
          <WorthList worth={data} />
        </>
      )}
    </div>
  )
}

function blendInWords(weight: number): string {
  if (weight < 0.005) return 'Nothing was learned yet, so similarity decides alone.'
  const q = Math.round(100 * weight)
  return `The score is ${q} % Q and ${100 - q} % similarity.`
}

/** The weighed cases, highest score first, with what the score is made of. */
function WorthList({ worth: { cases } }: { worth: CaseWorth }) {
  return (
    <PlainTable
      caption="Cases by score"
      columns={COLUMNS}
      rows={cases}
      keyOf={keyOf}
      isFaint={isMuted}
      fixed
    />
  )
}

const keyOf = ({ case: { id } }: WeighedCase): string => id
const isMuted = ({ case: { mark } }: WeighedCase): boolean => mark === 'muted'

const COLUMNS: readonly PlainColumn<WeighedCase>[] = [
  { head: 'Case', cell: ({ case: record }) => <CaseLink record={record} /> },
  {
    head: 'Similarity',
    width: 'w-28',
    words: true,
    cell: ({ similarity }) => <Bar value={similarity} tone="bg-line-strong" />,
  },
  { head: 'Q', width: 'w-28', words: true, cell: ({ value }) => <Bar value={value} tone="bg-accent" /> },
  { head: 'Score', width: 'w-16', cell: ({ score }) => score.toFixed(2) },
  { head: 'Recalled', width: 'w-22', words: true, cell: (each) => <Standing each={each} /> },
]

function Standing({ each: { case: record, recalled } }: { each: WeighedCase }) {
  if (record.mark === 'pinned') return <Badge tone="accent">Pinned</Badge>
  if (record.mark === 'muted') return <Badge tone="notice">Muted</Badge>
  return recalled ? <Badge tone="accent">Yes</Badge> : null
}

function Bar({ value, tone }: { value: number; tone: string }) {
  return (
    <span className="flex items-center gap-2">
      <span className="h-1.5 flex-1 overflow-hidden rounded-full bg-hover" aria-hidden>
        <span
          className={classNames('block h-full rounded-full', tone)}
          style={{ width: `${100 * Math.min(1, Math.max(0, value))}%` }}
        />
      </span>
      <span className="w-8 text-right text-xs">{value.toFixed(2)}</span>
    </span>
  )
}
