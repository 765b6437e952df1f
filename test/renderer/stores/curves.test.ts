import { beforeEach, expect, test, vi } from 'vitest'
import type { CurveChoices, CurveView } from '../../../src/shared/domain/curve'
import { settingsSchema } from '../../../src/shared/domain/memory-info'
import { createCurveSelectionStore, createCurvesStore } from '../../../src/renderer/stores/curves'
import { createSettingsStore } from '../../../src/renderer/stores/settings'
import { runCurve } from '../features/curves/fixtures'
import { partialClient } from '../fixtures'

const NOTHING: CurveChoices = { experiments: [], runs: [] }

function rig(saved: Partial<CurveView> = {}) {
  const answers = {
    curves: [runCurve({ rewards: '01', status: 'running' })],
    saves: [] as unknown[],
    asked: [] as unknown[],
  }
  const stored = settingsSchema.parse({ curves: saved })
  const client = partialClient({
    app: {
      settings: () => Promise.resolve(stored),
      saveSettings: (change: object) => {
        answers.saves.push(change)
        return Promise.resolve({ ...stored, ...change })
      },
    },
    curves: {
      choices: () => Promise.resolve(NOTHING),
      series: (input: object) => {
        answers.asked.push(input)
        return Promise.resolve(answers.curves.map((run) => ({ ...run })))
      },
    },
  })
  const settings = createSettingsStore(client)
  const selection = createCurveSelectionStore()
  return { answers, settings, selection, curves: createCurvesStore(client, selection, settings) }
}

beforeEach(() => {
  vi.useFakeTimers()
  return () => vi.useRealTimers()
})

test('controls and choice come back from the settings, and no refresh resets them', async () => {
  const { settings, selection, curves } = rig({ smoothing: 0.5, axis: 'tokens', runIds: ['r'] })
  await settings.getState().load()
  const stop = curves.getState().follow()
  expect(curves.getState().controls).toMatchObject({ smoothing: 0.5, axis: 'tokens' })
  expect(selection.getState().runIds).toEqual(['r'])
  curves.getState().change({ smoothing: 0.9 })
  curves.getState().zoomTo([1, 2])
  await vi.advanceTimersByTimeAsync(10_000)
  await settings.getState().load()
  expect(curves.getState().controls.smoothing).toBe(0.9)
  expect(curves.getState().zoom).toEqual([1, 2])
  stop()
})

test('what was changed before the settings arrived stays', async () => {
  const { settings, curves } = rig({ smoothing: 0.5 })
  const stop = curves.getState().follow()
  curves.getState().change({ smoothing: 0.7 })
  await settings.getState().load()
  expect(curves.getState().controls.smoothing).toBe(0.7)
  stop()
})

test('changes are saved once, a moment later, with the choice', async () => {
  const { answers, selection, curves } = rig()
  const stop = curves.getState().follow()
  curves.getState().change({ axis: 'time' })
  curves.getState().change({ points: false })
  selection.getState().select({ experimentIds: ['e'], runIds: [] })
  await vi.advanceTimersByTimeAsync(1000)
  expect(answers.saves).toMatchObject([{ curves: { axis: 'time', points: false, experimentIds: ['e'] } }])
  expect(answers.asked.at(-1)).toEqual({ experimentIds: ['e'], runIds: [] })
  stop()
})

test('what has not changed is not replaced, so nothing is computed again; what has is', async () => {
  const { answers, curves } = rig()
  const stop = curves.getState().follow()
  await vi.advanceTimersByTimeAsync(0)
  const before = curves.getState().curves
  expect(before).toHaveLength(1)
  await vi.advanceTimersByTimeAsync(2000)
  expect(answers.asked.length).toBeGreaterThan(1)
  expect(curves.getState().curves).toBe(before)
  answers.curves = [runCurve({ rewards: '011', status: 'done' })]
  await vi.advanceTimersByTimeAsync(2000)
  expect(curves.getState().curves[0]?.rewards).toBe('011')
  const asked = answers.asked.length
  await vi.advanceTimersByTimeAsync(10_000)
  // Nothing goes on any more, so nothing is asked.
  expect(answers.asked.length).toBe(asked)
  stop()
})

test('another axis shows all of it', () => {
  const { curves } = rig()
  curves.getState().zoomTo([3, 9])
  curves.getState().change({ smoothing: 0 })
  expect(curves.getState().zoom).toEqual([3, 9])
  curves.getState().change({ axis: 'tokens' })
  expect(curves.getState().zoom).toBeNull()
})
