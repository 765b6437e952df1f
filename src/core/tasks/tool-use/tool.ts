import { z } from 'zod'
import type { ToolInfo } from '../../ground/tools'

/** Why a tool refuses; the agent is told. */
export class Refusal extends Error {}

/** A tool that works on a domain's database, which it may change in place. */
export interface DomainTool<Db> {
  readonly name: string
  readonly description: string
  /** False for tools that change nothing. */
  readonly writes: boolean
  readonly inputSchema: Readonly<Record<string, unknown>>
  /** @throws Refusal when the arguments or the state of the database do not allow it */
  call(db: Db, args: unknown): unknown
}

/** Whose tool is called, and whose state is looked at. */
export type Side = 'assistant' | 'user'

/** What lies beside a stream of a domain: names of files. */
export interface DomainFiles {
  /** Markdown, joined in this order. */
  readonly policy: readonly string[]
  /** JSON, or TOML by its ending. */
  readonly database: string
  /** What the user's side starts from. Default: nothing. */
  readonly userDatabase?: string
}

/** A call that a task prepares its state with, or asks the end state by. */
export interface StateCall {
  readonly side: Side
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** What a domain's states are, on both sides. */
export interface Databases {
  readonly agent: unknown
  /** Default: as it is before anything happened. */
  readonly user?: unknown
}

type ToolHead = Pick<DomainTool<never>, 'name' | 'description' | 'writes' | 'inputSchema'>

/** A domain's tools, and the form of the databases they work on. */
export interface ToolSet {
  readonly files: DomainFiles
  /** @throws ZodError when a database is not of this domain's form */
  open(databases: Databases): ToolSession
  /** What the agent can do. */
  readonly tools: readonly ToolHead[]
  /** What the user can do on their own side; empty where users only talk. */
  readonly userTools: readonly ToolHead[]
  /** Whether `prepare` or `holds` knows a name. */
  knows(what: 'preparation' | 'assertion', side: Side, name: string): boolean
}

/** Copies of the databases with the tools on them. */
export interface ToolSession {
  /** Answers with the tool's result as JSON, or with why it refuses. Never throws. `by` defaults to the agent. */
  call(name: string, args: unknown, by?: Side): { readonly text: string; readonly failed: boolean }
  /** Brings about a part of the state a task starts from; why it cannot be, or null. */
  prepare(call: StateCall): string | null
  /** Whether something holds of the state; false too when it cannot be asked. */
  holds(call: StateCall): boolean
  /** The databases as they now stand. */
  readonly state: unknown
}

/** Makes a tool; its arguments are checked against `args` before it is called. */
export function defineTool<Db, Args extends z.ZodRawShape>(tool: {
  readonly name: string
  readonly description: string
  readonly writes?: boolean
  readonly args: Args
  call(db: Db, args: z.infer<z.ZodObject<Args>>): unknown
}): DomainTool<Db> {
  const schema = z.strictObject(tool.args)
  const { $schema: _dialect, ...inputSchema } = z.toJSONSchema(schema, { io: 'input' })
  return {
    name: tool.name,
    description: tool.description,
    writes: tool.writes ?? false,
    inputSchema,
    call(db, args) {
      const parsed = schema.safeParse(args)
      if (parsed.success) return tool.call(db, parsed.data)
      const [issue] = parsed.error.issues
      throw new Refusal(
        `${issue?.path.join('.') || 'arguments'}: ${issue?.message ?? 'not as the tool needs them'}`,
      )
    },
  }
}

type ArgsOf<Shape extends z.ZodRawShape> = z.infer<z.ZodObject<Shape>>

/** What a tool does with the record that its first arguments name: changes it or answers from it; with neither it shows it. */
interface RecordTool<Db, Row, Own extends z.ZodRawShape, All> {
  readonly name: string
  readonly description: string
  /** Further arguments. Default: none. */
  readonly args?: Own
  /** What it returns is answered, the record where it returns nothing. */
  change?(row: Row, args: All, db: Db): unknown
  answer?(row: Row, args: All, db: Db): unknown
}

/** Makes tools that each work on one record of the database, which `ids` name and `find` gets or refuses. */
export const toolOn =
  <Db, Ids extends z.ZodRawShape, Row>(ids: Ids, find: (db: Db, ids: ArgsOf<Ids>) => Row) =>
  <Own extends z.ZodRawShape = Record<never, never>>(
    tool: RecordTool<Db, Row, Own, ArgsOf<Ids & Own>>,
  ): DomainTool<Db> =>
    defineTool({
      name: tool.name,
      description: tool.description,
      writes: tool.change !== undefined,
      args: { ...ids, ...tool.args } as Ids & Own,
      call(db: Db, args) {
        const row = find(db, args as unknown as ArgsOf<Ids>)
        return tool.answer ? tool.answer(row, args, db) : (tool.change?.(row, args, db) ?? row)
      },
    })

/** One side of a domain: the form of its database, and what works on it. */
export interface SideOptions<Db> {
  readonly schema: z.ZodType<Db>
  readonly tools: readonly DomainTool<Db>[]
  /** Besides the tools, what tasks prepare their state with. Default: nothing. */
  readonly preparations?: readonly DomainTool<Db>[]
  /** What tasks ask of the state; each answers with true or false. Default: nothing. */
  readonly assertions?: readonly DomainTool<Db>[]
}

export interface ToolSetOptions<Agent, User> {
  /** Default: policy.md and db.json. */
  readonly files?: DomainFiles
  readonly agent: SideOptions<Agent>
  readonly user?: SideOptions<User>
  /** Brings both sides together after each call. Default: they have nothing to do with each other. */
  sync?(agent: Agent, user: User): void
}

const byName = <Db>(tools: readonly DomainTool<Db>[] = []) => new Map(tools.map((tool) => [tool.name, tool]))

/** The ways of working on one side's database. */
function getHandle<Db>({ schema, tools, preparations = [], assertions }: SideOptions<Db>, database: unknown) {
  const db = schema.parse(structuredClone(database))
  const maps = {
    tool: byName(tools),
    preparation: byName([...tools, ...preparations]),
    assertion: byName(assertions),
  }
  return {
    db,
    /** @throws Refusal */
    do(what: keyof typeof maps, name: string, args: unknown): unknown {
      const tool = maps[what].get(name)
      if (!tool) throw new Refusal(`there is no ${what} ${name}`)
      return tool.call(db, args)
    },
  }
}

/** What was refused, in words. Anything else that goes wrong is a bug and is thrown. */
function refusal(error: unknown): string {
  if (error instanceof Refusal) return error.message
  throw error
}

/** Puts tools on databases whose forms are checked. */
export function toolSet<Agent, User = Record<string, never>>(options: ToolSetOptions<Agent, User>): ToolSet {
  const { agent, user, files = { policy: ['policy.md'], database: 'db.json' } } = options
  type Named = Pick<SideOptions<unknown>, 'tools' | 'preparations' | 'assertions'>
  const names = (side: Named | undefined, what: 'preparation' | 'assertion'): Set<string> => {
    const { tools = [], preparations = [], assertions = [] } = side ?? {}
    return new Set((what === 'assertion' ? assertions : [...tools, ...preparations]).map(({ name }) => name))
  }
  return {
    files,
    tools: agent.tools,
    userTools: user?.tools ?? [],
    knows: (what, side, name) => names(side === 'user' ? user : agent, what).has(name),
    open(databases) {
      const own = getHandle(agent, databases.agent)
      const theirs = user && getHandle(user, databases.user ?? {})
      const side = (which: Side) =>
        expectValue(which === 'user' ? theirs : own, 'the user has no side of their own')
      const sync = (): void => {
        if (theirs) options.sync?.(own.db, theirs.db)
      }
      sync()
      return {
        state: theirs ? { agent: own.db, user: theirs.db } : own.db,
        call(name, args, by = 'assistant') {
          try {
            const result = side(by).do('tool', name, args)
            sync()
            return { text: typeof result === 'string' ? result : JSON.stringify(result), failed: false }
          } catch (error) {
            return { text: `Error: ${refusal(error)}`, failed: true }
          }
        },
        prepare({ side: which, name, args }) {
          try {
            side(which).do('preparation', name, args)
            sync()
            return null
          } catch (error) {
            return refusal(error)
          }
        },
        holds({ side: which, name, args }) {
          try {
            return side(which).do('assertion', name, args) === true
          } catch (error) {
            refusal(error)
            return false
          }
        },
      }
    },
  }
}

/** The tools as an agent is told of them. */
export const toolInfos = (tools: ToolSet['tools'], server: string): ToolInfo[] =>
  tools.map(({ name, description, inputSchema }) => ({ name, description, inputSchema, server }))

/** Refuses unless there is something to go on with. */
export function expectValue<T>(value: T | undefined, message: string): T {
  if (value === undefined) throw new Refusal(message)
  return value
}

/** Refuses when a pre-condition does not hold. */
export function refuseUnless(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Refusal(message)
}

/** Money to the cent. */
export const cents = (amount: number): number => Math.round(amount * 100) / 100
