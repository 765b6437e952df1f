import { spawn, spawnSync } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LOAM_CLI } from '../main/cli/loam-process'
import { TORTURE } from '../torture'

// What Loam does, each as a program of its own in a network that holds nothing but 127.0.0.1, under strace: no program may so much as try to reach another machine, native code included.

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-no-connection-'))
})
afterEach(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }))

/** The host that serves the window to a browser. */
const HOST = resolve('out/main/headless.js')
const MODEL = ['--model', 'models/loam-demo.gguf']
const IN_LAB = ['--memory', 'lab']

/** What is done, in order: its name, and what `loam` is told. */
const works = (out: string): readonly (readonly [string, ...string[]])[] => [
  ['make a memory', 'memories', 'new', 'lab'],
  ['run', 'run', '--stream', 'house-rules-a', '--tasks', '12', '--method', 'case-bank', ...IN_LAB, ...MODEL],
  [
    'consolidate',
    ...['soft-prompts', 'train', '--stream', 'house-rules-a', '--teacher', '2', '--student', '1'],
    ...['--length', '4', '--attempts', '2', '--steps', '1', ...IN_LAB, ...MODEL],
  ],
  ['ask', 'ask', 'What is the capital of France?', ...MODEL],
  [
    'experiment',
    'experiment',
    '--stream',
    'house-rules-a',
    '--methods',
    'none,loam',
    '--tasks',
    '2',
    ...MODEL,
  ],
  ['export', 'export', ...IN_LAB, '--format', 'bundle', '--out', join(out, 'lab.loam')],
  ['import', 'import', join(out, 'lab.loam')],
  ['add a fact', 'memory', 'add', 'fact', '--set', 'statement=The well is at the mill.'],
  ['search', 'memory', 'search', 'where is the well'],
  ['check', 'doctor'],
]

/** Tried to reach something that is not this machine. */
const strays = (trace: string): string[] =>
  trace.split('\n').filter((line) => /AF_INET6?/.test(line) && !/127\.0\.0\.1|"::1"|::ffff:127\./.test(line))

const quoted = (words: readonly string[]): string =>
  words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(' ')

/** Runs a program in an empty network under strace; null as code where it was ended by the signal. */
async function watched(
  name: string,
  words: readonly string[],
  until?: RegExp,
): Promise<{ readonly code: number | null; readonly said: string; readonly strays: readonly string[] }> {
  const trace = join(folder, `${name.replaceAll(' ', '-')}.trace`)
  const strace = ['strace', '-f', '--seccomp-bpf', '-qq', '-e', 'trace=connect,sendto,sendmsg,sendmmsg']
  const line = `ip link set lo up && exec ${quoted([...strace, '-o', trace, process.execPath, ...words])}`
  const child = spawn('unshare', ['--map-root-user', '--net', 'sh', '-c', line], {
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let said = ''
  const hear = (chunk: Buffer): void => {
    said += String(chunk)
    // strace itself does not hear it while it follows a program.
    if (until?.test(said) === true && child.pid !== undefined) process.kill(-child.pid, 'SIGINT')
  }
  child.stdout.on('data', hear)
  child.stderr.on('data', hear)
  const code = await new Promise<number | null>((done) => child.on('close', done))
  return { code, said, strays: strays(await readFile(trace, 'utf8')) }
}

const isWatchable =
  process.platform === 'linux' &&
  spawnSync('strace', ['-V']).status === 0 &&
  spawnSync('unshare', ['--map-root-user', '--net', 'ip', 'link', 'set', 'lo', 'up']).status === 0

test.runIf(TORTURE && isWatchable)(
  'reaches for no other machine, whatever it works on',
  { timeout: 1_200_000 },
  async () => {
    const probe = join(folder, 'probe.mjs')
    await writeFile(
      probe,
      "import net from 'node:net'\nnet.connect(443, '192.0.2.1').on('error', () => {})\n",
    )
    // The trace sees one that does.
    expect((await watched('control', [probe])).strays).toHaveLength(1)

    const data = ['--data', join(folder, 'data')]
    for (const [name, ...words] of works(folder)) {
      const { code, said, strays } = await watched(name, [...LOAM_CLI, ...words, ...data])
      expect([name, code, strays], said).toEqual([name, 0, []])
    }
    const ready = /127\.0\.0\.1:\d+/
    for (const [name, ...words] of [
      ['serve the window', HOST, '--no-open', '--port', '0'],
      ['serve experiences', ...LOAM_CLI, 'kb', 'serve', '--port', '0', ...IN_LAB],
      ['serve a memory', ...LOAM_CLI, 'mcp', 'memory', '--port', '0'],
      ['proxy', ...LOAM_CLI, 'proxy', '--port', '0', ...MODEL],
    ] as const) {
      const { said, strays } = await watched(name, [...words, ...data], ready)
      expect(said, name).toMatch(ready)
      expect([name, strays]).toEqual([name, []])
    }
  },
)
