import { Gauge } from 'lucide-react'
import { useStore } from 'zustand'
import {
  FACT_FORMS,
  factFormWords,
  USUAL_FACT_FORM,
  type FormTally,
  type ModelProfile,
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
  { head: 'Facts shown as', words: true, cell: ({ form }) => factFormWords(form) },
  { head: 'Facts right', cell: ({ facts }) => `${facts.right} of ${facts.asked}` },
  { head: 'Other questions right', cell: ({ general }) => `${general.right} of ${general.asked}` },
]

const askedIn = ({ tallies: [usual] }: ModelProfile): number =>
  usual === undefined ? 0 : usual.facts.asked + usual.general.asked

/** How a model is shown what is known, as was measured or as a person chose, and the measurement. */
export function MemoryForm({ path }: { path: string }) {
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
  const askedCount = profile === null ? 0 : askedIn(profile)
  const isWhole = profile !== null && askedCount === profile.questions
  const best = profile?.form ?? USUAL_FACT_FORM
  return (
    <div className="mt-2 flex flex-col gap-1.5 text-sm">
      <div className="flex flex-wrap items-center gap-2">
        <span className="text-muted">Facts are shown as</span>
        <Select
          label="Facts are shown as"
          className="w-64"
          value={profile?.choice ? factFormWords(profile.choice) : AS_MEASURED}
          options={[
            {
              value: AS_MEASURED,
              label: factFormWords(best),
              detail: isWhole ? 'as was measured' : 'as suits most models',
            },
            ...FACT_FORMS.map((form) => ({ value: factFormWords(form), label: factFormWords(form) })),
          ]}
          onChange={(value) => {
            const form = FACT_FORMS.find((one) => factFormWords(one) === value) ?? null
            void change(() => client.models.showFacts({ path, form }))
          }}
        />
        {isWhole ? null : (
          <Button
            icon={Gauge}
            disabled={busy || isMeasuring}
            onClick={() => void change(() => client.models.measure({ path }))}
          >
            {isMeasuring ? 'Measuring…' : 'Measure what it reads best'}
          </Button>
        )}
      </div>
      {profile === null || askedCount === 0 ? null : (
        <SmallFold title={`Measured with ${askedCount} of ${profile.questions} questions`}>
          <PlainTable
            caption="How each form did"
            columns={COLUMNS}
            rows={profile.tallies}
            keyOf={({ form }) => factFormWords(form)}
          />
        </SmallFold>
      )}
      {problem ? <ErrorNotice problem={problem} /> : null}
    </div>
  )
}
