import { TriangleAlert } from '../../components/icons'
import { useStore } from 'zustand'
import { fitWords } from '../../../shared/domain/model'
import { classNames } from '../../components/class-names'
import { formatDuration } from '../../components/format'
import type { Preflight } from '../../../shared/domain/preflight'
import { useQuery } from '../../ground/use-query'
import type { StartRunInput } from '../../stores/runs'
import { useServices } from '../../stores/use-services'

/** Long enough for somebody who types to be done. */
const SETTLED_AFTER_MS = 500

/** What is known of a run before it is started; null while nothing is, or there is no run to start. */
export function usePreflight(input: StartRunInput | null): Preflight | null {
  const { client, settings } = useServices()
  // Another embedding model, or other tools, and what was found before counts no more.
  const now = useStore(settings, (state) => state.settings)
  const { data } = useQuery(
    JSON.stringify(input),
    input && ((signal) => client.runs.preflight(input, { signal })),
    JSON.stringify([now?.embedder, now?.tools]),
    SETTLED_AFTER_MS,
  )
  return data
}

/** What a run would take and what is in its way, before it is started. */
export function BeforeRun({ preflight }: { preflight: Preflight }) {
  const { fit, notes, etaMs, promptTokens } = preflight
  const facts = [
    fit && fitWords(fit),
    promptTokens === null ? null : `The longest of its first prompts has about ${promptTokens} tokens.`,
    etaMs === null ? null : `About ${formatDuration(etaMs)} at the pace of earlier runs.`,
  ].filter((fact) => fact !== null)
  return (
    <section aria-label="Before the run" className="flex flex-col gap-1.5 text-xs">
      {notes.map(({ level, text, suggestion }) => (
        <p
          key={text}
          className={classNames('flex gap-1.5', level === 'refuse' ? 'text-danger' : 'text-notice')}
        >
          <TriangleAlert size={14} aria-hidden className="mt-px shrink-0" />
          <span className="min-w-0 [overflow-wrap:anywhere]">
            {text} {suggestion}
          </span>
        </p>
      ))}
      {facts.length > 0 ? <p className="text-muted">{facts.join(' ')}</p> : null}
    </section>
  )
}
