import { createHash } from 'node:crypto'
import { copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { EngineEvent, EngineGenerateRequest, EngineRequest } from '../../src/main/ground/engine-protocol'
import type { EnginePort } from '../../src/main/engine-client/engine-port'
import { startUiServer } from '../../src/main/api/ui-server'
import { serveApp } from '../../src/main/serve-app'
import { findResources, type Resources } from '../../src/main/ground/resources'
import { LoamError, toErrorShape } from '../../src/shared/errors'
import { buildGguf } from '../main/adapters/llama/gguf-fixture'

/**
 * A headless host whose model is a script: it looks up the right statement for a task and uses it more often the more it
 * was shown, so that browser tests see runs come out well and badly in seconds, without a model.
 *
 * Run with tsx: `scripted-host.ts DATA_FOLDER [MS_PER_REPLY]`. Prints its address as the real host does.
 */
const [dataPath, msPerReply = '5'] = process.argv.slice(2)
if (dataPath === undefined) throw new Error('Name a data folder.')

/** Tokens the model says it was trained for. */
const TRAINED_CONTEXT = 4096

/** The right statement or answer for each instruction of the bundled streams. */
async function readTasks(streams: string): Promise<Map<string, string>> {
  const known = new Map<string, string>()
  for (const name of (await readdir(streams)).filter((file) => file.endsWith('.jsonl'))) {
    for (const line of (await readFile(join(streams, name), 'utf8')).split('\n')) {
      if (line.includes('"answer_info"')) {
        const task = JSON.parse(line) as { instruction: string; answer_info: { sql: string } }
        known.set(task.instruction, task.answer_info.sql)
      } else if (line.includes('"Final answer"')) {
        const task = JSON.parse(line) as { Question: string; 'Final answer': string }
        known.set(task.Question, task['Final answer'])
      }
    }
  }
  return known
}

/** The planner's part: a plan of two subtasks first, then the answer. */
function plannerReply(
  messages: EngineGenerateRequest['messages'],
  known: ReadonlyMap<string, string>,
): string {
  if (messages.length > 2) {
    const asked = messages[1]?.content ?? ''
    return `FINAL ANSWER: ${known.get(asked.slice(asked.lastIndexOf('Task: ') + 'Task: '.length)) ?? 'unknown'}`
  }
  return JSON.stringify({
    plan: [
      { id: 1, description: 'Read the files that the task comes with.' },
      { id: 2, description: 'Work out the answer from what was read.' },
    ],
  })
}

/** The executor's part: one call of a tool per subtask, then a report. */
function executorReply(messages: EngineGenerateRequest['messages']): string {
  if (messages.length > 2)
    return JSON.stringify({ answer: 'Done; the figures are in the answer of the tool.' })
  const asked = messages[1]?.content ?? ''
  const file = /Files in the task's folder: (\S+)/.exec(asked)?.[1]
  return asked.includes('Your subtask: Read')
    ? JSON.stringify({ tool: 'read_document', arguments: { path: file ?? 'nothing.txt' } })
    : JSON.stringify({ tool: 'calculate', arguments: { expression: '0.17 * 2350 + sqrt(1764)' } })
}

function reply({ messages, seed = 0 }: EngineGenerateRequest, tasks: ReadonlyMap<string, string>): string {
  const rules = messages[0]?.content ?? ''
  if (rules.startsWith('You plan how')) return plannerReply(messages, tasks)
  if (rules.startsWith('You carry out one subtask')) return executorReply(messages)
  const asked = messages[1]?.content ?? ''
  // What the database answered is the answer.
  if (messages.length > 2) return `Action: Answer\nFinal Answer: ${messages.at(-1)?.content ?? ''}`
  const instruction = asked.slice(asked.lastIndexOf('\nTask: ') + '\nTask: '.length)
  const shown = asked.split('Action: Operation').length - 1
  const draw = createHash('sha256').update(`${seed}/${instruction}`).digest()[0] ?? 0
  const sql = draw / 256 < Math.min(0.9, 0.3 + 0.12 * shown) ? tasks.get(instruction) : undefined
  return sql === undefined
    ? 'Action: Answer\nFinal Answer: []'
    : `Action: Operation\n\`\`\`sql\n${sql}\n\`\`\``
}

const tokensOf = (text: string): number => Math.ceil(text.length / 4)

function generated(request: EngineGenerateRequest, known: ReadonlyMap<string, string>, contextSize: number) {
  const promptTokens = request.messages.reduce((sum, { content }) => sum + tokensOf(content), 0)
  if (promptTokens > contextSize) {
    throw new LoamError('CONTEXT_OVERFLOW', `The prompt has ${promptTokens} tokens.`, {
      suggestion: 'Recall fewer items.',
    })
  }
  const text = reply(request, known)
  const usage = {
    promptTokens,
    completionTokens: tokensOf(text),
    reusedTokens: 0,
    ms: Number(msPerReply),
  }
  return { text, usage, finish: 'end' as const, tokensPerSecond: 100 }
}

/** An engine process made of nothing but the script. */
function scriptedEngine(known: ReadonlyMap<string, string>): EnginePort {
  const events: ((event: EngineEvent) => void)[] = []
  const exits: ((reason: string) => void)[] = []
  const tell = (event: EngineEvent): void => {
    for (const listener of events) listener(event)
  }
  const exit = (reason: string): void => {
    for (const listener of exits) listener(reason)
  }
  let contextSize = TRAINED_CONTEXT
  const take = async (request: EngineRequest): Promise<void> => {
    switch (request.kind) {
      case 'load': {
        const { path } = request.options
        contextSize = request.options.contextSize ?? TRAINED_CONTEXT
        const fixed = {
          name: 'Scripted model',
          gpu: 'cpu',
          gpuLayers: 0,
          threads: { reading: 1, writing: 1 },
          gpuAbsence: null,
          layout: { own: true, name: 'its own chat template', why: null },
          templateCan: { tools: false, thinking: false },
        }
        return tell({
          kind: 'answer',
          id: request.id,
          value: { ...fixed, path, contextSize, reserve: 1 },
        })
      }
      case 'count-tokens':
        return tell({ kind: 'answer', id: request.id, value: request.texts.map(tokensOf) })
      case 'generate':
        await new Promise((resolve) => setTimeout(resolve, Number(msPerReply)))
        try {
          tell({ kind: 'answer', id: request.id, value: generated(request.request, known, contextSize) })
        } catch (error) {
          tell({ kind: 'error', id: request.id, error: toErrorShape(error) })
        }
        return
      case 'room':
        return tell({ kind: 'answer', id: request.id, value: true })
      case 'fit': {
        const { path, contextSize: wanted } = request.options
        const memory = { needed: 1e8, free: 1e10, total: 2e10 }
        return tell({
          kind: 'answer',
          id: request.id,
          value: {
            ...{ path, reserve: 1, trainContext: TRAINED_CONTEXT, contextSize: wanted ?? TRAINED_CONTEXT },
            ...{ weightsBytes: 5e7, cacheBytes: 4e7, computeBytes: 1e7, ram: memory, vram: null, fits: true },
          },
        })
      }
      case 'unload':
        return tell({ kind: 'answer', id: request.id, value: null })
      case 'shutdown':
        return exit('it ended with code 0')
      default:
        return
    }
  }
  queueMicrotask(() => tell({ kind: 'ready', pid: process.pid }))
  return {
    pid: undefined,
    send: (request) => void take(request),
    onEvent: (listener) => void events.push(listener),
    onExit: (listener) => void exits.push(listener),
    kill: () => exit('it was ended'),
  }
}

const own = findResources()
const models = `${dataPath}-models`
await mkdir(models, { recursive: true })
for (const name of ['registry.json', 'loam-encoder.bin', 'loam-telling.bin'])
  await copyFile(join(own.models, name), join(models, name))
await writeFile(
  join(models, 'loam-demo.gguf'),
  buildGguf({
    metadata: {
      'general.architecture': 'llama',
      'general.name': 'Scripted model',
      'llama.context_length': TRAINED_CONTEXT,
      'tokenizer.chat_template': '{{ messages }}',
      'loam.demo': true,
    },
    tensors: [{ name: 'token_embd.weight', shape: [1], type: 0 }],
  }),
)
const resources: Resources = { ...own, models }
const tasks = await readTasks(own.streams)
const { app, transports } = await serveApp({
  dataPath,
  host: 'headless',
  resources,
  spawnEngine: () => scriptedEngine(tasks),
})
const root = process.env['LOAM_UI_ROOT'] ?? join(import.meta.dirname, '..', '..', 'out', 'renderer')
const server = await startUiServer({ root, port: 0, serveSocket: transports.serveSocket })
process.stdout.write(`Loam is ready: ${server.mintUrl()}\n`)
process.once('SIGTERM', () => {
  void Promise.allSettled([server.close(), app.dispose(), rm(models, { recursive: true })]).then(() =>
    process.exit(0),
  )
})
