import { Check, FolderOutput, Scale, Trash2 } from '../../components/icons'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { StoredSoftPrompt } from '../../../shared/domain/soft-prompt-training'
import { heldOutWords, insteadWords, trialFigures, type SoftPrompt } from '../../../shared/domain/soft-prompt'
import { Badge } from '../../components/badge'
import { Figure } from '../../components/figure'
import { Button } from '../../components/button'
import { formatBytes, formatDuration, formatWhen, plural } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { Term } from '../../components/term'
import { EnvironmentTitle } from '../../ground/task-choice/environment-name'
import { isWorking } from '../../stores/soft-prompts'
import { useServices } from '../../stores/use-services'
import { ComparisonView } from './comparison-view'
import { LossView } from './loss-view'
import { Summary } from '../../components/fold'
import { compareWords } from './words'
import { FormDialog } from '../../ground/form-dialog'
import { TextField } from '../../ground/text-field'
import { errorShape } from '../../stores/error-shape'

const STATES = {
  'in-use': { tone: 'accent', words: 'in use' },
  candidate: { tone: 'notice', words: 'to be decided' },
  earlier: { tone: 'neutral', words: 'used before' },
} as const

const Origin = ({ info }: { info: SoftPrompt }) => (
  <p className="text-sm text-muted">
    {plural(info.reservedIds.length, 'token')} from {plural(info.trajectories.length, 'solved task')}, for{' '}
    {info.environment ? <EnvironmentTitle id={info.environment} /> : 'any environment'} on{' '}
    {info.baseModel.name}
  </p>
)

