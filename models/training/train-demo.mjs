/**
 * Retrains the bundled demo model from nothing: writes the training text with the app's own worlds, prompts and
 * environment, trains, and writes models/loam-demo.gguf. `npm run train:demo -- [--tokens 10e6] [--threads 1]
 * [--shards 6] [--resume] [--work DIR] [--out FILE]`. Needs Python 3 with torch and numpy.
 */
import { spawnSync } from 'node:child_process'
import { existsSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')
const { values } = parseArgs({
  options: {
    tokens: { type: 'string', default: '10e6' },
    threads: { type: 'string', default: '1' },
    shards: { type: 'string', default: '6' },
    samples: { type: 'string', default: '1500' },
    work: { type: 'string', default: join(here, 'work') },
    out: { type: 'string', default: join(here, '..', 'loam-demo.gguf') },
    resume: { type: 'boolean', default: false },
  },
})

function run(command, args) {
  const done = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, OPENBLAS_NUM_THREADS: '1', OMP_WAIT_POLICY: 'PASSIVE' },
  })
  if (done.status !== 0) process.exit(done.status ?? 1)
}

const python = ['python3', '/usr/bin/python3', 'python'].find(
  (candidate) => spawnSync(candidate, ['-c', 'import torch, numpy']).status === 0,
)
if (!python) {
  console.error(
    'Training needs Python 3 with torch and numpy (on Debian: apt install python3-torch python3-numpy).',
  )
  process.exit(1)
}
if (!values.resume) {
  if (existsSync(values.work)) rmSync(values.work, { recursive: true })
  run(process.execPath, [
    ...['--import', 'tsx', join(here, 'generate.ts')],
    ...['--out', values.work, '--samples', values.samples, '--shards', values.shards],
  ])
}
run(python, [
  ...[join(here, 'train.py'), '--work', values.work, '--tokens', values.tokens, '--threads', values.threads],
  ...(values.resume ? ['--resume'] : []),
])
run(python, [join(here, 'gguf.py'), '--work', values.work, '--out', values.out])
