import { LoamError } from '../../shared/errors'
import type { EnvironmentModule } from '../ground/environment-module'
import { moduleList } from '../ground/module-list'
import { code } from './code'
import { labDb } from './lab-db'
import { labKg } from './lab-kg'
import { labOs } from './lab-os'
import { questions } from './qa'
import { spreadsheet } from './spreadsheet'
import { toolUse } from './tool-use'
import { workplace } from './workplace'

/** Every environment, in the order people should meet them. */
export const ENVIRONMENTS = moduleList<EnvironmentModule>([
  labDb,
  labOs,
  labKg,
  questions,
  toolUse,
  spreadsheet,
  code,
  workplace,
])

/** @throws LoamError `TASK_STREAM` naming the known ones for an environment this Loam does not have */
export function findEnvironment(id: string): EnvironmentModule {
  const foundModule = ENVIRONMENTS.find((module) => module.id === id)
  if (foundModule) return foundModule
  throw new LoamError('TASK_STREAM', `There is no environment "${id}".`, {
    suggestion: `This Loam has: ${ENVIRONMENTS.map((module) => module.id).join(', ')}.`,
  })
}

/** The field of work that what an environment teaches is filed under; its own name for one that is not known. */
export const domainOf = (environment: string): string =>
  ENVIRONMENTS.find(({ id }) => id === environment)?.words.domain ?? environment

/** The environment whose tasks planner and executor answer; what Memento's own files are about. */
export const QUESTION_ENVIRONMENT: string = questions.id

/** Whether somebody talks with the agent while it works, so that there are turns of a user; false for an environment that is not known. */
export const playsUser = (id: string): boolean =>
  ENVIRONMENTS.some((module) => module.id === id && module.playsUser === true)
