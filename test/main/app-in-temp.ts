import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll, beforeEach } from 'vitest'
import { createApp, type App } from '../../src/main/app'
import { TOOL_SERVERS } from '../../src/main/tool-servers'
import { findResources } from '../../src/main/ground/resources'

interface OpenedInTemp {
  readonly app: App
  readonly folder: string
  close(): Promise<void>
}

/** An app on a folder of its own; `before` is called when the folder is there, with its path. */
async function openInTemp(name: string, before?: (folder: string) => unknown): Promise<OpenedInTemp> {
  const folder = await mkdtemp(join(tmpdir(), `loam-${name}-`))
  const remove = () => rm(folder, { recursive: true, force: true, maxRetries: 5 })
  try {
    await before?.(folder)
    const app = await createApp({
      dataPath: join(folder, 'data'),
      host: 'memory',
      resources: findResources(),
      gpuLayers: 'cpu',
    })
    return { app, folder, close: () => app.dispose().finally(remove) }
  } catch (error) {
    await remove()
    throw error
  }
}

/** One app for all tests of the block, on a folder of its own; `before` is called when the folder is there, with its path. */
export function appInTemp(name: string, before?: (folder: string) => void | Promise<void>): () => App {
  let opened: OpenedInTemp | undefined
  beforeAll(async () => {
    opened = await openInTemp(name, before)
    return opened.close
  })
  return () => {
    if (!opened) throw new Error('The app is there within tests only.')
    return opened.app
  }
}

/** A new app for each test of the block, on a folder of its own, which its data folder `data` lies in. */
export function appPerTest(name: string): Pick<OpenedInTemp, 'app' | 'folder'> {
  let opened: OpenedInTemp | undefined
  beforeEach(async () => {
    opened = await openInTemp(name)
    return opened.close
  })
  const now = (): OpenedInTemp => {
    if (!opened) throw new Error('The app is there within tests only.')
    return opened
  }
  return {
    get app() {
      return now().app
    },
    get folder() {
      return now().folder
    },
  }
}

/** Turns every built-in tool server off but those that are named. */
export async function withToolsOf(app: App, ...servers: readonly string[]): Promise<void> {
  const off = TOOL_SERVERS.map(({ id }) => id).filter((id) => !servers.includes(id))
  await app.saveSettings({ tools: { ...app.settings().tools, off } })
}
