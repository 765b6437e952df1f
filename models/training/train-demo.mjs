/**
 * Retrains the bundled demo model from nothing: writes the training text with the app's own worlds, prompts and
 * environment, trains, and writes models/loam-demo.gguf. `npm run train:demo -- [--tokens 12e6] [--threads 1]
 * [--resume] [--work DIR] [--out FILE]`. Needs Python 3 with torch and numpy.
 */
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const here = dirname(fileURLToPath(import.meta.url))
const root = join(here, '..', '..')
const { values } = parseArgs({
  options: {
    tokens: { type: 'string', default: '12e6' },
    threads: { type: 'string', default: '1' },
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
const generate = (...more) =>
  run(process.execPath, ['--import', 'tsx', join(here, 'generate.ts'), '--out', values.work, ...more])
const train = (...more) =>
  run(python, [join(here, 'train.py'), '--work', values.work, '--threads', values.threads, ...more])

if (!values.resume) {
  if (existsSync(values.work)) rmSync(values.work, { recursive: true })
  generate('--short', '--samples', '600', '--shards', '2')
  generate('--samples', '1500', '--shards', '2')
  // Writing is learned once acting is under way.
  generate('--samples', '1500', '--shard', '2', '--shards', '3', '--writing', '0.5')
}
train('--tokens', values.tokens, ...(values.resume ? ['--resume'] : []))
run(python, [join(here, 'gguf.py'), '--work', values.work, '--out', values.out])

const bundled = join(here, '..', 'loam-demo.gguf')
if (values.out === bundled) {
  const path = join(here, '..', 'registry.json')
  const registry = JSON.parse(readFileSync(path, 'utf8'))
  const bytes = readFileSync(bundled)
  const entry = {
    id: 'loam-demo',
    name: 'Loam demo',
    description:
      'A tiny demo model that knows house-rules tasks, workplaces at level 0 and nothing else. Trained by the recipe in models/training.',
    source: null,
    file: 'loam-demo.gguf',
    sizeBytes: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    license: 'Apache-2.0',
    bundled: true,
    demo: true,
  }
  registry.models = [entry, ...registry.models.filter((model) => model.id !== entry.id)]
  writeFileSync(path, `${JSON.stringify(registry, null, 2)}\n`)
}
