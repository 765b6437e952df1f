import type { Environment } from '../../core/ground/environment'
import type { EnvironmentModule, World } from '../../core/ground/environment-module'
import { isQuestions, type QuestionEnvironment } from '../../core/ground/question-environment'
import { findEnvironment } from '../../core/tasks'
import { LoamError } from '../../shared/errors'
import type { SettingChanges } from '../../shared/domain/setting'
import { NOTHING_OUTSIDE } from './outside'
import { createWorld } from './world'

/** The environments tasks come from, made at their first use. */
export interface Environments {
  readonly world: World
  /**
   * With the settings of a run; default: its own.
   * @throws LoamError `TASK_STREAM` for an environment this Loam does not have
   */
  get(id: string, settings?: SettingChanges): Promise<Environment | QuestionEnvironment>
  /** One that is acted in round by round. @throws LoamError `TASK_STREAM` for questions as well */
  acting(id: string, settings?: SettingChanges): Promise<Environment>
}

/** `prompts` is the folder of prompt templates; `filesOf` the folder of the files of a stream's tasks. */
export function createEnvironments(
  prompts: string,
  filesOf: (stream: string) => string,
  outside = NOTHING_OUTSIDE,
): Environments {
  const world = createWorld(prompts, filesOf, outside)
  const handlePromiseMapMap = new WeakMap<
    EnvironmentModule,
    Map<string, Promise<Environment | QuestionEnvironment>>
  >()
  const get: Environments['get'] = async (id, settings = {}) => {
    const module = findEnvironment(id)
    const own =
      handlePromiseMapMap.get(module) ?? new Map<string, Promise<Environment | QuestionEnvironment>>()
    handlePromiseMapMap.set(module, own)
    const key = JSON.stringify(settings[module.settings.id] ?? {})
    const environment = own.get(key) ?? module.open(world, settings)
    own.set(key, environment)
    // A failure is not kept: what was missing may be there at the next try.
    environment.catch(() => own.delete(key))
    return environment
  }
  return {
    world,
    get,
    async acting(id, settings) {
      const environment = await get(id, settings)
      if (!isQuestions(environment)) return environment
      throw new LoamError('TASK_STREAM', 'Questions are worked on with tools, not acted in.', {
        suggestion: 'Choose a stream of another environment.',
      })
    },
  }
}
