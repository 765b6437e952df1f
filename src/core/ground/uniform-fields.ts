import type { z } from 'zod'

/** Fields of a schema that are all of one kind, by name and in this order: `z.object({ ...alike(z.string(), 'id', 'name') })`. */
export const uniformFields = <Kind extends z.ZodType, Name extends string>(
  kind: Kind,
  ...names: readonly Name[]
): Record<Name, Kind> => Object.fromEntries(names.map((name) => [name, kind])) as Record<Name, Kind>
