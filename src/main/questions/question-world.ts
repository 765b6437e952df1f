import { copyFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { AttemptTools, QuestionWorld } from '../../core/agent/question-attempt'
import type { AskPermission } from '../../core/agent/tool-permission'
import type { ToolBox } from '../../core/ground/tools'
import { readSettings } from '../../core/ground/settings'
import { AGENT } from '../../core/agent/settings'
import type { QuestionEnvironment } from '../../core/ground/question-environment'
import { questionOf } from '../../core/tasks/qa/environment'
import type { SettingChanges } from '../../shared/domain/setting'
import type { Task } from '../../shared/domain/task'
import { rm } from '../ground/steady-files'

/** Tools over one folder, until they are closed. */
export interface OpenedTools extends ToolBox {
  close(): Promise<void>
}

export interface ToolsRequest {
  /** What asks, as the person reads it. */
  readonly from: string
  readonly folder: string
  /** Tools that need no asking: names of tools or servers, or all. */
  readonly allowed: readonly string[] | 'all'
  readonly ask: AskPermission
}

export interface QuestionWorldDeps {
  /** Where task folders are made; each lives as long as its attempt. */
  readonly taskFolders: string
  openTools(request: ToolsRequest): Promise<OpenedTools>
  /** How a person is asked. */
  askerFor(from: string): AskPermission
}

/** Answers "always for this run" for all attempts of the run, though each has tools of its own. */
export function rememberingAsker(ask: AskPermission): AskPermission {
  const granted = new Set<string>()
  return async (request, signal) => {
    const key = `${request.tool.server}.${request.tool.name}`
    const isAnew = request.read.length > 0
    if (!isAnew && granted.has(key)) return 'run'
    const answer = await ask(request, signal)
    if (answer === 'run' && !isAnew) granted.add(key)
    return answer
  }
}

/** Tools that need no asking, as the settings of planner and executor say. */
export const allowedTools = (settings: SettingChanges): readonly string[] | 'all' => {
  const names = readSettings(AGENT, settings)
    .allowed.split(',')
    .map((name) => name.trim())
  return names.includes('all') ? 'all' : names
}

export interface WorldInput {
  readonly environment: QuestionEnvironment
  /** What the run is called when it asks to use a tool. */
  readonly title: string
  readonly settings: SettingChanges
  /** Folder of the tasks' files. */
  readonly files: string
  /** Whom planner, executor and judge ask. */
  readonly models: Pick<QuestionWorld['ports'], 'planner' | 'executor' | 'judge'>
}

/** The question environment made ready for one run: with its models, and where its tools come from. */
export function openQuestionWorld(input: WorldInput, deps: QuestionWorldDeps): QuestionWorld {
  const { environment, settings, models } = input
  const ask = rememberingAsker(deps.askerFor(input.title))
  const allowed = allowedTools(settings)
  return {
    ...environment,
    ports: {
      ...models,
      openTools: (task, attemptId) =>
        openTaskFolder(task, input.files, join(deps.taskFolders, attemptId), (folder) =>
          deps.openTools({ from: input.title, folder, allowed, ask }),
        ),
    },
  }
}

/** A fresh folder with the task's files, and tools over it. */
async function openTaskFolder(
  task: Task,
  files: string,
  folder: string,
  openTools: (folder: string) => Promise<OpenedTools>,
): Promise<AttemptTools> {
  const { attachments } = questionOf(task)
  const remove = () => rm(folder, { recursive: true, force: true })
  // What an attempt that was cut short left behind must not help the next.
  await remove()
  await mkdir(folder, { recursive: true })
  try {
    for (const { name } of attachments) await copyFile(join(files, name), join(folder, name))
    const box = await openTools(folder)
    return {
      box,
      files: attachments.map(({ name }) => name),
      async close() {
        await box.close()
        await remove()
      },
    }
  } catch (error) {
    await remove()
    throw error
  }
}
