import { existsSync } from 'node:fs'
import { copyFile, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createApp, type App } from '../../../src/main/app'
import { findResources, type Resources } from '../../../src/main/ground/resources'
import type { Trajectory } from '../../../src/shared/domain/trajectory'

/** A real but tiny model that knows nothing about databases: enough for everything but success. */
export const TINY_MODEL = resolve('../shared/models/stories260K/stories260K-F32.gguf')
/** The model that comes with Loam: its replies act. */
export const DEMO_MODEL = resolve('models/loam-demo.gguf')
export const hasTinyModel = existsSync(TINY_MODEL)

export const tempFolder = (): Promise<string> => mkdtemp(join(tmpdir(), 'loam-app-'))

/** Resources with a prompt and a stream short enough for a model of 512 tokens. */
export async function smallResources(folder: string, tasks: number): Promise<Resources> {
  const streams = join(folder, 'streams')
  const prompts = join(folder, 'prompts')
  await mkdir(streams, { recursive: true })
  await cp(findResources().prompts, prompts, { recursive: true })
  await writeFile(join(prompts, 'lab-db.md'), '---\nid: lab-db\n---\nOnce upon a time\n')
  for (const kind of ['error', 'success'])
    await writeFile(join(prompts, `evosc-${kind}-lab-db.md`), 'Once upon a time\n')
  const lines = Array.from({ length: tasks }, (_, i) =>
    JSON.stringify({
      id: `small-${i}`,
      instruction: `Say ${['red', 'blue', 'green'][i % 3]} ${i}.`,
      answer_info: { sql: 'SELECT a FROM t', direct: [[i]], md5: null },
      table_info: { name: 't', column_info_list: [{ name: 'a', type: 'INT' }], row_list: [[i]] },
      skill_list: ['say'],
    }),
  )
  await writeFile(join(streams, 'small.jsonl'), `${lines.join('\n')}\n`)
  return { ...findResources(), streams, prompts }
}

/** The same, with the tiny model in the demo model's place and the small stream in the demo stream's. */
export async function demoResources(folder: string, tasks: number): Promise<Resources> {
  const small = await smallResources(folder, tasks)
  const models = join(folder, 'models')
  await mkdir(models)
  await copyFile(DEMO_MODEL, join(models, 'loam-demo.gguf'))
  for (const name of ['loam-encoder.bin', 'loam-telling.bin'])
    await copyFile(join(dirname(DEMO_MODEL), name), join(models, name))
  await copyFile(join(small.streams, 'small.jsonl'), join(small.streams, 'house-rules-a.jsonl'))
  return { ...small, models }
}

export interface AppRig {
  readonly app: App
  /** Stops the app and opens another on the same folder, as the next start would. */
  reopen(): Promise<App>
  close(): Promise<void>
}

/** An app on a folder of its own, with the small stream `small`. */
export async function openAppRig(tasks: number, makeResources = smallResources): Promise<AppRig> {
  const folder = await tempFolder()
  const resources = await makeResources(folder, tasks)
  const open = (): Promise<App> =>
    createApp({ dataPath: join(folder, 'data'), host: 'memory', resources, gpuLayers: 'cpu' })
  let app = await open()
  return {
    app,
    async reopen() {
      await app.dispose()
      return (app = await open())
    },
    async close() {
      await app.dispose()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export async function trajectoriesOf(app: App, runId: string): Promise<Trajectory[]> {
  const found: Trajectory[] = []
  for await (const trajectory of (
    await app.memories.open(app.runs.get(runId).config.memoryId)
  ).trajectories()) {
    found.push(trajectory)
  }
  return found
}

/** What has to be equal between two runs of the same work: everything but names and times. */
export function contentOf(trajectories: readonly Trajectory[]): string {
  const names = new Map<string, string>()
  for (const { runId, memoryId } of trajectories) names.set(runId, 'RUN').set(memoryId, 'SPACE')
  let text = JSON.stringify(trajectories, (key, value: unknown) =>
    key === 'startedAt' || key === 'finishedAt' || key === 'ms' || key === 'reusedTokens' ? 0 : value,
  )
  for (const [name, plain] of names) text = text.replaceAll(name, plain)
  return text
}
