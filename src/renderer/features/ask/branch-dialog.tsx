import { GitBranch } from '../../components/icons'
import { useState } from 'react'
import { specOf, type AskAttempt, type AskChanges, type AskInfo } from '../../../shared/domain/ask'
import { IMPORTED_MODEL } from '../../../shared/domain/ask-origin'
import { planAsLines, plannedSteps, stepName } from '../../../shared/domain/plan'
import type { Round } from '../../../shared/domain/trajectory'
import { plural } from '../../components/format'
import { Segmented } from '../../components/segmented'
import { FormDialog } from '../../ground/form-dialog'
import { ModelChoice } from '../../ground/model-choice'
import { memoryOptions, SelectField } from '../../ground/select'
import { TextArea } from '../../ground/text-field'
import { refusalOf } from '../../stores/error-shape'
import { useServices, useStored } from '../../stores/use-services'
import { everydayMethods } from './choices'

/** Where a try begins: at a step of an attempt, from 0, or at the message itself. */
export interface BranchPlace {
  readonly attempt: AskAttempt
  readonly step: number | null
}

/** A step as it can be rewritten: the call with its arguments, or what was written. */
const wordsOf = ({ call, action, completion, from }: Round): string =>
  call || from === 'tool' ? ('content' in action ? action.content : completion) : completion

const pretty = (call: string): string => {
  const at = call.indexOf(' ')
  try {
    return `${call.slice(0, at)} ${JSON.stringify(JSON.parse(call.slice(at + 1)), null, 2)}`
  } catch {
    return call
  }
}

/** What is rewritten where a try begins. */
interface Target {
  /** As it was. */
  readonly words: string
  readonly title: string
  readonly label: string
  readonly hint: string
}

/** What a step is rewritten as: an action, a plan, or what one step of a plan asks for. */
function targetAt(ask: AskInfo, { trajectory }: AskAttempt, step: number): Target {
  const { cycles, rounds } = trajectory
  const place = cycles && plannedSteps(cycles)[step]
  const title = `From ${stepName(trajectory, step)} on`
  if (!place) {
    const round = rounds[step]
    return {
      title,
      words: round ? pretty(wordsOf(round)) : '',
      label: 'What it should do in this step',
      hint: ask.spec.world
        ? 'As its world takes it, such as one SQL statement.'
        : 'A tool and its arguments as JSON; anything else is taken for the answer.',
    }
  }
  const cycle = cycles[place.cycle]
  const subtask = place.subtask === null ? null : cycle?.subtasks[place.subtask]
  if (subtask)
    return {
      title,
      words: subtask.description,
      label: 'What is to be done in this step',
      hint: 'Or RESULT: and what came of it, where you did it yourself.',
    }
  const answer = cycle?.answer ?? null
  return {
    title,
    words: answer === null ? planAsLines(cycle?.subtasks ?? []) : `FINAL ANSWER: ${answer}`,
    label: 'The plan, one step a line',
    hint: 'Or FINAL ANSWER: and the answer, where nothing is left to do.',
  }
}

/** Tries a message once more: other words, another model, another memory, from a step on or with that step rewritten. */
export function BranchDialog(props: { ask: AskInfo; place: BranchPlace; onClose: () => void }) {
  const { ask, onClose } = props
  const { attempt, step } = props.place
  const { client } = useServices()
  const before = specOf(ask, attempt)
  const target = step === null ? null : targetAt(ask, attempt, step)
  const own = target === null ? before.text : target.words
  const [words, setWords] = useState(own)
  const [rewrite, setRewrite] = useState<'anew' | 'own'>('anew')
  const [model, setModel] = useState(before.model)
  const [memoryId, setMemory] = useState(before.memoryId)
  const [method, setMethod] = useState(before.method)
  const memoryList = useStored('memories', (state) => state.memories)
  const methodList = useStored('methods', ({ data }) => data) ?? []
  const edit = target !== null && rewrite === 'own' ? words : null
  const changes: AskChanges = {
    ...(target === null && words.trim() !== before.text && { text: words }),
    ...(model !== before.model && { model }),
    ...(memoryId !== before.memoryId && { memoryId }),
    ...(method !== before.method && { method }),
  }
  return (
    <FormDialog
      title={target === null ? 'Try it another way' : target.title}
      description={
        target === null
          ? 'The tries stand side by side; what was there stays.'
          : step === 0
            ? 'All of it is done again.'
            : `What came before stays as it was (${plural(step ?? 0, 'step')}); the rest is done again.`
      }
      submit={{ label: 'Try it', busy: 'Beginning…', icon: GitBranch }}
      ready={words.trim() !== ''}
      onSubmit={() => {
        const from = { attempt: attempt.index, step: step ?? 0, edit }
        return refusalOf(client.asks.branch({ askId: ask.id, from, changes }))
      }}
      onClose={onClose}
    >
      {target === null ? (
        <TextArea label="In these words" rows={4} value={words} onChange={setWords} />
      ) : (
        <>
          <div>
            <Segmented<'anew' | 'own'>
              label="This step"
              value={rewrite}
              options={[
                { value: 'anew', label: 'The agent does it anew' },
                { value: 'own', label: 'I write it' },
              ]}
              onChange={setRewrite}
            />
          </div>
          {rewrite === 'own' ? (
            <TextArea
              label={target.label}
              hint={target.hint}
              rows={6}
              code={attempt.trajectory.cycles === undefined}
              value={words}
              onChange={setWords}
            />
          ) : null}
        </>
      )}
      <div className="grid grid-cols-2 gap-x-4 gap-y-3">
        <ModelChoice value={model === IMPORTED_MODEL ? null : model} hint={null} onChange={setModel} />
        <SelectField
          label="Memory"
          value={memoryId}
          options={memoryOptions(memoryList)}
          onChange={setMemory}
        />
        <SelectField
          label="How it learns"
          hint={
            methodList.find(({ id }) => id === method)?.recalls.length === 0 ? 'It recalls nothing.' : null
          }
          value={method}
          options={everydayMethods(methodList).map(({ id, title, description }) => ({
            value: id,
            label: title,
            detail: description,
          }))}
          onChange={setMethod}
        />
      </div>
    </FormDialog>
  )
}