/** One soft prompt: what came of it, and what can be done with it. */
export function SoftPromptEntry({ item, stream }: { item: StoredSoftPrompt; stream: string | null }) {
  const { softPrompts: consolidation, toasts } = useServices()
  const { busy, work, form, accept, remove, restore, compare } = useStore(consolidation)
  const [exporting, setExporting] = useState(false)
  const { info, state } = item
  const { adapter, outcome, comparison, trial } = info
  const isWaiting = busy || isWorking(work)
  const discard = async () => {
    if (!(await remove(adapter))) return
    toasts.getState().show({
      title: state === 'candidate' ? 'Discarded' : 'Deleted',
      detail: formatWhen(info.createdAt),
      tone: 'plain',
      action: { label: 'Undo', run: () => void restore(adapter) },
    })
  }
  return (
    <li data-testid={`soft-prompt-${state}`} className="flex flex-col gap-3 rounded-lg border bg-surface p-4">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div className="min-w-64 flex-1">
          <p className="flex flex-wrap items-center gap-2 font-medium">
            {formatWhen(info.createdAt)}
            <Badge tone={STATES[state].tone}>{STATES[state].words}</Badge>
          </p>
          <Origin info={info} />
          {comparison && state !== 'candidate' ? (
            <p className="text-sm">{compareWords(comparison.tasks, comparison.tasks.length)}</p>
          ) : null}
          {trial && trial.tasks.length > 0 ? (
            <p className="text-sm">Tried in its run: {heldOutWords(trialFigures(trial))}</p>
          ) : comparison ? null : (
            <p className="text-sm text-muted">Not tried on unseen tasks yet.</p>
          )}
        </div>
        <div className="flex flex-wrap gap-2">
          {state === 'in-use' ? null : (
            <Button
              look={state === 'candidate' ? 'primary' : 'secondary'}
              icon={Check}
              disabled={isWaiting}
              onClick={() => void accept(adapter)}
            >
              {state === 'candidate' ? 'Accept' : 'Use again'}
            </Button>
          )}
          {state === 'candidate' ? (
            <Button icon={Trash2} disabled={isWaiting} onClick={() => void discard()}>
              Discard
            </Button>
          ) : null}
          <IconButton
            icon={Scale}
            label={
              stream === null ? 'Try it on unseen tasks: choose a stream first' : 'Try it on unseen tasks'
            }
            disabled={isWaiting || stream === null}
            onClick={() => {
              if (stream !== null)
                void compare(adapter, { stream, tasks: form.compare || 20, from: form.compareFrom })
            }}
          />
          <IconButton icon={FolderOutput} label="Export to a folder" onClick={() => setExporting(true)} />
          {state === 'earlier' ? (
            <IconButton icon={Trash2} label="Delete" disabled={isWaiting} onClick={() => void discard()} />
          ) : null}
        </div>
      </div>
      {comparison ? (
        <details className="group" open={state === 'candidate'}>
          <Summary>Before and after</Summary>
          <div className="pt-3">
            <ComparisonView tasks={comparison.tasks} total={comparison.tasks.length} />
          </div>
        </details>
      ) : null}
      <details className="group">
        <Summary>How it was trained</Summary>
        <div className="flex flex-col gap-4 pt-3">
          <dl className="grid grid-cols-4 gap-x-6 gap-y-2 text-sm max-[1000px]:grid-cols-2">
            <Figure plain name={<Term name="loss">Loss</Term>}>
              {outcome.initialLoss.toFixed(3)} → {outcome.finalLoss.toFixed(3)}
            </Figure>
            <Figure plain name={<Term name="held-out">Held-out loss</Term>}>
              {outcome.heldOutLoss === null || outcome.initialHeldOutLoss === null
                ? 'nothing held out'
                : `${outcome.initialHeldOutLoss.toFixed(3)} → ${outcome.heldOutLoss.toFixed(3)}`}
            </Figure>
            <Figure plain name="Steps">
              {outcome.steps} in {formatDuration(outcome.wallMs)}, kept step {outcome.bestStep}
            </Figure>
            <Figure plain name={<Term name="teacher">Teacher / student</Term>}>
              {info.teacher} / {info.student}
            </Figure>
            <Figure plain name="Learned from / held out">
              {info.trajectories.length} / {plural(info.heldOut.length, 'attempt')}
            </Figure>
            <Figure plain name="File">
              {adapter}, {formatBytes(item.bytes)}
            </Figure>
            <Figure plain name="Model">
              {info.baseModel.name}
              <span className="block text-xs text-muted">
                sha256 {info.baseModel.sha256.slice(0, 12)}…, fits no other
              </span>
            </Figure>
            <Figure plain name={<Term name="reserved tokens">Reserved tokens</Term>}>
              {info.reservedIds.slice(0, 3).join(', ')}
              {info.reservedIds.length > 3 ? ` … ${info.reservedIds.at(-1) ?? ''}` : ''}
            </Figure>
          </dl>
          <Training info={info} />
        </div>
      </details>
      {exporting ? <ExportDialog adapter={adapter} onClose={() => setExporting(false)} /> : null}
    </li>
  )
}

/** How the loss went, and where it was trained if not where it was to be. */
const Training = ({ info: { instead, outcome } }: { info: SoftPrompt }) => (
  <>
    {instead ? <p className="text-sm text-muted">{insteadWords(instead)}</p> : null}
    <LossView curve={outcome.curve} steps={outcome.steps} />
  </>
)

/** Writes a soft prompt into a folder of the machine Loam runs on. */
function ExportDialog({ adapter, onClose }: { adapter: string; onClose(): void }) {
  const { client, softPrompts: consolidation, toasts } = useServices()
  const memoryId = useStore(consolidation, (state) => state.memoryId)
  const [folder, setFolder] = useState('')
  const write = async () => {
    if (memoryId === null) return null
    const to = folder.trim() === '' ? null : folder.trim()
    try {
      const output = await client.softPrompts.export({ memoryId, adapter, folder: to })
      toasts.getState().tell('Soft prompt exported', output.folder)
      return null
    } catch (error) {
      return errorShape(error)
    }
  }
  return (
    <FormDialog
      title="Export to a folder"
      description="Adapter, description, and a README that shows how llama.cpp serves it."
      submit={{ label: 'Export', busy: 'Exporting…' }}
      onSubmit={write}
      onClose={onClose}
    >
      <TextField
        label="Folder"
        hint="A full path. Empty: a folder of its own under Loam’s exports."
        value={folder}
        spellCheck={false}
        onChange={(next) => setFolder(next)}
      />
    </FormDialog>
  )
}
