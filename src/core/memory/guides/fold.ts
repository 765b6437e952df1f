import type { Concept, GuideVersion, Insight, Rubric, TreeNode } from '../../../shared/domain/guide'
import type { Build, BuildOutcome } from '../../../shared/domain/guide-build'
import { canonicalJson } from '../../ground/canonical-json'
import { LoamError } from '../../../shared/errors'
import { isHidden, type Curated } from '../items/curated'
import type { ConceptEvent } from './events'

/** The id of documents as a kind of memory. */
export const DOCUMENT_KIND = 'document'

/** A build as far as it came. */
export interface BuildState {
  readonly build: Build
  readonly insights: Map<string, Insight>
  /** Null before they were found. */
  concepts: readonly Concept[] | null
  edits: number
  frozen: boolean
  /** In the order in which they were scored. */
  readonly nodes: Map<string, TreeNode>
  outcome: BuildOutcome | null
}

/** What was decided about a concept's versions. */
export interface ConceptStanding {
  /** Versions that were accepted, the current one last. */
  readonly accepted: string[]
  readonly rejected: Set<string>
  /** What the last search proposes; null when nothing waits. */
  proposed: string | null
}

const newStanding = (): ConceptStanding => ({ accepted: [], rejected: new Set(), proposed: null })

/** The fold of what a journal says about concept documents. */
export interface ConceptState {
  readonly builds: Map<string, BuildState>
  readonly versions: Map<string, GuideVersion>
  readonly standings: Map<string, ConceptStanding>
  /** By environment. */
  readonly rubrics: Map<string, readonly Rubric[]>
  /** What people decided about whole documents, by concept: pinned, muted, deleted. */
  readonly curated: ReadonlyMap<string, Curated>
}

export const emptyConceptState = (curated: ReadonlyMap<string, Curated> = new Map()): ConceptState => ({
  builds: new Map(),
  versions: new Map(),
  standings: new Map(),
  rubrics: new Map(),
  curated,
})

/** A copy that events can be tried on; what no event ever changes is shared. */
export const copyOfConcepts = (state: ConceptState): ConceptState => ({
  builds: new Map(
    [...state.builds].map(([id, build]) => [
      id,
      { ...build, insights: new Map(build.insights), nodes: new Map(build.nodes) },
    ]),
  ),
  versions: new Map(state.versions),
  standings: new Map(
    [...state.standings].map(([id, { accepted, rejected, proposed }]) => [
      id,
      { accepted: [...accepted], rejected: new Set(rejected), proposed },
    ]),
  ),
  rubrics: new Map(state.rubrics),
  curated: state.curated,
})

/** Applies one event. Applying the same event again changes nothing. */
export function applyConceptEvent(state: ConceptState, event: ConceptEvent): void {
  if (!changesConcepts(state, event)) return
  switch (event.kind) {
    case 'build-started':
      state.builds.set(event.build.id, {
        build: event.build,
        insights: new Map(),
        concepts: null,
        edits: 0,
        frozen: false,
        nodes: new Map(),
        outcome: null,
      })
      return
    case 'document-written':
      state.versions.set(event.version.id, event.version)
      return
    case 'document-decided': {
      const standing = state.standings.get(event.conceptId) ?? newStanding()
      state.standings.set(event.conceptId, standing)
      if (standing.proposed === event.versionId) standing.proposed = null
      const at = standing.accepted.indexOf(event.versionId)
      if (at >= 0) standing.accepted.splice(at, 1)
      if (event.accepted) {
        standing.accepted.push(event.versionId)
        standing.rejected.delete(event.versionId)
      } else standing.rejected.add(event.versionId)
      return
    }
    case 'document-proposed': {
      const standing = state.standings.get(event.conceptId) ?? newStanding()
      state.standings.set(event.conceptId, standing)
      standing.proposed = event.versionId
      return
    }
    case 'rubrics-changed':
      state.rubrics.set(event.environment, event.rubrics)
      return
    default:
      applyBuildEvent(state, event)
  }
}

type BuildEvent = Extract<ConceptEvent, { buildId: string }>

