import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { appPerTest } from '../app-in-temp'
import { longTest } from '../../torture'

const here = appPerTest('untrained')

/** A run in a memory whose folder for soft prompts cannot be made, because a file has its name. */
async function start(ptcOtherwise: 'pause' | 'go-on') {
  const memory = await here.app.memories.create('Training')
  const run = await here.app.runDrafts.start({
    stream: 'house-rules-a',
    method: 'evosc',
    memoryId: memory.id,
    tasks: 14,
    k: 0,
    maxTokens: 64,
    settings: { evosc: { ptc: true, ptcAfter: 4, ptcLength: 4, ptcSteps: 2, attempts: false, ptcOtherwise } },
  })
  const artifacts = join(here.app.memories.folder(memory.id), 'artifacts')
  const inTheWay = join(artifacts, 'soft-prompts')
  await mkdir(artifacts, { recursive: true })
  await writeFile(inTheWay, '')
  return { id: run.id, inTheWay }
}

longTest('a training that fails: the run goes on without, and says why', async () => {
  const { id } = await start('go-on')
  const run = await here.app.runs.settled(id)
  expect(run).toMatchObject({ status: 'done', done: 14, problem: null })
  expect(run.untrained).toHaveLength(1)
  expect(run.untrained?.[0]?.problem.cause).toContain('soft-prompts')
})

test('a training that fails: the run rests with the reason, and trains when it is resumed', async () => {
  const { id, inTheWay } = await start('pause')
  const run = await here.app.runs.settled(id)
  expect(run).toMatchObject({ status: 'paused' })
  expect(run.problem?.cause).toContain('soft-prompts')
  expect(run.done).toBeGreaterThanOrEqual(4)
  await rm(inTheWay)
  await here.app.runDrafts.resume(id)
  expect(await here.app.runs.settled(id)).toMatchObject({ status: 'done', done: 14, problem: null })
  expect((await readdir(inTheWay)).some((name) => name.endsWith('.gguf'))).toBe(true)
})
