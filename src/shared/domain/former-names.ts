import { z } from 'zod'

/** Keys that records of Loam 0.1 have, and what they are called now. */
const CURRENT: Readonly<Record<string, string>> = { spaceId: 'memoryId', spacePath: 'memoryPath' }

/** Levels of objects below a record in which such keys stand; what tools and tasks bring along lies deeper, or in lists. */
const DEPTH = 3

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A record that was read from disk, with the names of today. A record of this version comes back as an equal one. */
export const withCurrentNames = (record: unknown, depth = DEPTH): unknown =>
  isObject(record)
    ? Object.fromEntries(
        Object.entries(record).map(([key, value]) => [
          CURRENT[key] ?? key,
          depth === 0 ? value : withCurrentNames(value, depth - 1),
        ]),
      )
    : record

/** A schema that also reads objects whose keys are called as they were: `names` says for each former key what it is called now. */
export const formerly = <Schema extends z.ZodType>(
  names: Readonly<Record<string, string>>,
  schema: Schema,
): z.ZodPreprocess<Schema> =>
  z.preprocess(
    (value) =>
      isObject(value) && Object.keys(names).some((key) => key in value)
        ? Object.fromEntries(Object.entries(value).map(([key, each]) => [names[key] ?? key, each]))
        : value,
    schema,
  )