function applyBuildEvent(state: ConceptState, event: BuildEvent): void {
  const build = state.builds.get(event.buildId)
  if (!build) return
  switch (event.kind) {
    case 'insights-added':
      for (const insight of event.insights)
        if (!build.insights.has(insight.id)) build.insights.set(insight.id, insight)
      return
    case 'concepts-found':
      build.concepts = event.concepts
      return
    case 'concepts-edited':
      build.concepts = event.concepts
      build.edits = event.n + 1
      return
    case 'concepts-frozen':
      build.frozen = true
      return
    case 'node-scored':
      build.nodes.set(event.node.id, event.node)
      return
    case 'build-ended':
      build.outcome = event.outcome
  }
}

/**
 * Whether an event would change anything. What a resumed search records again is the same but for its time, so the first one stays.
 * @throws LoamError `NOT_FOUND` for a build or version that is not there, `CONFLICT` for concepts edited after the search began
 */
export function changesConcepts(state: ConceptState, event: ConceptEvent): boolean {
  switch (event.kind) {
    case 'build-started':
      return !state.builds.has(event.build.id)
    case 'document-written':
      return !state.versions.has(event.version.id)
    case 'document-decided': {
      if (!state.versions.has(event.versionId)) throw unknown('version', event.versionId)
      const standing = state.standings.get(event.conceptId)
      return event.accepted
        ? // A search that is replayed must not undo what a person decided since.
          event.by === 'search'
          ? !standing?.accepted.includes(event.versionId) && !standing?.rejected.has(event.versionId)
          : standing?.accepted.at(-1) !== event.versionId
        : standing?.rejected.has(event.versionId) !== true
    }
    case 'document-proposed': {
      if (!state.versions.has(event.versionId)) throw unknown('version', event.versionId)
      const standing = state.standings.get(event.conceptId)
      // A search that is replayed must not ask again about what was decided since.
      return (
        standing?.proposed !== event.versionId &&
        !standing?.accepted.includes(event.versionId) &&
        !standing?.rejected.has(event.versionId)
      )
    }
    case 'rubrics-changed':
      return canonicalJson(state.rubrics.get(event.environment) ?? null) !== canonicalJson(event.rubrics)
    default:
      return changesBuild(state, event)
  }
}

function changesBuild(state: ConceptState, event: BuildEvent): boolean {
  const build = state.builds.get(event.buildId)
  if (!build) throw unknown('build', event.buildId)
  switch (event.kind) {
    case 'insights-added':
      return event.insights.some(({ id }) => !build.insights.has(id))
    case 'concepts-found':
      return build.concepts === null
    case 'concepts-edited':
      if (build.frozen)
        throw new LoamError('CONFLICT', 'The search has begun, so its concepts stay as they are.', {
          suggestion: 'Change the concepts of a new build before its search.',
        })
      return event.n === build.edits
    case 'concepts-frozen':
      return !build.frozen
    case 'node-scored':
      return !build.nodes.has(event.node.id)
    case 'build-ended':
      return build.outcome === null
  }
}

const unknown = (what: string, id: string): LoamError =>
  new LoamError('NOT_FOUND', `There is no ${what} ${id} in this memory.`, {
    suggestion: 'Reload the guides.',
  })

/** The version agents read; undefined when a concept has none. */
export const currentVersion = (state: ConceptState, conceptId: string): GuideVersion | undefined =>
  state.versions.get(state.standings.get(conceptId)?.accepted.at(-1) ?? '')

/** The documents agents read in an environment, in the order in which their concepts came to be; none that is muted or deleted. */
export const currentGuides = (
  state: ConceptState,
  environment: string,
): (GuideVersion & { readonly pinned?: true })[] =>
  [...state.standings.keys()].flatMap((conceptId) => {
    const version = currentVersion(state, conceptId)
    const curated = state.curated.get(conceptId)
    if (version?.environment !== environment || isHidden(curated)) return []
    return [curated?.mark === 'pinned' ? { ...version, pinned: true as const } : version]
  })
