import { statesOf } from '../../../src/shared/feed'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, vi } from 'vitest'
import type { PermissionAnswer } from '../../../src/core/agent/tool-permission'
import { probesFor } from '../../../src/core/agent/probe'
import { createApp, type App, type AppOptions } from '../../../src/main/app'
import { openProfileStore } from '../../../src/main/models/profile-store'
import type { AskDetail } from '../../../src/shared/domain/ask'
import type { ProbeId } from '../../../src/shared/domain/model-profile'
import type { ToolRequest } from '../../../src/shared/domain/tool'

/** The model the house rules are made for. */
export const DEMO_MODEL = resolve('models/loam-demo.gguf')
export const hasDemoModel = existsSync(DEMO_MODEL)

/** Whether the programs that tools run in are built. */
export const hasTools = existsSync(resolve('out/main/mcp/index.js'))

/** A task of a bundled stream in whose world asks act: a harbor's bookings. */
export const BOOKINGS = { stream: 'house-rules-a', index: 3 }
export const COUNT_BOOKINGS = 'Harbor: Count the bookings with price over 32.'

/** A verdict that says nothing more. */
export const NOTHING_SAID = { answer: null, wrongAt: null, note: null }
export const RIGHT = { ...NOTHING_SAID, verdict: 'right' } as const

export interface AsksRig {
  app: App
  /** A folder of its own, for what a test makes. */
  readonly folder: string
  /** Stops the app and opens another on the same folder, as the next start would. */
  reopen(): Promise<App>
  close(): Promise<void>
}

/** An app with the bundled streams and the demo model, on a folder of its own. `host`: nobody answers one in memory, its default. */
export async function openAsksRig({
  host = 'memory',
}: Partial<Pick<AppOptions, 'host'>> = {}): Promise<AsksRig> {
  const folder = await mkdtemp(join(tmpdir(), 'loam-asks-'))
  const open = (): Promise<App> => createApp({ dataPath: join(folder, 'data'), host, gpuLayers: 'cpu' })
  const rig: AsksRig = {
    app: await open(),
    folder,
    async reopen() {
      await rig.app.dispose()
      return (rig.app = await open())
    },
    async close() {
      await rig.app.dispose()
      await rm(folder, { recursive: true, force: true, maxRetries: 5 })
    },
  }
  return rig
}

/** Opens rigs for the tests of a file and closes each when its test is over. Engines start slowly on a busy machine, so tests may take long. */
export function useAsksRig(options: Parameters<typeof openAsksRig>[0] = {}): () => Promise<AsksRig> {
  vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 })
  const open: AsksRig[] = []
  afterEach(async () => {
    for (const rig of open.splice(0)) await rig.close()
  })
  return async () => {
    const rig = await openAsksRig(options)
    open.push(rig)
    return rig
  }
}

/** Asks and waits until it is over; everyday asks too are answered by the demo model, unless another is named. */
export async function askAndWait(
  app: App,
  input: Parameters<App['askDrafts']['start']>[0],
): Promise<AskDetail> {
  const { id } = await app.askDrafts.start({ model: DEMO_MODEL, ...input })
  await app.asks.settled()
  return app.asks.get(id)
}

/** Has it be known that a model passed a probe, as if it had been asked all of it. */
export async function passProbe(app: App, model: string, id: ProbeId): Promise<void> {
  const probe = probesFor({ ask: '', tools: '' }).find((one) => one.id === id)
  if (!probe) throw new Error(`There is no probe ${id}.`)
  const byForm = probe.forms.map(() => probe.blocks.flat().map(() => true))
  const { sha256 } = await app.hasher.hash(model)
  const store = openProfileStore(join(app.data.path, 'model-profiles.json'), () => new Date())
  await store.change(sha256, ({ answers }) => ({
    answers: { ...answers, [id]: { version: probe.version, byForm } },
  }))
}

/** Everything that a memory holds. */
export const listAll = (memoryId: string) => ({
  ...{ memoryId, kinds: null, text: '', environment: null, mark: null },
  ...{ state: 'live' as const, sort: 'newest' as const, offset: 0, limit: 50 },
})

/** Answers every tool that waits for a person's word, until the app ends; tells what was asked. */
export function answerPermissions(
  app: App,
  answer: (request: ToolRequest) => PermissionAnswer | Promise<PermissionAnswer>,
): readonly ToolRequest[] {
  const asked: ToolRequest[] = []
  const { permissions } = app.tools
  const follow = async (): Promise<void> => {
    for await (const waiting of statesOf(permissions.watch({}))) {
      for (const request of waiting) {
        if (asked.some(({ id }) => id === request.id)) continue
        asked.push(request)
        permissions.answer(request.id, await answer(request))
      }
    }
  }
  void follow()
  return asked
}
