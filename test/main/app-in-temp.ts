import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { createApp, type App } from '../../src/main/app'
import { TOOL_SERVERS } from '../../src/main/adapters/tool-servers'
import { findResources } from '../../src/main/ground/resources'

/** One app for all tests of the block, on a folder of its own; `before` is called when the folder is there, with its path. */
export function appInTemp(name: string, before?: (folder: string) => void | Promise<void>): () => App {
  let folder: string | undefined
  let app: App | undefined
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), `loam-${name}-`))
    await before?.(folder)
    app = await createApp({
      dataPath: join(folder, 'data'),
      host: 'memory',
      resources: findResources(),
      gpuLayers: 'cpu',
    })
  })
  afterAll(async () => {
    await app?.dispose()
    if (folder !== undefined) await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  return () => {
    if (!app) throw new Error('The app is there within tests only.')
    return app
  }
}

/** Turns every built-in tool server off but those that are named. */
export async function withToolsOf(app: App, ...servers: readonly string[]): Promise<void> {
  const off = TOOL_SERVERS.map(({ id }) => id).filter((id) => !servers.includes(id))
  await app.saveSettings({ tools: { ...app.settings().tools, off } })
}
