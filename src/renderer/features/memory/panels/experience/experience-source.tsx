import type { Experience } from '../../../../../shared/domain/experience'
import { formatCount } from '../../../../components/format'
import { ORIGIN_WORDS } from '../../../../ground/story/experience-words'

/** Provenance: framework, version, file, model. */
export function ExperienceSource({ experience }: { experience: Experience }) {
  const { meta, origin } = experience
  const tokens = meta.promptTokens === null ? null : meta.promptTokens + (meta.completionTokens ?? 0)
  const extra = Object.keys(meta.extra).length > 0 ? JSON.stringify(meta.extra, null, 2) : null
  const rows: [string, string | null][] = [
    ['Kind', ORIGIN_WORDS[origin]],
    ['Framework', [meta.framework, meta.frameworkVersion].filter((part) => part !== null).join(' ')],
    ['Model', meta.model],
    ['Tools', meta.tools.length > 0 ? meta.tools.join(', ') : null],
    ['File', meta.sourceFile],
    ['Task or session', meta.sourceId],
    ['Handed in by', meta.client],
    ['Tokens', tokens === null ? null : formatCount(tokens)],
    ['Name', experience.id],
    ['Metadata', extra],
  ]
  return (
    <dl className="divide-y rounded-lg border">
      {rows.flatMap(([term, text]) =>
        text === null
          ? []
          : [
              <div key={term} className="flex gap-4 px-4 py-2">
                <dt className="w-32 shrink-0 text-muted">{term}</dt>
                <dd className="min-w-0 flex-1 [overflow-wrap:anywhere] whitespace-pre-wrap">{text}</dd>
              </div>,
            ],
      )}
    </dl>
  )
}
