import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SqlEngine } from '../core/ports'
import type { Environment } from '../core/tasks/environment'
import { createLabDbEnvironment, LAB_DB } from '../core/tasks/lab-db/environment'
import { LoamError } from '../shared/errors'
import { createSqlJsEngine } from './adapters/environments/sqljs-engine'
import { withoutFrontMatter } from './prompts'

/** The environments tasks can act in, made at their first use. */
export interface Environments {
  /** @throws LoamError `TASK_STREAM` for an environment this Loam does not have */
  get(id: string): Promise<Environment>
  sqlEngine(): Promise<SqlEngine>
}

const readPrompt = async (folder: string, name: string): Promise<string> =>
  withoutFrontMatter(await readFile(join(folder, `${name}.md`), 'utf8'))

/** `prompts` is the folder of prompt templates. */
export function createEnvironments(prompts: string): Environments {
  let engine: Promise<SqlEngine> | null = null
  let labDb: Promise<Environment> | null = null
  const sqlEngine = (): Promise<SqlEngine> => (engine ??= createSqlJsEngine())
  return {
    sqlEngine,
    get(id) {
      if (id !== LAB_DB) {
        return Promise.reject(
          new LoamError('TASK_STREAM', `There is no environment "${id}".`, {
            suggestion: `This Loam has: ${LAB_DB}.`,
          }),
        )
      }
      return (labDb ??= (async () =>
        createLabDbEnvironment(await sqlEngine(), { systemPrompt: await readPrompt(prompts, LAB_DB) }))())
    },
  }
}
