import { createApp, type App } from '../../src/main/app'
import { askCode, stateOfMine, teachCode, walk, walkRng, type WalkStep } from '../fixtures/memory-walk'

/** What the process is sent. */
export type HostOrder =
  | { readonly do: 'open'; readonly dataPath: string; readonly model: string }
  | { readonly do: 'teach'; readonly n: number; readonly code: string }
  | { readonly do: 'ask'; readonly n: number }
  | { readonly do: 'state' }
  | { readonly do: 'walk'; readonly step: WalkStep; readonly seed: string; readonly wait: boolean }
  | { readonly do: 'close' }

/** What it answers with: what came of the order, or why nothing did. */
export type HostAnswer = { readonly result: unknown } | { readonly problem: string }

let app: App | null = null
let model = ''

async function obey(order: HostOrder): Promise<unknown> {
  if (order.do === 'open') {
    model = order.model
    app = await createApp({ dataPath: order.dataPath, host: 'memory', gpuLayers: 'cpu' })
    return null
  }
  if (!app) throw new Error('There is no host yet.')
  switch (order.do) {
    case 'teach':
      return teachCode(app, model, order.n, order.code)
    case 'ask':
      return askCode(app, model, order.n)
    case 'state':
      return stateOfMine(app)
    case 'walk':
      return walk(app, order.step, model, walkRng(order.seed), order.wait)
    case 'close':
      await app.dispose()
      return null
  }
}

process.on('message', (order: HostOrder) => {
  obey(order)
    .then((result): HostAnswer => ({ result: result ?? null }))
    .catch((error: unknown): HostAnswer => ({
      problem: error instanceof Error ? (error.stack ?? error.message) : String(error),
    }))
    .then((answer) => process.send?.(answer))
    .catch((error: unknown) => {
      throw error
    })
})
