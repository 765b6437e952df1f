import { Merge, Pencil, Scissors } from '../../components/icons'
import { useState } from 'react'
import type { Concept, ConceptEdit } from '../../../shared/domain/guide'
import type { BuildInfo } from '../../../shared/domain/guide-build'
import type { LoamErrorShape } from '../../../shared/errors'
import { Button } from '../../components/button'
import { Form } from '../../components/form'
import { plural } from '../../components/format'
import { TitleAndLead } from '../../components/title-and-lead'
import { Select } from '../../ground/select'
import { useServices } from '../../stores/use-services'

/** The concepts before the search: rename, merge, split. Once the search begins they stay as they are. */
export function ConceptsReview(props: {
  info: BuildInfo
  onProblem: (problem: LoamErrorShape | null) => void
}) {
  const { client, guides } = useServices()
  const { info, onProblem } = props
  const [busy, setBusy] = useState(false)
  const edit = async (change: ConceptEdit) => {
    setBusy(true)
    onProblem(
      await guides
        .getState()
        .act((memoryId) => client.guides.editConcepts({ memoryId, buildId: info.build.id, edit: change })),
    )
    setBusy(false)
  }
  return (
    <section aria-label="Concepts" className="flex flex-col gap-3">
      <div>
        <h2 className="font-medium">{plural(info.concepts.length, 'concept')} found</h2>
        <p className="text-sm text-muted">
          Each gets a guide and a tree of its own. Rename, merge or split them now; the search keeps them as
          they are.
        </p>
      </div>
      <ul className="divide-y rounded-lg border">
        {info.concepts.map((concept) => (
          <ConceptRow
            key={concept.id}
            concept={concept}
            others={info.concepts.filter(({ id }) => id !== concept.id)}
            busy={busy}
            onEdit={(change) => void edit(change)}
          />
        ))}
      </ul>
    </section>
  )
}

interface RowProps {
  readonly concept: Concept
  readonly others: readonly Concept[]
  readonly busy: boolean
  readonly onEdit: (edit: ConceptEdit) => void
}

function ConceptRow({ concept, others, busy, onEdit }: RowProps) {
  const [action, setAction] = useState<'rename' | 'merge' | 'split' | null>(null)
  const toggle = (what: typeof action) => setAction(action === what ? null : what)
  const getOutcome = (edit: ConceptEdit) => {
    setAction(null)
    onEdit(edit)
  }
  return (
    <li className="flex flex-col gap-2.5 px-3 py-2.5">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <TitleAndLead
          small
          className="min-w-48"
          title={concept.name}
          lead={`${plural(concept.insights.length, 'insight')}, ${plural(concept.train.length, 'training task')}, ${plural(concept.evaluation.length, 'held-out task')}`}
        >
          {concept.members.length > 1 ? (
            <p className="text-xs text-muted">Also called {concept.members.join(', ')}</p>
          ) : null}
        </TitleAndLead>
        <div className="flex gap-1.5">
          <Button size="small" icon={Pencil} disabled={busy} onClick={() => toggle('rename')}>
            Rename
          </Button>
          <Button
            size="small"
            icon={Merge}
            disabled={busy || others.length === 0}
            onClick={() => toggle('merge')}
          >
            Merge
          </Button>
          <Button
            size="small"
            icon={Scissors}
            disabled={busy || concept.members.length < 2}
            title={
              concept.members.length < 2 ? 'It has only one name, so there is nothing to split' : undefined
            }
            onClick={() => toggle('split')}
          >
            Split
          </Button>
        </div>
      </div>
      {action === 'rename' ? <Rename concept={concept} onDone={getOutcome} /> : null}
      {action === 'merge' ? (
        <div className="flex flex-wrap items-center gap-2 text-sm">
          Make it part of
          <Select
            label="Merge into"
            className="w-56"
            value={null}
            placeholder="Choose a concept"
            options={others.map(({ id, name }) => ({ value: id, label: name }))}
            onChange={(into) => getOutcome({ kind: 'merge', into, from: concept.id })}
          />
        </div>
      ) : null}
      {action === 'split' ? <Split concept={concept} onDone={getOutcome} /> : null}
    </li>
  )
}

interface EditProps {
  readonly concept: Concept
  readonly onDone: (edit: ConceptEdit) => void
}

function Rename({ concept, onDone }: EditProps) {
  const [name, setName] = useState(concept.name)
  return (
    <Form
      className="flex flex-wrap gap-2"
      onSubmit={() => {
        if (name.trim() !== '') onDone({ kind: 'rename', conceptId: concept.id, name: name.trim() })
      }}
    >
      <NameInput label={`New name of ${concept.name}`} value={name} onChange={setName} />
      <Button type="submit" disabled={name.trim() === '' || name.trim() === concept.name}>
        Rename
      </Button>
    </Form>
  )
}

function Split({ concept, onDone }: EditProps) {
  const [members, setMembers] = useState<readonly string[]>([])
  const [name, setName] = useState('')
  const ready = members.length > 0 && members.length < concept.members.length && name.trim() !== ''
  return (
    <Form
      className="flex flex-col gap-2 text-sm"
      onSubmit={() => {
        if (ready) onDone({ kind: 'split', conceptId: concept.id, members: [...members], name: name.trim() })
      }}
    >
      <p>Which names become a concept of their own?</p>
      <div className="flex flex-wrap gap-x-4 gap-y-1.5">
        {concept.members.map((member) => (
          <label key={member} className="flex items-center gap-1.5">
            <input
              type="checkbox"
              checked={members.includes(member)}
              onChange={({ target }) => {
                setMembers(target.checked ? [...members, member] : members.filter((one) => one !== member))
                if (target.checked && name === '') setName(member)
              }}
              className="accent-accent"
            />
            {member}
          </label>
        ))}
      </div>
      <div className="flex flex-wrap gap-2">
        <NameInput label="Name of the new concept" value={name} onChange={setName} />
        <Button type="submit" disabled={!ready}>
          Split
        </Button>
      </div>
    </Form>
  )
}

function NameInput(props: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <input
      aria-label={props.label}
      placeholder={props.label}
      value={props.value}
      maxLength={60}
      // Opened by a button for exactly this.
      autoFocus
      onChange={(event) => props.onChange(event.target.value)}
      className="h-8 w-64 max-w-full rounded-md border bg-surface px-2.5"
    />
  )
}
