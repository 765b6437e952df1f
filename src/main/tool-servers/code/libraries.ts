import { createHash, randomBytes } from 'node:crypto'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { readAddress } from '../../net/read-address'

/** Where Pyodide's own libraries are published, by its version. */
const PUBLISHED = 'https://cdn.jsdelivr.net/pyodide'
/** A file of this name beside the libraries takes the place of the list that comes with Pyodide. */
const LIST = 'pyodide-lock.json'
const MOST_BYTES = 150 * 1024 * 1024
const FETCH_MS = 300_000

const packageSchema = z.object({
  name: z.string(),
  file_name: z.string().regex(/^[\w.+-]+$/),
  sha256: z.string().regex(/^[0-9a-f]{64}$/),
  imports: z.array(z.string()).default([]),
  depends: z.array(z.string()).default([]),
})
type Package = z.infer<typeof packageSchema>
const listSchema = z.object({ packages: z.record(z.string(), z.unknown()) })

/** Modules that code names in its import lines, in order. */
export function importedModules(code: string): string[] {
  const foundSet = new Set<string>()
  for (const line of code.split('\n')) {
    const [first, ...rest] = line.trim().split(/\s+/)
    const parts = first === 'from' ? rest.slice(0, 1) : first === 'import' ? rest.join(' ').split(',') : []
    if (first === 'from' && !rest.includes('import')) continue
    for (const part of parts) {
      const name = /^[A-Za-z_]\w*/.exec(part.trim())?.[0]
      if (name !== undefined) foundSet.add(name)
    }
  }
  return [...foundSet]
}

/**
 * Libraries for Python (numpy, pandas and the others that are built for Pyodide), in a folder of this machine. What is missing is
 * fetched where the network may be used, and kept only if its SHA-256 is the one in the list that comes with Pyodide.
 */
export class PythonLibraries {
  #list: Promise<ReadonlyMap<string, Package>> | null = null
  readonly #checked = new Set<string>()

  constructor(
    readonly folder: string,
    private readonly network: boolean,
    /** Address of a folder with the files. Empty: where Pyodide publishes them. */
    private readonly from = '',
  ) {}

  /** The text of the list in the folder, for Python; null: the one that comes with Pyodide. */
  ownList(): Promise<string | null> {
    return readFile(join(this.folder, LIST), 'utf8').catch(() => null)
  }

  /**
   * Names of the libraries that code imports, with what they need, once all of them lie in the folder.
   * @throws Error with words for the one who asked: the network is off, or a file is not what it should be
   */
  async ready(code: string, signal: AbortSignal): Promise<string[]> {
    const modules = importedModules(code)
    if (modules.length === 0) return []
    const list = await (this.#list ??= this.#read())
    const targets = [...list.values()].filter(({ imports }) => imports.some((name) => modules.includes(name)))
    const names = new Map<string, Package>()
    const add = (one: Package): void => {
      if (names.has(one.name)) return
      names.set(one.name, one)
      for (const name of one.depends) {
        const need = list.get(name)
        if (need) add(need)
      }
    }
    targets.forEach(add)
    for (const one of names.values()) await this.#have(one, signal)
    return targets.map(({ name }) => name)
  }

  async #read(): Promise<ReadonlyMap<string, Package>> {
    const shipped = createRequire(import.meta.url).resolve(`pyodide/${LIST}`)
    const text = (await this.ownList()) ?? (await readFile(shipped, 'utf8'))
    const { packages } = listSchema.parse(JSON.parse(text))
    return new Map(
      Object.entries(packages).flatMap(([name, input]) => {
        const read = packageSchema.safeParse(input)
        // Tests of libraries are libraries of their own there, and imported by nobody.
        return read.success ? [[name, read.data] as const] : []
      }),
    )
  }

  async #have({ name, file_name: file, sha256 }: Package, signal: AbortSignal): Promise<void> {
    const path = join(this.folder, file)
    if (this.#checked.has(path)) return
    const buffer = await readFile(path).catch(() => null)
    if (buffer === null) await this.#fetch(name, file, sha256, signal)
    else if (digest(buffer) !== sha256) {
      await rm(path, { force: true })
      throw new Error(
        `The library ${name} on this machine was damaged and has been removed. Run it again to have it fetched anew.`,
      )
    }
    this.#checked.add(path)
  }

  async #fetch(name: string, file: string, sha256: string, signal: AbortSignal): Promise<void> {
    if (!this.network)
      throw new Error(
        `The library ${name} is not on this machine, and the network is off. With the network on it is fetched once; else do without it.`,
      )
    const { bytes } = await readAddress(await this.#address(file), {
      // An address that was given is the person's own; it may be on the local network.
      reach: this.from === '' ? 'public' : 'any',
      mostBytes: MOST_BYTES,
      accept: '*/*',
      signal: AbortSignal.any([signal, AbortSignal.timeout(FETCH_MS)]),
    })
    if (digest(bytes) !== sha256)
      throw new Error(
        `What came for the library ${name} is not what it should be (SHA-256), and was not kept.`,
      )
    await mkdir(this.folder, { recursive: true })
    const part = join(this.folder, `${file}.${randomBytes(4).toString('hex')}.part`)
    await writeFile(part, bytes)
    await rename(part, join(this.folder, file))
  }

  async #address(file: string): Promise<string> {
    if (this.from !== '') return new URL(file, this.from.endsWith('/') ? this.from : `${this.from}/`).href
    const { version } = JSON.parse(
      await readFile(createRequire(import.meta.url).resolve('pyodide/package.json'), 'utf8'),
    ) as { version: string }
    return `${PUBLISHED}/v${version}/full/${file}`
  }
}

const digest = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
