import type { LocalServer, ModelServer, ModelServerReport } from '../../shared/domain/model-server'
import { LoamError } from '../../shared/errors'

/** Where programs with models listen unless they are told otherwise. */
const LOCAL_SERVERS = [
  { title: 'Ollama', name: 'ollama', url: 'http://127.0.0.1:11434/v1' },
  { title: 'LM Studio', name: 'lm-studio', url: 'http://127.0.0.1:1234/v1' },
] as const

/** How long one may take to say what it has, in ms. */
const LOOK_MS = 10_000

/** What looking needs: one question to a server, and who speaks to it. */
export interface LookWorld {
  check(server: ModelServer, signal: AbortSignal): Promise<ModelServerReport>
  /** Id of the provider. */
  readonly provider: string
  /** Default: where Ollama and LM Studio listen. */
  readonly places?: readonly { readonly title: string; readonly name: string; readonly url: string }[]
  /** Default: 10 seconds. */
  readonly withinMs?: number
}

/**
 * Programs with models that answer on this machine, with the models that write. Where nobody listens nothing is said; who listens and
 * does not answer as a model server is there with the reason.
 */
export async function lookForServers(world: LookWorld): Promise<LocalServer[]> {
  const { places = LOCAL_SERVERS, withinMs = LOOK_MS, provider } = world
  const answers = places.map(async ({ title, name, url }): Promise<LocalServer[]> => {
    const server = { name, url, provider }
    const limit = AbortSignal.timeout(withinMs)
    try {
      const { models, embeddingModels = [] } = await world.check(server, limit)
      return [
        { title, server, models: models.filter((one) => !embeddingModels.includes(one)), problem: null },
      ]
    } catch (error) {
      if (nobodyListens(error)) return []
      const problem = limit.aborted ? tooSlow(url, withinMs) : error
      if (!(problem instanceof LoamError)) throw error
      return [{ title, server, models: [], problem: problem.toShape() }]
    }
  })
  return (await Promise.all(answers)).flat()
}

const tooSlow = (url: string, ms: number): LoamError =>
  new LoamError('MODEL_SERVER', `${new URL(url).host} did not say what it has within ${ms / 1000} seconds.`, {
    suggestion: 'It may be starting. Look again in a moment.',
    retryable: true,
  })

/** Whether the system refused the connection: no program is at that address. */
function nobodyListens(error: unknown): boolean {
  for (let reason = error; reason instanceof Error; reason = reason.cause)
    if ((reason as NodeJS.ErrnoException).code === 'ECONNREFUSED') return true
  return false
}
