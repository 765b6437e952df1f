import { z } from 'zod'
import { canonicalJson } from '../../ground/canonical-json'

/** The lines that kinds write (`toLine`), as far as their ids go. */
const lineShape = z.union([
  z.object({ case: z.object({ id: z.string() }) }).transform(({ case: { id } }) => id),
  z.object({ item: z.object({ id: z.string() }) }).transform(({ item: { id } }) => id),
  z.object({ experience: z.object({ id: z.string() }) }).transform(({ experience: { id } }) => id),
  z
    .object({ document: z.object({ conceptId: z.string() }) })
    .transform(({ document: { conceptId } }) => conceptId),
  z
    .object({ info: z.object({ adapterSha256: z.string() }) })
    .transform(({ info: { adapterSha256 } }) => adapterSha256),
])

/** The id of the item that a kind's line holds. @throws ZodError */
export const idOfLine = (line: unknown): string => lineShape.parse(line)

type Loose = Record<string, unknown>

/** The same item under an id of its own that follows from what it says, so that it is found again. `hash`: SHA-256 in hex. */
export function underOwnId(line: unknown, hash: (text: string) => string): unknown {
  const print = hash(canonicalJson(line)).slice(0, 8)
  const own = (id: unknown): string => `${String(id)}-${print}`
  const loose = line as Loose
  for (const key of ['case', 'item', 'experience'] as const) {
    const heldLoose = loose[key] as Loose | undefined
    if (heldLoose) return { ...loose, [key]: { ...heldLoose, id: own(heldLoose['id']) } }
  }
  const renamed = (version: Loose): Loose => ({
    ...version,
    id: own(version['id']),
    conceptId: own(version['conceptId']),
    parent: version['parent'] === null ? null : own(version['parent']),
  })
  return {
    ...loose,
    document: renamed(loose['document'] as Loose),
    ...(Array.isArray(loose['earlier']) && {
      earlier: loose['earlier'].map((version) => renamed(version as Loose)),
    }),
  }
}
