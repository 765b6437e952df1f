import {
  answerCheckSchema,
  CHECK_WORDS,
  type AnswerCheck,
  type CheckKind,
} from '../../shared/domain/answer-check'
import { Field } from '../components/field'
import { optionsOf } from '../components/options'
import { Switch } from '../components/switch'
import { NumberField } from './number-field'
import { SelectField } from './select'
import { TextArea, TextField } from './text-field'

const KINDS = Object.keys(CHECK_WORDS) as CheckKind[]

const LANGUAGES = optionsOf({ javascript: 'JavaScript', python: 'Python' })

interface CheckProps {
  check: AnswerCheck
  onChange(check: AnswerCheck): void
}

/** How answers are checked, with what that kind of check wants to know. */
export function OwnCheck({ check, onChange }: CheckProps) {
  return (
    <div className="flex flex-col gap-3">
      <SelectField
        label="Check"
        hint={CHECK_WORDS[check.kind].help}
        value={check.kind}
        options={KINDS.map((kind) => ({ value: kind, label: CHECK_WORDS[kind].title }))}
        onChange={(kind) => onChange(answerCheckSchema.parse({ kind }))}
      />
      <CheckDetails check={check} onChange={onChange} />
    </div>
  )
}

function CheckDetails({ check, onChange }: CheckProps) {
  switch (check.kind) {
    case 'regex':
      return null
    case 'exact':
    case 'one-of':
      return (
        <div className="grid grid-cols-2 gap-3">
          {check.kind === 'one-of' ? (
            <TextField
              label="Separator"
              value={check.separator}
              onChange={(separator) => onChange({ ...check, separator: separator || '|' })}
            />
          ) : null}
          <Toggle
            label="Capitals matter"
            on={check.caseMatters}
            onChange={(caseMatters) => onChange({ ...check, caseMatters })}
          />
        </div>
      )
    case 'number':
      return (
        <div className="grid grid-cols-2 gap-3">
          <NumberField
            label="Tolerance"
            value={check.tolerance}
            bounds={[0, 1e9]}
            fraction
            onChange={(tolerance) => onChange({ ...check, tolerance })}
          />
          <Toggle
            label="As a share of the number"
            on={check.relative}
            onChange={(relative) => onChange({ ...check, relative })}
          />
        </div>
      )
    case 'json-path':
      return (
        <TextField
          label="Place in the JSON"
          hint="$ is all of it; $.items[0].name a name within."
          value={check.path}
          onChange={(path) => onChange({ ...check, path: path || '$' })}
        />
      )
    case 'cells':
      return (
        <TextField
          label="Cells"
          hint="Sheet1!A1:B4, where answers name workbooks; empty: the first sheet’s used part."
          value={check.range}
          onChange={(range) => onChange({ ...check, range })}
        />
      )
    case 'test':
      return (
        <>
          <SelectField
            label="Language"
            value={check.language}
            options={LANGUAGES}
            onChange={(language) => onChange({ ...check, language })}
          />
          <TextArea
            label="Code for every task"
            hint="Run before the task’s own; both find the answer as “answer”."
            code
            rows={3}
            value={check.code}
            onChange={(code) => onChange({ ...check, code })}
          />
        </>
      )
    case 'judge':
      return (
        <TextArea
          label="Rubric"
          hint="What makes an answer right."
          rows={3}
          value={check.rubric}
          onChange={(rubric) => onChange({ ...check, rubric })}
        />
      )
  }
}

function Toggle(props: { label: string; on: boolean; onChange(on: boolean): void }) {
  return (
    <Field label={props.label}>
      {(id) => <Switch id={id} label={props.label} checked={props.on} onChange={props.onChange} />}
    </Field>
  )
}
