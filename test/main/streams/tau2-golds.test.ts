import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { toolUse } from '../../../src/core/tasks/tool-use'
import { findResources } from '../../../src/main/ground/resources'
import { createEnvironments } from '../../../src/main/streams/environments'
import { TORTURE } from '../../torture'
import { openStreamLibrary } from '../../../src/main/streams/stream-library'

const folder = resolve(import.meta.dirname, '../../../../shared/data/real/tau2')

describe.skipIf(!existsSync(folder))(
  'tau2-bench as published (skipped when ../shared/data is absent)',
  () => {
    it.each([
      ['retail', 57, []],
      ['airline', 25, []],
      ['telecom', 57, []],
      // What these two assert is brought about by nobody's listed action.
      ['mock', 10, ['update_task_with_history_and_env_assertions', 'update_task_with_user_tools']],
    ] as const)(
      'every gold conduct of %s passes all that can be checked',
      async (domain, count, incomplete) => {
        const resources = findResources()
        const streams = openStreamLibrary(resources.streams, resources.streams)
        const { world } = createEnvironments(resources.prompts, (stream) => streams.filesOf(stream))
        const { tasks, info } = await streams.load(join(folder, domain, 'tasks.json'))
        expect(info.reading.left).toEqual([])
        const verify = await toolUse.verifier(world)
        const verdicts = []
        expect(tasks).toHaveLength(count)
        // With `npm run torture` all of them.
        const some = tasks.filter((_, index) => TORTURE || domain === 'mock' || index % 8 === 0)
        for (const task of some) verdicts.push({ id: task.id, ...(await verify(task)) })
        expect(verdicts.flatMap(({ id, kind }) => (kind === 'agrees' ? [] : [id]))).toEqual(incomplete)
        expect(verdicts.length).toBeGreaterThan(count / 9)
      },
    )
  },
)
