import { presetNames, readPreset, type FoundPreset } from '../../shared/domain/preset'
import type { SettingChanges } from '../../shared/domain/setting'
import { LoamError } from '../../shared/errors'
import { presetsOf } from '../ground/method'
import { mergeChanges } from '../ground/settings'
import { findMethod } from '../methods'

/** What a preset fills in: a run's or a variant's, with what was left out absent. */
export interface PresetTarget {
  readonly method: string
  /** `PRESET` or `PRESET/BENCHMARK`; absent: nothing is filled in. */
  readonly preset?: string
  readonly k?: number | null
  readonly temperature?: number
  readonly maxTokens?: number
  readonly contextSize?: number
  readonly settings?: SettingChanges
}

/** @throws LoamError `BAD_INPUT` naming the presets there are */
export function findPreset(method: string, reference: string, environment: string | null): FoundPreset {
  const presets = presetsOf(findMethod(method))
  const preset = readPreset(presets, reference, environment)
  if (preset) return preset
  const records = presetNames(presets, environment)
  throw new LoamError('BAD_INPUT', `${method} has no preset "${reference}" for these tasks.`, {
    suggestion:
      records.length === 0
        ? 'Leave the preset out, or choose a method that has one.'
        : `It has: ${records.join(', ')}.`,
  })
}

/**
 * Fills in what its preset sets and it leaves out itself; settings by key.
 *
 * @param trainContext tokens that its model was trained for; a published context is cut to it. Null: not known, and then none is set
 * @throws LoamError `BAD_INPUT` for a preset that the method does not have
 */
export function applyPreset<Target extends PresetTarget>(
  target: Target,
  environment: string,
  trainContext: number | null,
): Target & PresetTarget {
  if (target.preset === undefined) return target
  const { values } = findPreset(target.method, target.preset, environment)
  const k = target.k ?? values.k
  const temperature = target.temperature ?? values.temperature
  const maxTokens = target.maxTokens ?? values.maxTokens
  const published =
    values.contextSize === undefined || trainContext === null
      ? undefined
      : Math.min(values.contextSize, trainContext)
  const contextSize = target.contextSize ?? published
  return {
    ...target,
    ...(k !== undefined && { k }),
    ...(temperature !== undefined && { temperature }),
    ...(maxTokens !== undefined && { maxTokens }),
    ...(contextSize !== undefined && { contextSize }),
    settings: mergeChanges(values.settings, target.settings ?? {}),
  }
}
