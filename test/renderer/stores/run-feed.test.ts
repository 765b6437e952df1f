import { describe, expect, it } from 'vitest'
import { applyRunDeltas, type RunView } from '../../../src/renderer/stores/run-feed'
import { liveTask, round, runInfo, trajectory } from '../fixtures'

const start: RunView = { run: runInfo(), live: null, last: null }

describe('applyRunDeltas', () => {
  it('gathers tokens until the round is complete', () => {
    const writing = applyRunDeltas(start, [
      { kind: 'task-started', live: liveTask() },
      { kind: 'token', text: 'Action' },
      { kind: 'token', text: ': Answer' },
    ])
    expect(writing.live?.streaming).toBe('Action: Answer')
    const done = applyRunDeltas(writing, [{ kind: 'round', round: round(0) }])
    expect(done.live?.streaming).toBe('')
    expect(done.live?.rounds).toHaveLength(1)
  })

  it('puts a finished task on the curve and keeps its story', () => {
    const view = applyRunDeltas(start, [
      { kind: 'task-started', live: liveTask() },
      { kind: 'task-finished', trajectory: trajectory(0, 1) },
    ])
    expect(view.run).toMatchObject({ rewards: [1], done: 1, solved: 1 })
    expect(view.live).toBeNull()
    expect(view.last?.id).toBe('trajectory-0')
  })

  it('does not count a task twice that a run delta already brought', () => {
    const view = applyRunDeltas(start, [
      { kind: 'run', run: runInfo({ done: 1, solved: 1 }), rewards: { from: 0, added: [1] } },
      { kind: 'task-finished', trajectory: trajectory(0, 1) },
    ])
    expect(view.run).toMatchObject({ rewards: [1], done: 1, solved: 1 })
  })

  it('takes what the curve has gained, also where it was told of some of it before', () => {
    const known: RunView = { ...start, run: runInfo({ rewards: [1, 0], done: 2, solved: 1 }) }
    const run = runInfo({ done: 4, solved: 2 })
    const after = applyRunDeltas(known, [{ kind: 'run', run, rewards: { from: 1, added: [0, 1, 0] } }])
    expect(after.run.rewards).toEqual([1, 0, 1, 0])
    const same = applyRunDeltas(after, [{ kind: 'run', run, rewards: { from: 4, added: [] } }])
    expect(same.run.rewards).toBe(after.run.rewards)
  })

  it('shows no task under way once the run has stopped', () => {
    const view = applyRunDeltas(start, [
      { kind: 'task-started', live: liveTask() },
      { kind: 'run', run: runInfo({ status: 'failed' }), rewards: { from: 0, added: [] } },
    ])
    expect(view.live).toBeNull()
  })

  it('ignores tokens while no task is going', () => {
    expect(applyRunDeltas(start, [{ kind: 'token', text: 'x' }])).toEqual(start)
  })
})
