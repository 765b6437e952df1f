import { z, ZodError } from 'zod'
import { ROLE_NAMES, ROLES } from '../../core/agent/roles'
import { AGENT } from '../../core/agent/settings'
import { mergeChanges } from '../../core/ground/settings'
import { checkRunSettings, parseRunSetting } from '../../core/lab/setting-groups'
import { settingChangesSchema, type SettingChanges } from '../../shared/domain/setting'
import { modelOf, UsageError, type Arguments } from './arguments'

/** `--settings`: settings as JSON. @throws UsageError, LoamError `BAD_INPUT` */
function readJson(text: string): SettingChanges {
  try {
    return settingChangesSchema.parse(JSON.parse(text))
  } catch (error) {
    const why = error instanceof ZodError ? z.prettifyError(error) : (error as Error).message
    throw new UsageError(
      `--settings cannot be used: ${why}`,
      'For example: --settings \'{"agent":{"maxCycles":2}}\'',
    )
  }
}

/** What `--settings`, `--set` and `--allow-tools` change; a later one wins. */
export function readChanges({ text, many, list }: Arguments): SettingChanges {
  const json = text('settings')
  const allowed = list('allow-tools')
  return checkRunSettings(
    mergeChanges(
      json === undefined ? {} : readJson(json),
      ...many('set').map(parseRunSetting),
      roleModels(text),
      allowed ? { [AGENT.id]: { allowed: allowed.join(', ') } } : {},
    ),
  )
}

/** Models of roles as they were written: `--planner MODEL` and its like. */
function roleModels(text: Arguments['text']): SettingChanges {
  const inputs = ROLE_NAMES.flatMap((name) => {
    const model = modelOf({ text }, name)
    return model === undefined ? [] : [[`${name}Model`, model] as const]
  })
  return inputs.length === 0 ? {} : { [ROLES.id]: Object.fromEntries(inputs) }
}
