import { useState } from 'react'
import type { CaseRecord } from '../../../shared/domain/case'
import { FormDialog } from '../../ground/form-dialog'
import { TextArea } from '../../ground/text-field'
import { optionsOf } from '../../components/options'
import { Segmented } from '../../components/segmented'
import { useCaseChanges } from './use-case-changes'

const LABELS = optionsOf({ solved: 'Solved', failed: 'Failed' })

const draftOf = ({ state, plan, reward }: CaseRecord) => ({ state, plan, reward })

/** Puts right what a case says. What it read before is kept. */
export function CorrectDialog({ record, onClose }: { record: CaseRecord; onClose(): void }) {
  const { correct } = useCaseChanges()
  const [draft, setDraft] = useState(() => draftOf(record))
  return (
    <FormDialog
      title="Correct the case"
      description="Runs recall the case as it reads from now on. The attempt it came from stays as it was."
      submit={{ label: 'Save correction', busy: 'Saving…' }}
      ready={draft.state.trim() !== ''}
      onSubmit={() => correct(record, draft)}
      onClose={onClose}
    >
      <TextArea
        label="Task"
        rows={3}
        value={draft.state}
        onChange={(next) => setDraft({ ...draft, state: next })}
      />
      <TextArea
        label="What was done"
        hint="The model is shown this text as it stands."
        rows={10}
        value={draft.plan}
        onChange={(next) => setDraft({ ...draft, plan: next })}
        code
      />
      <Segmented
        label="What came of it"
        value={draft.reward === 1 ? 'solved' : 'failed'}
        options={LABELS}
        onChange={(value) => setDraft({ ...draft, reward: value === 'solved' ? 1 : 0 })}
      />
    </FormDialog>
  )
}
