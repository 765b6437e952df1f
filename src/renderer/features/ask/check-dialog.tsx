import { ClipboardCheck } from 'lucide-react'
import { useState } from 'react'
import type { AskInfo } from '../../../shared/domain/ask'
import type { AnswerCheck } from '../../../shared/domain/answer-check'
import { FormDialog } from '../../ground/form-dialog'
import { OwnCheck } from '../../ground/own-check'
import { TextArea } from '../../ground/text-field'
import { useServices } from '../../stores/use-services'

/** What a check compares with, by what it is called in the form. */
const ANSWER_WORDS: Readonly<Record<AnswerCheck['kind'], string>> = {
  exact: 'The right answer',
  'one-of': 'The right answers, separated',
  number: 'The right number',
  regex: 'The pattern',
  'json-path': 'The value that has to be there',
  cells: 'The cells as they should be, a line each, separated by commas',
  test: 'Code that must not fail',
  judge: 'A right answer, if there is one',
}

/** Attaches a check to a message of an ask: the same ones that streams have. */
export function CheckDialog({
  ask,
  turn,
  answer: recordText,
  onClose,
}: {
  ask: AskInfo
  turn: number
  /** What is known to be right; empty for nothing. */
  answer: string
  onClose: () => void
}) {
  const { asks } = useServices()
  const own = ask.check?.turn === turn ? ask.check : null
  const [how, setHow] = useState<AnswerCheck>(own?.how ?? { kind: 'exact', caseMatters: false })
  const [answer, setAnswer] = useState(own?.answer ?? recordText)
  return (
    <FormDialog
      title="A check for the answer"
      description="Every try at this message is judged by it, and the memory learns from that."
      submit={{ label: 'Attach it', icon: ClipboardCheck }}
      ready={answer.trim() !== '' || (how.kind === 'judge' && how.rubric.trim() !== '')}
      onSubmit={async () => {
        const isDone = await asks.getState().check({ turn, how, answer: answer.trim() })
        return isDone ? null : asks.getState().refused
      }}
      onClose={onClose}
    >
      <OwnCheck check={how} onChange={setHow} />
      <TextArea
        label={ANSWER_WORDS[how.kind]}
        rows={3}
        code={how.kind === 'regex' || how.kind === 'test'}
        value={answer}
        onChange={setAnswer}
      />
    </FormDialog>
  )
}
