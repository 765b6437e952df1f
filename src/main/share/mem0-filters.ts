import { LoamError } from '../../shared/errors'

/** Whom memories are of, as mem0 says it; the first that is named counts. */
export const OWNERS = ['user_id', 'agent_id', 'app_id', 'run_id'] as const
type Owner = (typeof OWNERS)[number]
const isOwner = (name: string): name is Owner => (OWNERS as readonly string[]).includes(name)
const TIMES: readonly string[] = ['created_at', 'updated_at']
const FIELDS = [...OWNERS, ...TIMES, 'metadata', 'AND', 'OR', 'NOT']

/** What filters look at. */
export interface FilterSubject {
  readonly user_id: string | null
  readonly created_at: string
  readonly updated_at: string
  readonly metadata: Readonly<Record<string, unknown>> | null
}
type Test = (memory: FilterSubject) => boolean
type Condition = readonly [name: string, value: unknown]

/** Whom a request names in fields of its own; empty for nobody. */
export function ownerIn(body: Readonly<Record<string, unknown>>): string {
  for (const name of OWNERS) if (typeof body[name] === 'string' && body[name] !== '') return body[name]
  return ''
}

/**
 * What a request asks for, by its own fields and by its filters as mem0 writes them: owners, times, AND, OR and NOT.
 * @throws LoamError `BAD_INPUT` for what cannot be filtered by
 */
export function filterOf(body: Readonly<Record<string, unknown>>): Test {
  const owners = OWNERS.flatMap((name): Condition[] => {
    const owner = body[name]
    return typeof owner === 'string' && owner !== '' ? [[name, owner]] : []
  })
  const { filters } = body
  return allOf([...owners, ...(filters === undefined || filters === null ? [] : conditionsIn(filters))])
}

/** What holds together: the conditions of an object, and of a list of objects. */
function conditionsIn(filters: unknown): Condition[] {
  if (Array.isArray(filters)) return filters.flatMap(conditionsIn)
  if (typeof filters !== 'object' || filters === null) throw unknownFilter('filters', 'an object or a list')
  return Object.entries(filters).flatMap(([name, value]) =>
    name === 'AND' ? conditionsIn(value) : [[name, value] as const],
  )
}

function allOf(conditions: readonly Condition[]): Test {
  // A memory has one owner: the first that was named when it was added.
  const owner = OWNERS.find((name) => conditions.some(([one]) => one === name))
  const tests = conditions.filter(([name]) => !isOwner(name) || name === owner).map(testOf)
  return (memory) => tests.every((test) => test(memory))
}

function testOf([name, value]: Condition): Test {
  if (name === 'OR' || name === 'NOT') {
    const parts = (Array.isArray(value) ? (value as unknown[]) : [value]).map((one) =>
      allOf(conditionsIn(one)),
    )
    return name === 'OR'
      ? (memory) => parts.some((part) => part(memory))
      : (memory) => !parts.some((part) => part(memory))
  }
  if (isOwner(name)) return ownerTest(name, value)
  if (name === 'metadata') return metadataTest(value)
  if (TIMES.includes(name)) return timeTest(name as 'created_at' | 'updated_at', value)
  throw unknownFilter(name, FIELDS.join(', '))
}

const sameName = (a: string | null, b: unknown): boolean =>
  typeof b === 'string' && (a ?? '').toLowerCase() === b.trim().toLowerCase()

function ownerTest(name: Owner, value: unknown): Test {
  if (value === '*') return ({ user_id }) => user_id !== null
  if (typeof value === 'string') return ({ user_id }) => sameName(user_id, value)
  const { in: among, eq, ne, ...rest } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (Object.keys(rest).length === 0) {
    if (Array.isArray(among)) return ({ user_id }) => among.some((one) => sameName(user_id, one))
    if (typeof eq === 'string') return ({ user_id }) => sameName(user_id, eq)
    if (typeof ne === 'string') return ({ user_id }) => !sameName(user_id, ne)
  }
  throw unknownFilter(name, 'a text, "*", {"in": [...]}, {"eq": ...} or {"ne": ...}')
}

/** Memories whose metadata have all these values. */
function metadataTest(value: unknown): Test {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw unknownFilter('metadata', 'an object of names and values')
  const conditions = Object.entries(value as Readonly<Record<string, unknown>>).map(
    ([name, one]) => [name, JSON.stringify(one)] as const,
  )
  return ({ metadata }) =>
    conditions.every(([name, one]) => metadata !== null && JSON.stringify(metadata[name]) === one)
}

/** How two times compare. */
const COMPARISONS: Readonly<Record<string, (a: number, b: number) => boolean>> = {
  gt: (a, b) => a > b,
  gte: (a, b) => a >= b,
  lt: (a, b) => a < b,
  lte: (a, b) => a <= b,
  eq: (a, b) => a === b,
}

function timeTest(name: 'created_at' | 'updated_at', value: unknown): Test {
  const bounds = typeof value === 'string' ? { eq: value } : value
  if (typeof bounds !== 'object' || bounds === null) throw unknownFilter(name, 'a time or bounds')
  const tests = Object.entries(bounds).map(([how, time]): Test => {
    const compare = COMPARISONS[how]
    const bound = typeof time === 'string' ? Date.parse(time) : NaN
    if (!compare || Number.isNaN(bound))
      throw unknownFilter(`${name}.${how}`, 'gt, gte, lt or lte and a time')
    return (memory) => compare(Date.parse(memory[name]), bound)
  })
  return (memory) => tests.every((test) => test(memory))
}

const unknownFilter = (name: string, may: string): LoamError =>
  new LoamError('BAD_INPUT', `Memories cannot be filtered by "${name.slice(0, 80)}" as it is written.`, {
    suggestion: `It may be ${may}.`,
  })
