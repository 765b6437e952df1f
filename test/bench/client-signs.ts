import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { createApp } from '../../src/main/app'
import { openAttemptFiles } from '../../src/main/share/proxy/attempt-files'
import type { OpenAttempt } from '../../src/main/share/proxy/open-attempts'
import { startProxy } from '../fixtures/proxy-agent'
import { startMadeUpModel } from './clients/made-up-model'
import { playSigns, SIGNS, type Place } from './clients/programs'
import { startWatch } from './clients/watch'

// Whether the gateway sees what people and programs do with an answer besides writing on: `npm run client-signs -- [NAME...]`. Real libraries before a
// made-up server; a script does what people would. Packages as of `npm run clients`.
const PACKAGES = resolve(process.env['LOAM_CLIENTS'] ?? 'test/bench/clients')
const LIBRARIES = ['openai', 'responses', 'ai', 'langchain', 'anthropic', 'genai']

/** The signs of an attempt: how it ended, what took its place, and what the rules read. */
const signsOf = ({ ending, replaced, ruled }: OpenAttempt): Set<string> =>
  new Set(
    [ending, replaced, ...(ruled?.evidence ?? []).map(({ kind }) => kind)].filter((one) => one !== null),
  )

async function attemptsIn(dataPath: string): Promise<OpenAttempt[]> {
  const folder = join(dataPath, 'proxy-attempts')
  const names = await readdir(folder)
  return (await Promise.all(names.map((name) => openAttemptFiles(join(folder, name)).list()))).flat()
}

async function measure(name: string, folder: string) {
  for (const part of ['home', 'project']) await mkdir(join(folder, part), { recursive: true })
  const server = await startMadeUpModel()
  const [dataPath, memory] = [join(folder, 'data'), join(folder, 'memory')]
  const app = await createApp({ dataPath: join(folder, 'own'), host: 'memory' })
  await app.memories.open(memory)
  await app.dispose()
  const proxy = await startProxy('--memory', memory, '--data', dataPath, '--upstream', server.url)
  const watch = await startWatch(new URL(proxy.baseUrl).origin)
  try {
    const own = { packages: PACKAGES, home: join(folder, 'home'), project: join(folder, 'project') }
    const place: Place = { ...own, dataPath, memory, url: watch.url, key: proxy.key }
    await playSigns(name, place)
    // With the end of the gateway the memory has them, without their signs.
    const attempts = await attemptsIn(dataPath)
    const beginning = (attempt: OpenAttempt): string => JSON.stringify([attempt.instruction, attempt.rounds])
    return Object.fromEntries(
      Object.entries(SIGNS).map(([sign, text]) => {
        const own = attempts.filter((attempt) => beginning(attempt).includes(text))
        // Written anew is a message further on, in the same dialog.
        const all =
          sign === 'branched' ? attempts.filter(({ instruction }) => instruction.includes('tonnage')) : own
        const signs = all.map((attempt) => [...signsOf(attempt)].join(' + ') || 'none')
        return [sign, { seen: all.some((attempt) => signsOf(attempt).has(sign)), attempts: signs }]
      }),
    )
  } finally {
    await Promise.allSettled([proxy.close(), watch.close(), server.close()])
  }
}

const names = process.argv.slice(2)
for (const name of LIBRARIES) {
  if (names.length > 0 && !names.includes(name)) continue
  const folder = await mkdtemp(join(tmpdir(), 'loam-signs-'))
  try {
    process.stdout.write(`${JSON.stringify({ library: name, ...(await measure(name, folder)) })}\n`)
  } catch (error) {
    process.exitCode = 1
    process.stdout.write(`${JSON.stringify({ library: name, problem: String(error) })}\n`)
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  }
}
