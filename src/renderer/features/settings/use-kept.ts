import { useStore } from 'zustand'
import type { Kept } from '../../../shared/domain/storage'
import { formatWhen, plural } from '../../components/format'
import { useOwnRuns } from '../../ground/own-runs'
import { runTitle } from '../../ground/run-title'
import { nameOfMemory } from '../../stores/memories'
import { useServices } from '../../stores/use-services'

/** A memory, run or experiment in a list. */
export interface KeptRow {
  readonly id: string
  /** What it is called on screen. */
  readonly name: string
  /** The name that can be changed; empty where it has none of its own. */
  readonly ownName: string
  /** Whether it may go without a name of its own. */
  readonly mayBeEmpty: boolean
  /** Whether it can be thrown away: My memory cannot. */
  readonly canGo: boolean
  readonly detail: string
}

/** Every memory, run or experiment, newest first; runs that are cells of an experiment have their place in it. */
export function useKept(what: Kept['what']): readonly KeptRow[] {
  const { memories, experiments, methods, streams } = useServices()
  const memoryList = useStore(memories, (state) => state.memories)
  const runList = useOwnRuns()
  const heads = useStore(experiments, (state) => state.heads)
  const methodList = useStore(methods, (state) => state.data)
  const streamList = useStore(streams, (state) => state.data)
  switch (what) {
    case 'memory':
      return memoryList.map(({ id, name, role, cases, createdAt }) => ({
        id,
        name: nameOfMemory({ name, role }),
        ownName: name,
        mayBeEmpty: false,
        canGo: role !== 'mine',
        detail: `${plural(cases, 'case')}, ${formatWhen(createdAt)}`,
      }))
    case 'run':
      return runList.map((run) => ({
        id: run.id,
        name: runTitle(run, methodList, streamList),
        ownName: run.name ?? '',
        mayBeEmpty: true,
        canGo: true,
        detail: `seed ${run.config.seed}, ${plural(run.done, 'task')}, ${formatWhen(run.createdAt)}`,
      }))
    case 'experiment':
      return heads.map(({ id, name, createdAt }) => ({
        id,
        name,
        ownName: name,
        mayBeEmpty: false,
        canGo: true,
        detail: formatWhen(createdAt),
      }))
  }
}
