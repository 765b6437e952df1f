import { Gauge } from '../../components/icons'
import { useStore } from 'zustand'
import {
  abilityLines,
  ATTEMPT_FORM_WORDS,
  ATTEMPT_FORMS,
  FACT_FORMS,
  factFormWords,
  isMeasured,
  replyCount,
  relationLine,
  roleLine,
  tallyWords,
  USUAL_FACT_FORM,
  type FormTally,
} from '../../../shared/domain/model-profile'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { SmallFold } from '../../components/fold'
import { PlainTable, type PlainColumn } from '../../ground/plain-table'
import { Select } from '../../ground/select'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'

const AS_MEASURED = 'measured'

const COLUMNS: readonly PlainColumn<FormTally>[] = [
  { head: 'Asked with', words: true, cell: ({ form }) => form },
  { head: 'Right', words: true, cell: tallyWords },
]

const rowsOf = (tallies: readonly FormTally[]): FormTally[] =>
  tallies.filter(({ kinds }) => Object.values(kinds).some(({ asked }) => asked > 0))

/** A form that was measured, and the others that can be chosen instead, in words. */
function FormChoice(props: {
  label: string
  measured: string | null
  usual: string
  choice: string | null
  forms: readonly string[]
  onChange(words: string | null): void
}) {
  const { label, measured, usual, choice, forms, onChange } = props
  return (
    <div className="flex flex-wrap items-center gap-2">
      <span className="w-38 text-muted">{label}</span>
      <Select
        label={label}
        className="w-72"
        value={choice ?? AS_MEASURED}
        options={[
          {
            value: AS_MEASURED,
            label: measured ?? usual,
            detail: measured === null ? 'as suits most models' : 'as was measured',
          },
          ...forms.map((form) => ({ value: form, label: form })),
        ]}
        onChange={(value) => onChange(value === AS_MEASURED ? null : value)}
      />
    </div>
  )
}

/** How a model is shown memory, what it can do as far as that was measured, and the measurement. */
export function ModelProfileForm(props: {
  path: string
  served: boolean
  /** Id of the element that names the model. */
  titleId: string
}) {
  const { path, served, titleId } = props
  const { client, jobs } = useServices()
  const { problem, busy, attempt } = useAttempt()
  const job = useStore(jobs, ({ data }) =>
    data.findLast(({ kind, subject }) => kind === 'measuring' && subject === path),
  )
  const isMeasuring = job?.status === 'running'
  const { data: profile, reload } = useQuery(
    `profile ${path}`,
    () => client.models.profile({ path }),
    job?.status,
  )
  const change = async (act: () => Promise<unknown>) => {
    if (await attempt(act)) reload()
  }
  const isWhole = profile !== null && isMeasured(profile)
  const rows = profile === null ? [] : rowsOf(Object.values(profile.tallies).flat())
  return (
    <div className="mt-2 flex flex-col gap-1.5 text-sm">
      <FormChoice
        label="Facts are shown as"
        measured={profile && isWhole ? factFormWords(profile.facts.form) : null}
        usual={factFormWords(profile?.facts.form ?? USUAL_FACT_FORM)}
        choice={profile?.facts.choice ? factFormWords(profile.facts.choice) : null}
        forms={FACT_FORMS.map(factFormWords)}
        onChange={(words) => {
          const form = FACT_FORMS.find((one) => factFormWords(one) === words) ?? null
          void change(() => client.models.showFacts({ path, form }))
        }}
      />
      <FormChoice
        label="Attempts are shown"
        measured={profile?.attempts.form ? ATTEMPT_FORM_WORDS[profile.attempts.form] : null}
        usual={ATTEMPT_FORM_WORDS.turns}
        choice={profile?.attempts.choice ? ATTEMPT_FORM_WORDS[profile.attempts.choice] : null}
        forms={ATTEMPT_FORMS.map((form) => ATTEMPT_FORM_WORDS[form])}
        onChange={(words) => {
          const form = ATTEMPT_FORMS.find((one) => ATTEMPT_FORM_WORDS[one] === words) ?? null
          void change(() => client.models.showAttempts({ path, form }))
        }}
      />
      {profile === null
        ? null
        : [...abilityLines(profile, navigator.language), roleLine(profile), relationLine(profile)]
            .filter((line) => line !== '')
            .map((line) => <p key={line}>{line}</p>)}
      {isWhole ? null : (
        <div className="flex flex-wrap items-center gap-2">
          <Button
            icon={Gauge}
            aria-describedby={titleId}
            disabled={busy || isMeasuring}
            onClick={() => void change(() => client.models.measure({ path }))}
          >
            {isMeasuring ? 'Measuring…' : 'Measure this model'}
          </Button>
          {served ? (
            <span className="text-muted">Sends about 65 to 230 short questions to the server.</span>
          ) : null}
        </div>
      )}
      {profile === null || rows.length === 0 ? null : (
        <SmallFold title={`Measured with ${replyCount(profile)} questions${isWhole ? '' : ' so far'}`}>
          <PlainTable caption="How the model did" columns={COLUMNS} rows={rows} keyOf={({ form }) => form} />
        </SmallFold>
      )}
      {problem ? <ErrorNotice problem={problem} /> : null}
    </div>
  )
}
