import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createHash } from 'node:crypto'
import { NO_USAGE, type Trajectory } from '../../shared/domain/trajectory'
import type { Method, MethodContext } from '../../core/ground/method'
import { FORMATS } from '../../core/formats'
import { MEMORY_KINDS } from '../../core/memory'
import { METHODS } from '../../core/methods'
import { ENVIRONMENTS } from '../../core/tasks'
import { seamSchema, type ModuleInfo } from '../../shared/domain/module'
import { LoamError } from '../../shared/errors'
import { TOOL_SERVERS } from '../tool-servers'
import { createApp, type App } from '../app'
import { memorySourceOf } from '../items/memory-items'
import { PROVIDERS } from '../providers'
import { formatSource } from '../memories/memories'
import type { Check } from './draw'
import { environmentChecks } from './environment-checks'
import { formatChecks } from './format-checks'
import { kindChecks } from './kind-checks'
import { methodChecks } from './method-checks'
import { providerChecks } from './provider-checks'
import { toolServerChecks } from './tool-server-checks'

/** What came of a rule. */
export interface CheckResult {
  readonly name: string
  /** Null: the module keeps it. */
  readonly broken: string | null
}

const getMatch = <T>(list: readonly T[], isIt: (module: T) => boolean): T => {
  const module = list.find(isIt)
  if (module) return module
  throw new Error('The module is not in its list.')
}

const newMemory = async (app: App) => app.memories.open((await app.memories.create('Suite')).id)

/** An attempt whose prompt did not fit, at the first task of the demo stream. */
async function unactedAttempt(app: App): Promise<Trajectory> {
  const [task] = (await app.streams.load(getMatch(ENVIRONMENTS, () => true).sample)).tasks
  if (!task) throw new Error('the sample stream is empty')
  const at = '2026-01-01T00:00:00.000Z'
  return {
    ...{
      id: 'attempt-1',
      runId: 'run-1',
      method: 'none',
      task: { ...task, context: '' },
      rounds: [],
      recalled: [],
    },
    ...{ reward: 0, finish: 'context-overflow', usage: NO_USAGE, startedAt: at, finishedAt: at },
  } as unknown as Trajectory
}

async function checksOf(app: App, seam: ModuleInfo['seam'], name: string): Promise<Check[]> {
  switch (seam) {
    case 'method': {
      const method: Method = getMatch(METHODS, ({ info }) => info.id === name)
      const prompts = await app.prompts()
      const [bank, embedder, unacted] = [
        await newMemory(app),
        await app.embedder(),
        await unactedAttempt(app),
      ]
      let askedCount = 0
      const model = {
        ...{ name: 'nobody', path: 'nobody', contextSize: 8192 },
        countTokens: (texts: readonly string[]) => Promise.resolve(texts.map(({ length }) => length)),
        generate: () => {
          askedCount++
          return Promise.reject(new Error('nobody may be asked'))
        },
      }
      const context: MethodContext = { bank, model, prompts, embedder, settings: {}, k: 4, seed: 1 }
      return methodChecks(method, () => ({
        ...{ prompts, unacted, asked: () => askedCount },
        context: () => Promise.resolve(context),
      }))
    }
    case 'environment': {
      const { streams, environments } = app
      const prompts = await app.prompts()
      const module = getMatch(ENVIRONMENTS, ({ id }) => id === name)
      return environmentChecks(module, () => ({ streams, environments, prompts }))
    }
    case 'provider': {
      const module = getMatch(PROVIDERS, ({ id }) => id === name)
      const models = (await app.providers.list()).filter(({ path }) => path.startsWith(`${name}:`))
      const [model] = models
      if (!model)
        throw new LoamError('MODULE', `The provider "${name}" lists no model.`, {
          suggestion: 'Make one of its models reachable, and run the suite again.',
        })
      const provider = {
        list: async () => (await app.providers.list()).filter(({ path }) => path.startsWith(`${name}:`)),
        identify: app.providers.identify,
        load: app.providers.load,
      }
      const loadedModel = await app.providers.load(model.path, { contextSize: 1024, sequences: 2 })
      return providerChecks(module, () => ({
        ...{ provider, model: model.path, missing: `${name}:no-such-model@nowhere`, loaded: loadedModel },
      }))
    }
    case 'format': {
      const bank = await newMemory(app)
      const now = '2026-01-01T00:00:00.000Z'
      const note = {
        kind: 'note',
        runId: 'run-1',
        environment: 'general',
        trajectoryIds: ['attempt-1'],
        createdAt: now,
      }
      for (const n of [1, 2, 3])
        await bank.commit([
          {
            kind: 'memory-added',
            memory: {
              ...note,
              id: `note-${n}`,
              title: `Note ${n}`,
              context: `What ${n} is about.`,
              keywords: [],
              tags: [],
              links: [],
            },
          },
        ])
      const hash = (text: string): string => createHash('sha256').update(text).digest('hex')
      return formatChecks(
        getMatch(FORMATS, ({ id }) => id === name),
        () => ({
          source: formatSource(bank, memorySourceOf(bank)),
          context: { memoryId: 'suite', now, hash },
        }),
      )
    }
    case 'tool-server':
      return toolServerChecks(
        getMatch(TOOL_SERVERS, ({ id }) => id === name),
        () => app,
      )
    case 'memory-kind':
      return kindChecks(
        getMatch(MEMORY_KINDS, ({ info }) => info.id === name),
        () => ({ newMemory: async () => memorySourceOf(await newMemory(app)) }),
      )
  }
}

async function resultsOf(
  checks: readonly Check[],
  onResult: (result: CheckResult) => void,
): Promise<CheckResult[]> {
  const results: CheckResult[] = []
  for (const { name, run } of checks) {
    let fault: string | null = null
    try {
      await run()
    } catch (error) {
      fault = error instanceof Error ? error.message : String(error)
    }
    const result = { name, broken: fault }
    results.push(result)
    onResult(result)
  }
  return results
}

/**
 * Runs the suite of a seam over the module in a folder or package, in a data folder of its own that is gone afterwards. The module's code
 * runs inside this process.
 * @throws LoamError `MODULE` where it does not load, or is of another seam
 */
export async function conform(
  seam: string,
  source: string,
  onResult: (result: CheckResult) => void,
): Promise<readonly CheckResult[]> {
  const parseResult = seamSchema.safeParse(seam)
  if (!parseResult.success)
    throw new LoamError('BAD_INPUT', `There is no seam "${seam}".`, {
      suggestion: `Use one of: ${seamSchema.options.join(', ')}.`,
    })
  const folder = await mkdtemp(join(tmpdir(), `loam-conform-${basename(source)}-`))
  const app = await createApp({ dataPath: join(folder, 'data'), host: 'memory', gpuLayers: 'cpu' })
  try {
    const { name, title, seam: own } = await app.modules.add(source)
    if (own !== parseResult.data)
      throw new LoamError('MODULE', `"${title}" is a module of the seam ${own}.`, {
        suggestion: `Run: loam conform ${own} ${source}`,
      })
    const { problem } = await app.modules.allow(name)
    if (problem) throw LoamError.fromShape(problem)
    return await resultsOf(await checksOf(app, own, name), onResult)
  } finally {
    await app.dispose()
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
