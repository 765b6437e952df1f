import { fork, type ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { forgetfulModel, walkRng, WALK_STEPS, type MineState } from '../fixtures/memory-walk'
import { startModelServer } from '../fixtures/model-server'
import type { HostAnswer, HostOrder } from './my-memory-host'

// Teaches My memory an answer, lets runs, experiments, imports, deletions, restarts and kills happen in a random order, and asks for it again:
// `npm run my-memory [-- ROUNDS] [SEED]`. Says of how many rounds the answer was recalled and what My memory holds unchanged.

/** Beside what happens within a host: it is closed and opened anew, or killed while it works. */
const STEPS = [...WALK_STEPS, 'restart', 'restart', 'kill', 'kill'] as const
const MOST_STEPS = 3

const [rounds = 100, seed = 1] = process.argv.slice(2).map(Number)
const rng = walkRng(`my-memory/${seed}`)
const folder = await mkdtemp(join(tmpdir(), 'loam-my-memory-'))
const server = await startModelServer('forgetful', forgetfulModel)
const model = `openai:forgetful@${server.url}`
const launch = (): ChildProcess =>
  fork(join(import.meta.dirname, 'my-memory-host.ts'), { execArgv: ['--import', 'tsx'] })
let host = launch()

function order<T>(what: HostOrder): Promise<T> {
  return new Promise((done, failed) => {
    host.once('message', (answer: HostAnswer) => {
      if ('problem' in answer) failed(new Error(answer.problem))
      else done(answer.result as T)
    })
    host.send(what)
  })
}

async function start(): Promise<void> {
  await order({ do: 'open', dataPath: join(folder, 'data'), model })
}

async function end(how: 'close' | 'kill'): Promise<void> {
  const ended = new Promise((done) => host.once('exit', done))
  if (how === 'close') await order({ do: 'close' })
  host.kill('SIGKILL')
  await ended
  host = launch()
}

async function happen(): Promise<string> {
  const step = rng.pick(STEPS)
  if (step === 'restart' || step === 'kill') {
    // Killed while it works on something.
    const busy = rng.pick(WALK_STEPS.slice(0, 4))
    if (step === 'kill') await order({ do: 'walk', step: busy, seed: String(rng.next()), wait: false })
    await end(step === 'restart' ? 'close' : 'kill')
    await start()
    return step === 'kill' ? `kill during: ${busy}` : step
  }
  await order({ do: 'walk', step, seed: String(rng.next()), wait: true })
  return step
}

const codes: string[] = []
let recalled = 0
let unchanged = 0
let kept = 0
try {
  await start()
  const { id } = await order<MineState>({ do: 'state' })
  for (let n = 0; n < rounds; n++) {
    const code = String(100_000 + rng.int(900_000))
    codes.push(code)
    await order({ do: 'teach', n, code })
    const before = await order<MineState>({ do: 'state' })
    const steps: string[] = []
    for (let i = 1 + rng.int(MOST_STEPS); i > 0; i--) steps.push(await happen())
    const after = await order<MineState>({ do: 'state' })
    const { answer } = await order<{ answer: string | null }>({ do: 'ask', n })
    const isRecalled = answer?.includes(code) === true
    const isSame = after.hash === before.hash
    recalled += Number(isRecalled)
    unchanged += Number(isSame)
    kept += Number(after.id === id)
    if (!isRecalled || !isSame || after.id !== id || n % 10 === 9)
      process.stdout.write(
        `${n + 1}: ${isRecalled ? 'recalled' : `NOT recalled (${answer ?? 'no answer'})`}, ${isSame ? 'unchanged' : 'CHANGED'}, after ${steps.join(', ')}\n`,
      )
  }
  // In the end all of them, after one more restart.
  await end('close')
  await start()
  let atTheEnd = 0
  for (const [n, code] of codes.entries()) {
    const { answer } = await order<{ answer: string | null }>({ do: 'ask', n })
    atTheEnd += Number(answer?.includes(code) === true)
  }
  await end('close')
  process.stdout.write(
    `recalled ${recalled} of ${rounds}, My memory unchanged ${unchanged} of ${rounds}, the same memory ${kept} of ${rounds}, recalled at the end ${atTheEnd} of ${rounds} (seed ${seed})\n`,
  )
  process.exitCode = [recalled, unchanged, kept, atTheEnd].every((count) => count === rounds) ? 0 : 1
} finally {
  host.kill('SIGKILL')
  await server.close()
  await rm(folder, { recursive: true, force: true, maxRetries: 5 })
}
