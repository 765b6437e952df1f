import { FileText, GitFork, type IconType } from '../../components/icons'
import { useRef, type ReactNode } from 'react'
import type { GuideInfo } from '../../../shared/domain/guide'
import type { BuildInfo } from '../../../shared/domain/guide-build'
import { Badge } from '../../components/badge'
import { formatWhen, plural } from '../../components/format'
import { moveInList, RecordOption } from '../../ground/record-list'
import type { GuidePlace } from '../../stores/guides'
import { useServices, useStored } from '../../stores/use-services'
import { buildState, buildTitle, guideState, STRATEGY_WORDS, type Standing } from './words'

const keyOf = (place: GuidePlace | null): string | null =>
  place?.kind === 'document' ? place.conceptId : place?.kind === 'build' ? place.buildId : null

/** Documents, then builds; arrows move through both. */
export function GuideList() {
  const { guides } = useServices()
  const { documents, builds, place } = useStored('guides')
  const list = useRef<HTMLDivElement>(null)
  const places: GuidePlace[] = [
    ...documents.map(({ conceptId }) => ({ kind: 'document' as const, conceptId })),
    ...builds.map(({ build }) => ({ kind: 'build' as const, buildId: build.id })),
  ]
  const key = keyOf(place)
  const at = places.findIndex((one) => keyOf(one) === key)
  const open = (index: number) => {
    const next = places[index]
    if (!next) return
    guides.getState().show(next)
    list.current?.querySelector(`[id="knowledge-${keyOf(next)}"]`)?.scrollIntoView({ block: 'nearest' })
  }
  const row = (own: GuidePlace, children: ReactNode) => (
    <RecordOption
      key={keyOf(own)}
      id={`knowledge-${keyOf(own)}`}
      open={keyOf(own) === key}
      onOpen={() => guides.getState().show(own)}
    >
      {children}
    </RecordOption>
  )
  return (
    <div
      ref={list}
      role="listbox"
      tabIndex={0}
      aria-label="Guides and builds"
      aria-activedescendant={at >= 0 ? `knowledge-${key}` : undefined}
      className="min-h-0 flex-1 overflow-y-auto -outline-offset-2"
      onKeyDown={(event) => moveInList(event, { at, count: places.length, open })}
    >
      {documents.length > 0 ? (
        <Group title="Guides">
          {documents.map((one) =>
            row({ kind: 'document', conceptId: one.conceptId }, <DocumentRow document={one} />),
          )}
        </Group>
      ) : null}
      {builds.length > 0 ? (
        <Group title="Builds">
          {builds.map((one) => row({ kind: 'build', buildId: one.build.id }, <BuildRow info={one} />))}
        </Group>
      ) : null}
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={title}>
      <p aria-hidden className="border-b px-3 pt-3 pb-1.5 text-xs font-medium text-muted">
        {title}
      </p>
      {children}
    </div>
  )
}

function DocumentRow({ document }: { document: GuideInfo }) {
  const { concept, reward, environment, proposed, current } = document
  const view = proposed ?? current
  const insights = new Set(view?.sentences.flatMap((sentence) => sentence.insights)).size
  return (
    <Entry icon={FileText} title={concept} standing={guideState(document)}>
      {[
        [
          environment,
          ...(view ? [plural(insights, 'insight')] : []),
          ...(reward ? [`reward ${reward.total.toFixed(2)}`] : []),
        ],
        reward ? [`solves ${reward.correctness.toFixed(2)}`, `found ${reward.retrieval.toFixed(2)}`] : [],
      ]}
    </Entry>
  )
}

function BuildRow({ info }: { info: BuildInfo }) {
  const { build, concepts } = info
  const count = concepts.length > 0 ? [plural(concepts.length, 'concept')] : []
  return (
    <Entry icon={GitFork} title={buildTitle(info)} standing={buildState(info)}>
      {[[STRATEGY_WORDS[build.settings.strategy], ...count], [formatWhen(build.startedAt)]]}
    </Entry>
  )
}

/** A guide or a build by its name and how it stands; `children` are smaller lines below, of parts with dots between them. */
function Entry(props: {
  icon: IconType
  title: string
  standing: Standing
  children: readonly (readonly string[])[]
}) {
  const { icon: Icon, standing } = props
  return (
    <>
      <Icon size={14} strokeWidth={1.75} aria-hidden className="mt-0.75 shrink-0 text-muted" />
      <div className="min-w-0 flex-1">
        <div className="flex items-center gap-2">
          <p className="min-w-0 flex-1 truncate text-sm">{props.title}</p>
          <Badge tone={standing.tone}>{standing.words}</Badge>
        </div>
        {props.children.map((parts, i) =>
          parts.length > 0 ? (
            <p key={i} className="truncate text-xs text-muted">
              {parts.join(' · ')}
            </p>
          ) : null,
        )}
      </div>
    </>
  )
}
