import { join } from 'node:path'
import type { Host } from '../host/host'
import { createEnvironments } from './environments'
import { outsideOf } from './outside'
import { createOwnTasks, type OwnTasksArea } from './own-tasks'
import { openStreamLibrary } from './stream-library'

/** Streams of tasks, and the environments the tasks are of. */
export type StreamsArea = ReturnType<typeof openStreams>

/** The streams that are bundled and those of the data folder. */
export function openStreams({ resources, data, settings, credentials }: Host) {
  const streams = openStreamLibrary(resources.streams, ownFolder(data))
  const outside = outsideOf(() => settings().network, credentials)
  const filesOf = (stream: string) => streams.filesOf(stream)
  return { streams, environments: createEnvironments(resources.prompts, filesOf, outside) }
}

const ownFolder = (data: Host['data']): string => join(data.path, 'streams')

/** People's own tasks, kept among the streams of the data folder. */
export const openOwnTasks = ({ data }: Host, { streams, environments }: StreamsArea): OwnTasksArea =>
  createOwnTasks(ownFolder(data), streams, environments.world)
