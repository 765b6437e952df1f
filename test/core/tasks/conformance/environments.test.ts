import { beforeAll, describe, expect, it } from 'vitest'
import { ENVIRONMENTS, findEnvironment } from '../../../../src/core/tasks'
import { findResources } from '../../../../src/main/ground/resources'
import { environmentChecks } from '../../../../src/main/conform/environment-checks'
import { loadPrompts, type LoadedPrompts } from '../../../../src/main/ground/prompts'
import { createEnvironments, type Environments } from '../../../../src/main/streams/environments'
import { openStreamLibrary, type StreamLibrary } from '../../../../src/main/streams/stream-library'
import { TORTURE } from '../../../torture'

const resources = findResources()
/** What starts Node and Python anew for each of its solutions, seconds each: every third is tried here, all by `npm run torture`. */
const SLOW = 'small-repairs'
let streams: Pick<StreamLibrary, 'load'>
let environments: Environments
let prompts: LoadedPrompts
beforeAll(async () => {
  const library = openStreamLibrary(resources.streams, resources.streams)
  streams = {
    load: async (id) => {
      const stream = await library.load(id)
      return TORTURE || id !== SLOW
        ? stream
        : { ...stream, tasks: stream.tasks.filter((_, i) => i % 3 === 0) }
    },
  }
  environments = createEnvironments(resources.prompts, (stream) => library.filesOf(stream))
  prompts = await loadPrompts(resources.prompts)
})

describe('the list of environments', () => {
  it('has each id and colour once, and words for a person', () => {
    const once = (values: readonly unknown[]) => expect(new Set(values).size).toBe(values.length)
    once(ENVIRONMENTS.map(({ id }) => id))
    once(ENVIRONMENTS.map(({ colour }) => colour))
    once(ENVIRONMENTS.map(({ words }) => words.title))
    once(ENVIRONMENTS.map(({ settings }) => settings.id))
  })

  it('names itself when something is asked for that is not in it', () => {
    expect(() => findEnvironment('gardening')).toThrow(/no environment "gardening"/)
  })
})

describe.each(ENVIRONMENTS.map((module) => [module.id, module] as const))('environment %s', (_id, module) => {
  for (const { name, run } of environmentChecks(module, () => ({ streams, environments, prompts })))
    it(name, run)
})
