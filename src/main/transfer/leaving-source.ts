import type { FormatSource } from '../../core/formats/format'
import { MEMORY_KINDS } from '../../core/memory'
import { CASE_KIND } from '../../core/memory/cases/kind'
import { EXPERIENCE_KIND } from '../../core/memory/experiences/fold'
import { addRedactions, redactAll, type Redactions } from '../../core/memory/experiences/import/redact'
import { ATTEMPT, homeOf, projectOf } from '../../core/memory/items/projects'
import type { MemorySource } from '../../core/memory/items/kind'
import { ATTEMPTS } from '../../core/memory/kind-words'
import type { ExportChoice } from '../../shared/domain/item-transfer'

/** Whether an item, or an attempt (`trajectory`), is among what was chosen by its id or project. Undefined: everything is. */
export async function itemFilter(
  { items, project }: Pick<ExportChoice, 'items' | 'project'>,
  source: MemorySource,
): Promise<((kind: string, id: string) => boolean) | undefined> {
  if (items === null && project === null) return undefined
  const ofProject = project === null ? new Set() : await drawnIn(source, project)
  const names = items && new Set(items.map(({ kind, id }) => `${kind}/${id}`))
  return (kind, id) =>
    names?.has(`${kind}/${id}`) !== false &&
    (project === null ||
      projectOf(source.state.curated, kind, id) === project ||
      ofProject.has(`${kind}/${id}`))
}

/** Names of the items that nobody put into a project and that are drawn from its attempts alone. */
async function drawnIn(source: MemorySource, project: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for (const kind of MEMORY_KINDS)
    if (kind.drawnFrom)
      for (const { id } of await kind.heads(source))
        if ((await homeOf(kind, source, id)) === project) names.add(`${kind.info.id}/${id}`)
  return names
}

/** What leaves a memory, as formats read it: only what was chosen, without secrets where they are to go. */
export function leavingSource(
  source: FormatSource,
  { kinds, redact }: Pick<ExportChoice, 'kinds' | 'redact'>,
  includes: ((kind: string, id: string) => boolean) | undefined,
): { readonly source: FormatSource; secrets(): Redactions } {
  let secrets: Redactions = {}
  const countedIds = new Set<string>()
  const clean = <T>(kind: string, id: string, value: T): T => {
    const { value: without, redactions } = redactAll(value)
    // Formats may read an item more than once.
    if (!countedIds.has(`${kind}/${id}`)) secrets = addRedactions(secrets, redactions)
    countedIds.add(`${kind}/${id}`)
    return redact ? without : value
  }
  const reader =
    <T>(kind: string, read: (id: string) => Promise<T>) =>
    async (id: string): Promise<T> =>
      clean(kind, id, await read(id))
  const isLeaving = (kind: string, id: string, name = kind): boolean =>
    kinds?.includes(name) !== false && includes?.(kind, id) !== false
  const { memory, experiences } = source
  const { concepts } = memory.state
  const cleanMap = <T>(kind: string, map: ReadonlyMap<string, T>): Map<string, T> =>
    new Map(Array.from(map, ([id, value]) => [id, clean(kind, id, value)]))
  return {
    secrets: () => secrets,
    source: {
      ...source,
      memory: {
        ...memory,
        state: {
          ...memory.state,
          concepts: {
            ...concepts,
            versions: cleanMap('version', concepts.versions),
            rubrics: cleanMap('rubrics', concepts.rubrics),
          },
        },
        memory: reader('memory', (id) => memory.memory(id)),
        memoryAsWritten: reader('memory', (id) => memory.memoryAsWritten(id)),
        caseOf: reader(CASE_KIND, (id) => memory.caseOf(id)),
        caseVersions: reader(CASE_KIND, (id) => memory.caseVersions(id)),
        experience: reader(EXPERIENCE_KIND, (id) => memory.experience(id)),
      },
      async *trajectories() {
        for await (const attempt of source.trajectories())
          if (isLeaving(ATTEMPT, attempt.id, ATTEMPTS)) yield clean(ATTEMPT, attempt.id, attempt)
      },
      async *cases(options) {
        for await (const one of source.cases(options))
          if (isLeaving(CASE_KIND, one.id)) yield clean(CASE_KIND, one.id, one)
      },
      experiences: {
        entries: () => [...experiences.entries()].filter(({ id }) => isLeaving(EXPERIENCE_KIND, id)),
        get: reader(EXPERIENCE_KIND, (id) => experiences.get(id)),
      },
    },
  }
}
