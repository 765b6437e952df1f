import { z } from 'zod'
import { byJsonSigns, sign } from '../../../ground/recognition'
import type { RowPlace } from '../../../../shared/domain/reading'
import { uniformFields } from '../../../ground/uniform-fields'
import { isRecord } from '../../../ground/record'
import { countOf, nameOf } from './conversations'
import { traceWords, type Found, type LogFormat } from './log'
import { parsedOr } from './message'
import { anything, maybeTexts, shapeProblem, textOf } from './records'
import { readSpans, verdictOf, type Span } from './traces'

const runSchema = z.looseObject({
  id: z.string(),
  run_type: z.string(),
  ...maybeTexts('trace_id', 'parent_run_id', 'name', 'error', 'status'),
  ...anything('inputs', 'outputs', 'start_time', 'feedback_stats', 'extra'),
  ...uniformFields(z.number().nullish(), 'prompt_tokens', 'completion_tokens'),
  child_runs: z.array(z.unknown()).nullish(),
})
type Run = z.infer<typeof runSchema>

/** Feedback is kept as an average; only one that is wholly yes or wholly no says anything. */
function verdictIn(stats: unknown): Span['verdict'] {
  if (!isRecord(stats)) return null
  for (const [name, value] of Object.entries(stats)) {
    const message = verdictOf(name, isRecord(value) ? value['avg'] : value)
    if (message !== null) return message
  }
  return null
}

const modelOf = (extra: unknown): string | null => {
  const about = isRecord(extra)
    ? { ...asRecord(extra['metadata']), ...asRecord(extra['invocation_params']) }
    : {}
  return nameOf(about['ls_model_name'] ?? about['model'] ?? about['model_name'])
}
const asRecord = (value: unknown): Record<string, unknown> => (isRecord(value) ? value : {})

const content = (value: unknown): unknown => (typeof value === 'string' ? parsedOr(value) : value)

const toSpan = (run: Run, trace: string, place: RowPlace): Span => ({
  place,
  trace,
  id: run.id,
  parent: run.parent_run_id ?? null,
  kind:
    run.run_type === 'llm'
      ? 'model'
      : run.run_type === 'tool' || run.run_type === 'retriever'
        ? 'tool'
        : 'other',
  name: run.name ?? '',
  input: content(run.inputs),
  output: content(run.outputs),
  failed: (run.error ?? '') !== '' || run.status === 'error',
  start: textOf(run.start_time),
  model: modelOf(run.extra),
  promptTokens: countOf(run.prompt_tokens),
  completionTokens: countOf(run.completion_tokens),
  verdict: verdictIn(run.feedback_stats),
})

/** A run with those below it, each once. */
function* runsIn(input: unknown, trace: string | null, parent: string | null): Generator<Run | string> {
  const read = runSchema.safeParse(input)
  if (!read.success) {
    yield shapeProblem(read.error)
    return
  }
  const run = read.data
  const within = run.trace_id ?? trace ?? run.id
  yield { ...run, trace_id: within, parent_run_id: run.parent_run_id ?? parent }
  for (const child of run.child_runs ?? []) yield* runsIn(child, within, run.id)
}

const read = (text: AsyncIterable<string>): AsyncGenerator<Found> =>
  readSpans(text, 'langsmith', function* (value, place) {
    const list: unknown[] =
      isRecord(value) && Array.isArray(value['runs']) ? (value['runs'] as unknown[]) : [value]
    for (const input of list)
      for (const run of runsIn(input, null, null))
        yield typeof run === 'string' ? run : toSpan(run, run.trace_id ?? run.id, place)
  })

/** LangSmith: runs as its client lists them or its bulk export writes them, one attempt per trace. */
export const langsmith: LogFormat = {
  id: 'langsmith',
  title: 'LangSmith runs (JSON, JSONL)',
  writtenFor: 'LangSmith run format of 2024 to 2026: runs one by one, or nested in child_runs',
  ...traceWords('runs'),
  recognise: byJsonSigns([sign(0.85, /"run_type"\s*:\s*"/, /"inputs"\s*:/)]),
  read,
}
