import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createApp } from '../../src/main/app'
import { createAgentMemory } from '../../src/main/share/agent-memory'
import type { ProxiedRequest } from '../../src/main/share/proxy/request'
import { startProxy } from '../fixtures/proxy-agent'
import { startMadeUpModel } from './clients/made-up-model'
import { HORN, playLibrary, playProgram, PROGRAMS, TEXTS, type Place } from './clients/programs'
import { differences, startWatch } from './clients/watch'

// Real clients before the gateway, each from an empty memory: what passed, what was recalled, kept and learned. `npm run clients -- [NAME...]`.
// Their packages are no dependency of Loam's: npm install --prefix test/bench/clients, or LOAM_CLIENTS names the folder where they are.
const PACKAGES = resolve(process.env['LOAM_CLIENTS'] ?? 'test/bench/clients')
const CLIENTS: Readonly<Record<string, string>> = {
  ...{ openai: 'openai', ai: 'ai', langchain: 'langchain', langgraph: '@langchain/langgraph' },
  ...{ agents: '@openai/agents', anthropic: '@anthropic-ai/sdk', genai: '@google/genai' },
  ...{ opencode: 'opencode-ai', codex: '@openai/codex', 'claude-code': '@anthropic-ai/claude-code' },
  ...{ 'gemini-cli': '@google/gemini-cli', cline: 'cline', continue: '@continuedev/cli' },
}

async function versionOf(name: string): Promise<string | null> {
  const path = join(PACKAGES, 'node_modules', name, 'package.json')
  return existsSync(path) ? (JSON.parse(await readFile(path, 'utf8')) as { version: string }).version : null
}

const FACT = 'Bollard 7 is out of order.'

/** What earlier tasks did with a tool that `HORN` is about: one of its options is refused. */
const HORN_TASKS = [
  ...['north', 'south', 'east'].map((pier) => ({
    action: `foghorn ${pier}`,
    observation: 'sounded',
    failed: false,
  })),
  ...['north', 'south', 'east'].map((pier) => ({
    action: `foghorn --loud ${pier}`,
    ...{ observation: 'foghorn: this option is refused at night', failed: true },
  })),
].map((one) => ({
  ...{ task: `Sound the fog horn: ${one.action}`, outcome: 'unknown' as const, plan: '', advice: '' },
  ...{ domain: 'general', steps: [{ ...one, tool: 'Bash', reason: '' }] },
}))

/** What tools answered, of a request. */
const resultsIn = (body: string): string =>
  (body.match(/"(?:tool_result|role":"tool|function_call_output|functionResponse)"[^}]{1,4000}/g) ?? []).join(
    '\n',
  )

/** What a memory holds after it. */
async function memoryAfter(folder: string, memory: string) {
  const app = await createApp({ dataPath: join(folder, 'own'), host: 'memory' })
  try {
    const opened = await app.memories.open(memory)
    const attempts = []
    for await (const attempt of opened.trajectories()) attempts.push(attempt)
    const writes = await createAgentMemory(opened, app, { write: true }).writes()
    return { attempts, lessons: writes.filter(({ drawnFrom }) => drawnFrom !== undefined) }
  } finally {
    await app.dispose()
  }
}

async function measure(name: string, folder: string) {
  const memory = join(folder, 'memory')
  for (const part of ['home', 'project']) await mkdir(join(folder, part), { recursive: true })
  const app = await createApp({ dataPath: join(folder, 'own'), host: 'memory' })
  const facts = createAgentMemory(await app.memories.open(memory), app, { write: true })
  await facts.remember({ statement: FACT }, 'bench')
  for (const attempt of HORN_TASKS) await facts.record(attempt, 'bench')
  await app.dispose()
  const server = await startMadeUpModel()
  const dataPath = join(folder, 'data')
  const proxy = await startProxy('--memory', memory, '--data', dataPath, '--upstream', server.url)
  const watch = await startWatch(new URL(proxy.baseUrl).origin)
  try {
    const about = {
      packages: PACKAGES,
      home: join(folder, 'home'),
      project: join(folder, 'project'),
      dataPath,
      memory,
    }
    const place: Place = { ...about, url: watch.url, key: proxy.key }
    const played = await (name in PROGRAMS ? playProgram(name, place) : playLibrary(name, place))
    const log = await fetch(`${proxy.baseUrl}/loam/requests`, { headers: { 'x-loam-key': proxy.key } })
    const { requests } = (await log.json()) as { requests: ProxiedRequest[] }
    await proxy.close()
    const { attempts, lessons } = await memoryAfter(folder, memory)
    const odd = [...watch.exchanges].flatMap(([number, here]) => {
      const parts = differences(here, server.exchanges.get(number))
      return parts.length === 0 ? [] : [{ number, path: here.path, parts }]
    })
    if (process.env['LOAM_CLIENTS_DUMP'])
      process.stdout.write(`${JSON.stringify([[...watch.exchanges], [...server.exchanges]])}\n`)
    const texts: readonly string[] = [...Object.values(TEXTS), HORN]
    const bodies = [...server.exchanges.values()].map(({ body }) => body)
    const marks = (body = ''): number => body.split('<memory from=').length
    const isMarked = [...server.exchanges].filter(
      ([number, { body }]) => marks(body) > marks(watch.exchanges.get(number)?.body),
    ).length
    return {
      ...{ requests: watch.exchanges.size, alike: watch.exchanges.size - odd.length, odd },
      paths: [
        ...new Set(
          [...watch.exchanges.values()].map(({ method, path }) => `${method} ${path.split('?')[0]}`),
        ),
      ],
      aside: requests.filter(({ attempt }) => attempt.startsWith('side-')).length,
      withMemory: isMarked,
      ...{
        attempts: attempts.length,
        ofThePersons: attempts.filter(({ task }) => texts.includes(textOf(task.instruction))).length,
      },
      others: attempts.map(({ task }) => task.instruction).filter((text) => !texts.includes(textOf(text))),
      failed: attempts
        .filter(({ ungraded, reward }) => ungraded === undefined && reward === 0)
        .map(({ task }) => task.instruction),
      lessons: lessons.map(({ what }) => what),
      // Told by a hook at the start of a session, and by the memory server's list.
      hooked: bodies.filter((body) => /SessionStart hook.{0,400}Bollard 7/s.test(body)).length,
      // Told before a call of the horn, and after it failed.
      held: bodies.filter((body) => body.includes('Not done yet. From earlier tasks')).length,
      toldAfter: bodies.filter((body) => body.includes('earlier work that met something like this')).length,
      listed: bodies.filter((body) => /Bollard 7/.test(resultsIn(body))).length,
      ...played,
    }
  } finally {
    await Promise.allSettled([proxy.close(), watch.close(), server.close()])
  }
}

/** opencode puts what it is given on the command line in quotes. */
const textOf = (instruction: string): string => instruction.replace(/^"|"$/g, '')

const names = process.argv.slice(2)
for (const [name, pack] of Object.entries(CLIENTS)) {
  if (names.length > 0 && !names.includes(name)) continue
  const version = await versionOf(pack)
  if (version === null) {
    process.stdout.write(`${JSON.stringify({ client: name, absent: `${pack} is not in ${PACKAGES}` })}\n`)
    continue
  }
  const folder = await mkdtemp(join(tmpdir(), 'loam-clients-'))
  try {
    process.stdout.write(`${JSON.stringify({ client: name, version, ...(await measure(name, folder)) })}\n`)
  } catch (error) {
    process.exitCode = 1
    process.stdout.write(`${JSON.stringify({ client: name, version, problem: String(error) })}\n`)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
