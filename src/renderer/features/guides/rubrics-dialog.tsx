import { Plus, Trash2 } from '../../components/icons'
import { useState } from 'react'
import { rubricSchema, type Rubric } from '../../../shared/domain/guide'
import { Button } from '../../components/button'
import { IconButton } from '../../components/icon-button'
import { Loading } from '../../components/loading'
import { FormDialog } from '../../ground/form-dialog'
import { useEnvironmentTitle } from '../../ground/task-choice/environment-name'
import { useQuery } from '../../ground/use-query'
import { refusalOf } from '../../stores/error-shape'
import { useServices, useStored } from '../../stores/use-services'

const MOST = 12

const SAVED = 'The next build is judged by them. One that has begun needs the old ones and cannot go on.'

/** What the judge of an environment looks for, in this memory. */
export function RubricsDialog({ environment, onClose }: { environment: string; onClose(): void }) {
  const { client, toasts } = useServices()
  const memoryId = useStored('guides', (state) => state.memoryId)
  const [change, setDraft] = useState<readonly Rubric[] | null>(null)
  const { data, problem } = useQuery(
    `${memoryId} ${environment}`,
    memoryId === null ? null : () => client.guides.rubrics({ memoryId, environment }),
  )
  const draft = change ?? data
  const title = useEnvironmentTitle(environment)
  const rubrics = draft ?? []
  const ids = rubrics.map(({ id }) => id)
  const valid =
    rubrics.length > 0 &&
    new Set(ids).size === ids.length &&
    rubrics.every((rubric) => rubricSchema.safeParse(rubric).success)
  const changeOne = (i: number, part: Partial<Rubric>) =>
    setDraft(rubrics.map((rubric, at) => (at === i ? { ...rubric, ...part } : rubric)))
  const save = async () => {
    if (memoryId === null) return null
    const refused = await refusalOf(
      client.guides.saveRubrics({ memoryId, environment, rubrics: [...rubrics] }),
    )
    if (!refused) toasts.getState().tell('Rubrics saved', SAVED)
    return refused
  }
  return (
    <FormDialog
      title={`Rubrics for ${title}`}
      description="The judge scores every attempt from 1 to 5 by each of them, without being told whether it was solved."
      className="w-[min(720px,calc(100vw-32px))]"
      submit={{ label: 'Save', busy: 'Saving…' }}
      ready={valid}
      note={draft !== null && !valid ? 'Each needs a name of its own (a-z, 0-9, -) and a text.' : ''}
      problem={problem}
      onSubmit={save}
      onClose={onClose}
    >
      {draft === null && !problem ? <Loading what="the rubrics" /> : null}
      {rubrics.map((rubric, i) => (
        <div key={i} className="flex items-start gap-2">
          <input
            aria-label={`Name of rubric ${i + 1}`}
            value={rubric.id}
            maxLength={40}
            aria-invalid={!rubricSchema.shape.id.safeParse(rubric.id).success || undefined}
            onChange={(event) =>
              changeOne(i, { id: event.target.value.toLowerCase().replaceAll(/[^a-z0-9-]/g, '-') })
            }
            className="h-8 w-36 shrink-0 rounded-md border bg-surface px-2.5 aria-invalid:border-danger"
          />
          <textarea
            aria-label={`What rubric ${i + 1} looks for`}
            rows={2}
            value={rubric.text}
            maxLength={400}
            onChange={(event) => changeOne(i, { text: event.target.value })}
            className="min-w-0 flex-1 resize-y rounded-md border bg-surface px-2.5 py-1"
          />
          <IconButton
            icon={Trash2}
            label="Remove"
            disabled={rubrics.length === 1}
            onClick={() => setDraft(rubrics.filter((_, at) => at !== i))}
          />
        </div>
      ))}
      {draft !== null && rubrics.length < MOST ? (
        <Button
          size="small"
          icon={Plus}
          className="self-start"
          onClick={() => setDraft([...rubrics, { id: '', text: '' }])}
        >
          Add a rubric
        </Button>
      ) : null}
    </FormDialog>
  )
}
