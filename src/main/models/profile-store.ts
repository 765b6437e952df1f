import { readRecord, writeRecord } from '../ground/record-file'
import { z } from 'zod'
import {
  bestForm,
  isProbed,
  probeCount,
  probeSize,
  talliesOf,
  verdictOf,
  type Probe,
  type ProbeAnswers,
} from '../../core/agent/probe/probe'
import {
  ATTEMPT_FORMS,
  attemptFormSchema,
  FACT_FORMS,
  factFormSchema,
  PROBE_LANGUAGES,
  PROBES,
  USUAL_FACT_FORM,
  type ModelProfile,
  type ProbeId,
} from '../../shared/domain/model-profile'
import { createSerial } from '../../shared/serial'

const storedSchema = z.object({
  sha256: z.string(),
  choice: z.object({ facts: factFormSchema.nullable(), attempts: attemptFormSchema.nullable() }),
  answers: z.partialRecord(
    z.enum(PROBES),
    z.object({ version: z.number(), byForm: z.array(z.array(z.boolean().nullable())) }),
  ),
  ms: z.number(),
  measuredAt: z.string(),
})
export type StoredProfile = z.infer<typeof storedSchema>
const fileSchema = z.object({ format: z.literal(2), profiles: z.array(storedSchema) })

/** Answers to a probe; none where its questions have changed since. */
export const answersTo = (
  { id, version, forms }: Probe,
  { answers }: Pick<StoredProfile, 'answers'>,
): ProbeAnswers => {
  const own = answers[id]
  return own?.version === version && own.byForm.length === forms.length ? own.byForm : []
}

/** What the answers say of a model. */
export function profileOf(entry: StoredProfile, probes: readonly Probe[]): ModelProfile {
  const results = Object.fromEntries(
    probes.map((probe) => [probe.id, { probe, answers: answersTo(probe, entry) }]),
  ) as { readonly [id in ProbeId]: { readonly probe: Probe; readonly answers: ProbeAnswers } }
  const { facts, tools, languages, attempts, roles, relations } = results
  const attemptForm = ATTEMPT_FORMS[bestForm(attempts.probe, attempts.answers)] ?? null
  const { sha256, choice, ms, measuredAt } = entry
  return {
    ...{ sha256, ms, measuredAt },
    facts: {
      form: FACT_FORMS[bestForm(facts.probe, facts.answers)] ?? USUAL_FACT_FORM,
      choice: choice.facts,
    },
    attempts: {
      form: isProbed(attempts.probe, attempts.answers) ? attemptForm : null,
      choice: choice.attempts,
    },
    tools: verdictOf(tools.probe, tools.answers, 'asks'),
    languages: Object.fromEntries(
      PROBE_LANGUAGES.map((language) => [language, verdictOf(languages.probe, languages.answers, language)]),
    ) as ModelProfile['languages'],
    roles: verdictOf(roles.probe, roles.answers, 'statements'),
    relations: verdictOf(relations.probe, relations.answers, 'messages'),
    tallies: Object.fromEntries(
      probes.map((probe) => [probe.id, talliesOf(probe, results[probe.id].answers)]),
    ) as ModelProfile['tallies'],
    asked: probes.reduce((sum, { id }) => sum + probeCount(results[id].answers), 0),
    questions: probes.reduce((sum, probe) => sum + probeSize(probe), 0),
  }
}

/** Keeps what is known of models in a file. One that cannot be read is begun anew: all but a person's choice can be measured again. */
export function openProfileStore(file: string, now: () => Date) {
  const serial = createSerial()
  const load = async (): Promise<StoredProfile[]> =>
    (await readRecord(file, fileSchema, { format: 2, profiles: [] })).profiles
  const newProfile = (sha256: string): StoredProfile => ({
    ...{ sha256, choice: { facts: null, attempts: null }, answers: {}, ms: 0 },
    measuredAt: now().toISOString(),
  })
  return {
    newProfile,
    list: load,
    find: async (sha256: string): Promise<StoredProfile | null> =>
      (await load()).find((entry) => entry.sha256 === sha256) ?? null,
    /** Changes what is known, on top of what stands there by then. */
    change: (sha256: string, changes: (now: StoredProfile) => Partial<StoredProfile>) =>
      serial(async (): Promise<StoredProfile> => {
        const all = await load()
        const before = all.find((entry) => entry.sha256 === sha256) ?? newProfile(sha256)
        const after = { ...before, ...changes(before) }
        const others = all.filter((entry) => entry.sha256 !== sha256)
        await writeRecord(file, { format: 2, profiles: [...others, after] })
        return after
      }),
  }
}
