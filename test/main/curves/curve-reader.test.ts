import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createCurveReader, type CurveReader } from '../../../src/main/curves/curve-reader'
import { runCurveSchema } from '../../../src/shared/domain/curve'
import { openExperimentRig, type ExperimentRig } from '../experiments/rig'
import { fakeRecord } from '../runs/fakes'

let folder: string
let rig: ExperimentRig
let reader: CurveReader
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'loam-curves-'))
  rig = await openExperimentRig(folder, new Map())
  const streams = { load: () => Promise.reject(new Error('gone')) }
  reader = createCurveReader({ runs: rig.runs, experiments: rig.experiments, streams })
})
afterEach(async () => {
  await rig.close()
  await rm(folder, { recursive: true, force: true })
})

test('lists experiments and single runs, and gives every cell of an experiment', async () => {
  const { id } = await rig.drafts.start({
    stream: 'made-up',
    methods: ['none', { name: 'solved-only', method: 'case-bank', settings: {} }],
    seeds: [1, 2],
    exp: [1],
    protocol: { iterations: 2, retest: 2 },
  })
  await rig.experiments.settled(id)
  await rig.runs.start({ ...fakeRecord('alone', 6), createdAt: new Date(10_000).toISOString() })
  await rig.runs.ended('alone')

  const choices = reader.choices()
  expect(choices.runs.map((run) => run.id)).toEqual(['alone'])
  expect(choices.experiments).toMatchObject([{ id, cells: 4, seeds: 2, methods: ['none', 'solved-only'] }])

  const curves = await reader.series({ experimentIds: [id, 'gone'], runIds: ['alone', 'gone'] })
  for (const curve of curves) runCurveSchema.parse(curve)
  expect(curves.map(({ name, seed, exp }) => [name, seed, exp])).toEqual([
    ['none', 1, null],
    ['solved-only', 1, 1],
    ['none', 2, null],
    ['solved-only', 2, 1],
    ['case-bank', 1, 4],
  ])
  // Seeds of one method are one series; methods are not.
  expect(new Set(curves.map((curve) => curve.group)).size).toBe(3)
  const [none, , , , alone] = curves
  expect(none).toMatchObject({ total: 12, baseline: 'none', status: 'done', overflows: 0 })
  expect(none?.rewards).toHaveLength(12)
  expect(none?.tokens).toEqual(Array(12).fill(12))
  expect(none?.markers).toEqual([{ at: 6, kind: 'iteration', label: 'Iteration 2' }])
  expect(none?.figures.forgetting).not.toBeNull()
  expect(none?.settings).toContainEqual({ name: 'Iterations', value: '2' })
  // As the scripted attempts fall out.
  expect(alone).toMatchObject({ experimentId: null, rewards: '110011', follows: 0 })
})

test('a run in a memory that was used before says so, and what is another than before', async () => {
  const first = { ...fakeRecord('first', 4), createdAt: new Date(1000).toISOString() }
  const second = {
    ...first,
    id: 'second',
    modelName: 'another',
    hashes: { ...first.hashes, softPrompt: 'd'.repeat(64) },
    createdAt: new Date(2000).toISOString(),
  }
  for (const record of [first, second]) {
    await rig.runs.start(record)
    await rig.runs.ended(record.id)
  }
  const curves = await reader.series({ experimentIds: [], runIds: ['second', 'first'] })
  expect(curves[0]).toMatchObject({
    follows: 1,
    markers: [
      { at: 0, kind: 'model', label: 'Model: made-up model → another' },
      { at: 0, kind: 'consolidation', label: 'Consolidated into a soft prompt' },
    ],
  })
  expect(curves[1]).toMatchObject({ follows: 0, markers: [] })
  expect(curves[0]?.group).not.toBe(curves[1]?.group)
})
