import { readFile, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from 'vitest'
import { appPerTest } from '../app-in-temp'
import { isHeldOutTask } from '../../../src/core/soft-prompts/plan'
import { generateWorldStream } from '../../../src/core/tasks/house-rules/stream'
import { createRouter } from '../../../src/main/api/router'
import { createTransports } from '../../../src/main/api/transports'
import { furtherTables } from '../../../src/main/experiments/report-table'
import type { Contract } from '../../../src/shared/contract'
import { trialWords, softPromptSchema } from '../../../src/shared/domain/soft-prompt'
import { longTest } from '../../torture'

const here = appPerTest('tried')

/** A run that trains after 6 tasks and again after 2 more that were solved, a step each. */
async function play(ptcServe: 'if-better' | 'always') {
  const memory = await here.app.memories.create('Training')
  const evosc = { ptc: true, ptcAfter: 6, ptcEvery: 2, ptcLength: 4, ptcSteps: 1, ptcTeacher: 2, ptcServe }
  const { id } = await here.app.runDrafts.start({
    ...{ stream: 'house-rules-a', method: 'evosc', memoryId: memory.id, tasks: 12, k: 1, maxTokens: 64 },
    settings: { evosc },
  })
  const run = await here.app.runs.settled(id)
  const softPromptList = join(here.app.memories.folder(memory.id), 'artifacts', 'soft-prompts')
  const names = (await readdir(softPromptList)).filter((name) => /-t\d+\.json$/.test(name)).sort()
  const infos = await Promise.all(
    names.map(async (name) =>
      softPromptSchema.parse(JSON.parse(await readFile(join(softPromptList, name), 'utf8'))),
    ),
  )
  const bank = await here.app.memories.open(memory.id)
  const attempts = await Promise.all(
    run.rewards.map((_, index) => bank.trajectory(`${id}-t${String(index).padStart(4, '0')}`)),
  )
  return { run, infos, attempts: attempts.flatMap((attempt) => attempt ?? []) }
}

longTest(
  'a soft prompt that one step made is tried on held-out tasks, left on the shelf, and trained on',
  async () => {
    const { run, infos, attempts } = await play('if-better')
    expect(run).toMatchObject({ status: 'done', done: 12, problem: null })
    expect(infos.length).toBeGreaterThanOrEqual(2)
    expect(run.tried?.map(({ due }) => due)).toEqual(
      infos.map(({ adapter }) => Number(adapter.slice(-7, -5))),
    )
    const [first, second] = infos
    expect(first?.begunFrom).toBeUndefined()
    expect(second?.begunFrom).toBe(first?.adapter)
    const learned = new Set(infos.flatMap(({ trajectories }) => trajectories))
    for (const { trial } of infos) {
      expect(trial?.tasks.length).toBeGreaterThan(0)
      expect(trial?.served).toBe((trial?.ci95?.[0] ?? 0) > 0)
      for (const { index } of trial?.tasks ?? []) {
        const attempt = attempts[index]
        expect(attempt && isHeldOutTask(attempt.task, 0.3, 1)).toBe(true)
        expect(learned.has(attempt?.id ?? '')).toBe(false)
      }
    }
    const shelved = run.tried?.every(({ served }) => !served) ?? false
    expect(attempts.some(({ recalled }) => recalled.some(({ kind }) => kind === 'soft-prompt'))).toBe(
      !shelved,
    )
    expect(trialWords(run.tried?.[0] ?? ({} as never))).toMatch(/stays on the shelf|is served/)
  },
)

longTest('one that is served in any case is not tried', async () => {
  const { run, infos, attempts } = await play('always')
  expect(run.tried).toBeUndefined()
  expect(infos.every(({ trial }) => trial === undefined)).toBe(true)
  expect(attempts.at(-1)?.recalled[0]?.kind).toBe('soft-prompt')
})

longTest(
  'one with which held-out tasks are solved more often is served, the tasks after it gain by it, and the report says so',
  async () => {
    // A place with one table only: what has to be known of it is little, and is learned in some steps.
    const rows = generateWorldStream(733, 400).filter(({ table_info }) => table_info.name === 'courses')
    const stream = join(here.folder, 'courses.json')
    await writeFile(stream, rows.map((row) => JSON.stringify(row)).join('\n'))
    const evosc = {
      ...{ errorLessons: false, successLessons: false, ptc: true, ptcAfter: 28 },
      ...{ ptcHoldOut: 0.5, ptcSteps: 60, ptcLength: 16, ptcTeacher: 2 },
    }
    const { experiments } = createTransports<Contract>(createRouter(here.app)).client
    const { id } = await experiments.start({
      ...{ stream, methods: ['none', { name: 'PTC', method: 'evosc', settings: { evosc } }] },
      ...{ seeds: [1], exp: [0], tasks: 34, settings: { maxTokens: 128 } },
    })
    expect(await here.app.experiments.settled(id)).toMatchObject({ status: 'done' })
    const report = await experiments.report({ experimentId: id })
    const [none, ptc] = report.cells
    if (!none || !ptc) throw new Error('Two cells were asked for.')
    expect(none.tried).toBeUndefined()
    expect(ptc.tried).toMatchObject([{ due: 28, served: true }])
    expect(ptc.tried?.[0]?.ci95?.[0]).toBeGreaterThan(0)
    const said = furtherTables(report).find((table) => table[0]?.includes('soft prompt after'))
    expect(said?.[1]).toEqual(expect.arrayContaining(['PTC', '28', 'served']))
    const { runId } = ptc
    const served = await Promise.all(
      ptc.rewards.map(async (_, index) => {
        const { recalled } = await here.app.runs.trajectory(runId, index)
        return recalled.some(({ kind }) => kind === 'soft-prompt')
      }),
    )
    expect(served).toEqual(ptc.rewards.map((_, index) => index >= 28))
    const solvedAfter = (rewards: readonly number[]) =>
      rewards.slice(28).reduce((sum, reward) => sum + reward)
    expect(solvedAfter(ptc.rewards)).toBeGreaterThan(solvedAfter(none.rewards))
  },
  400_000,
)
