import { z } from 'zod'
import type { ProcedureMeta } from '../../src/shared/contract/procedure'

/** A procedure of the contract, as oRPC keeps what it says of itself. */
interface Declared {
  readonly '~orpc': {
    readonly meta: ProcedureMeta
    readonly route: { readonly summary?: string }
    readonly inputSchema?: z.ZodType
  }
}

/** A tool of a memory server. `reads`: changes nothing. */
export interface ServedTool {
  readonly server: string
  readonly name: string
  readonly reads: boolean
}

const HEAD = `# Who may do what

Written by \`npm run docs\` from the contract and the memory servers themselves; \`test/main/api/authority.test.ts\` tries each with every kind of key.

The window and the terminal are the person's and may do everything. Programs bring a key (\`loam keys create\`). Over HTTP a key only asks; what changes something goes over MCP, with a key that writes.
`

const PROCEDURES = `
## Procedures

| procedure | | the person | a key to every memory | a key to one memory | a key to a project |
|---|---|---|---|---|---|
`

const TOOLS = `
## Tools of memory servers (MCP)

| server | tool | a key that reads | a key that writes |
|---|---|---|---|
`

const mark = (may: boolean): string => (may ? 'yes' : '-')

/** Whether a procedure is asked about a memory by name. */
const namesMemory = (schema: z.ZodType | undefined): boolean =>
  schema !== undefined &&
  'memoryId' in (z.toJSONSchema(schema, { unrepresentable: 'any', io: 'input' }).properties ?? {})

/** The document of every procedure and tool against every kind of caller. `contract`: procedures by area. */
export function authorityDocument(contract: object, tools: readonly ServedTool[]): string {
  const procedures = Object.entries(contract).flatMap(([area, all]) =>
    Object.entries(all as Record<string, Declared>).map(
      ([
        name,
        {
          '~orpc': { meta, route, inputSchema },
        },
      ]) => {
        const open = meta.by === 'read'
        const general = open && meta.general === true
        const own = open && namesMemory(inputSchema) ? 'of its own' : '-'
        const summary = (route.summary ?? '').replaceAll('|', '\\|')
        return `| \`${area}.${name}\` | ${summary} | yes | ${mark(open)} | ${general ? 'yes' : own} | ${mark(general)} |`
      },
    ),
  )
  const rows = tools.map(({ server, name, reads }) => `| ${server} | \`${name}\` | ${mark(reads)} | yes |`)
  return [HEAD, PROCEDURES, procedures.join('\n'), '\n', TOOLS, rows.join('\n'), '\n'].join('')
}
