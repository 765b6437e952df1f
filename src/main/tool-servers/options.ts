import { parseArgs } from 'node:util'
import { resolve } from 'node:path'
import { z } from 'zod'
import { onOff, whole } from '../../core/ground/settings'
import type { AnyToolServer } from './module'

/** Options that several servers have. */
export const root = (help: string) =>
  z.array(z.string()).default([]).meta({ title: 'Folder', help, unit: 'DIR' })
export const timeLimit = whole(1, 3600, 30, {
  title: 'Time',
  help: 'Seconds a call may take.',
  unit: 'seconds',
})
export const network = onOff(false, { title: 'Network', help: 'It may open connections.' })
/** The address of a server, or none. */
export const address = (words: { readonly title: string; readonly help: string }) =>
  z
    .string()
    .regex(/^(?:https?:\/\/.*)?$/, 'must be an http or https address')
    .default('')
    .meta({ ...words, unit: 'URL' })

/** An option as it stands on the command line. */
export interface OptionField {
  readonly key: string
  readonly flag: string
  readonly kind: 'switch' | 'number' | 'text' | 'list'
  readonly title: string
  readonly help: string
  readonly unit: string | null
  readonly default: unknown
  readonly min: number | null
  readonly max: number | null
}

const asFlag = (key: string): string => key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

const KINDS: Readonly<Record<string, OptionField['kind']>> = {
  boolean: 'switch',
  integer: 'number',
  string: 'text',
  array: 'list',
}

/** The options of a server, read off its schema. @throws Error for one without title, help or default */
export function optionFields({ id, options }: Pick<AnyToolServer, 'id' | 'options'>): OptionField[] {
  return Object.entries(options.shape).map(([key, schema]) => {
    const json = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Record<string, unknown>
    const kind = KINDS[typeof json['type'] === 'string' ? json['type'] : '']
    const { title, help, unit, default: normal, minimum, maximum } = json
    if (kind === undefined || typeof title !== 'string' || typeof help !== 'string' || normal === undefined)
      throw new Error(
        `The option ${id}.${key} needs a known kind, a default, and title and help in its meta.`,
      )
    return {
      key,
      flag: asFlag(key),
      kind,
      title,
      help,
      unit: typeof unit === 'string' ? unit : null,
      default: normal,
      min: typeof minimum === 'number' ? minimum : null,
      max: typeof maximum === 'number' ? maximum : null,
    }
  })
}

/** Reads the options of a server from its command line. @throws Error with words for the person */
export function readServerOptions(
  server: Pick<AnyToolServer, 'id' | 'options'>,
  argv: readonly string[],
): Readonly<Record<string, unknown>> {
  const fields = optionFields(server)
  const { values } = parseArgs({
    args: [...argv],
    options: Object.fromEntries(
      fields.map(({ flag, kind }) => [
        flag,
        { type: kind === 'switch' ? ('boolean' as const) : ('string' as const), multiple: kind === 'list' },
      ]),
    ),
  })
  const input: Record<string, unknown> = {}
  for (const { key, flag, kind, min, max } of fields) {
    const value = values[flag]
    if (value === undefined) continue
    if (kind !== 'number') {
      input[key] = Array.isArray(value) ? value.map((path) => resolve(String(path))) : value
      continue
    }
    const number = Number(value)
    if (!Number.isInteger(number) || number < (min ?? -Infinity) || number > (max ?? Infinity))
      throw new Error(`--${flag} must be a whole number from ${min} to ${max}, not "${String(value)}"`)
    input[key] = number
  }
  const parsed = server.options.safeParse(input)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new Error(`--${asFlag(String(issue?.path[0] ?? ''))} ${issue?.message ?? 'cannot be used'}`)
}

/** The command line that says the same; what is the default is left out. */
export function optionArguments(
  server: Pick<AnyToolServer, 'id' | 'options'>,
  values: Readonly<Record<string, unknown>>,
): string[] {
  return optionFields(server).flatMap(({ key, flag, kind, default: normal }) => {
    const value = values[key] ?? normal
    if (kind === 'list') return (value as readonly string[]).flatMap((one) => [`--${flag}`, one])
    if (JSON.stringify(value) === JSON.stringify(normal)) return []
    return kind === 'switch' ? [`--${flag}`] : [`--${flag}`, String(value)]
  })
}

const optionWords = (field: OptionField): string => {
  const { flag, kind, unit, help, min, max } = field
  const word = kind === 'switch' ? '' : ` ${kind === 'number' ? 'N' : (unit ?? 'TEXT')}`
  const more = [
    ...(kind === 'list' ? ['may be given more than once'] : []),
    ...(kind === 'number' ? [`${min} to ${max}, default ${String(field.default)}`] : []),
  ]
  return `      ${`--${flag}${word}`.padEnd(22)} ${help}${more.length > 0 ? ` (${more.join('; ')})` : ''}`
}

/** What `loam mcp --help` prints: every server with its tools and options. */
export const serverUsage = (servers: readonly AnyToolServer[]): string =>
  [
    `loam mcp ${servers.map(({ id }) => id).join('|')} [options]`,
    '',
    'An MCP server on standard input and output. A memory is served by "loam mcp memory" ("loam mcp memory --help").',
    '',
    ...servers.flatMap((server) => [
      `  ${server.id.padEnd(12)} ${server.about}`,
      `      tools: ${server.tools.map(({ name }) => name).join(', ')}`,
      ...optionFields(server).map(optionWords),
      '',
    ]),
  ].join('\n')
