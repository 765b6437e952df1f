import { presetTitle } from '../../shared/domain/preset'
import { presetsOf } from '../ground/method'
import { readSettings } from '../ground/settings'
import { METHODS } from '../methods'
import { ONCE, streamCount } from './protocol'
import type { RunRecord } from './run-record'

/** One thing that decides a run, in words. */
export interface NamedSetting {
  readonly name: string
  readonly value: string
}

const words = (value: unknown): string =>
  value === true ? 'on' : value === false ? 'off' : value === null || value === undefined ? '' : String(value)

/** Enough of a hash to tell two things apart. */
const short = (hash: string | undefined): string => hash?.slice(0, 12) ?? 'not noted'

/** Everything that decides a run, defaults spelt out, in a fixed order with the seed last. */
export function namedSettings(
  record: RunRecord,
  experiment: { readonly name: string; readonly cell: string } | null,
): NamedSetting[] {
  const { config, hashes } = record
  const protocol = config.protocol ?? ONCE
  const method = METHODS.find(({ info }) => info.id === config.method)
  const group = method?.settings
  const presets = method ? presetsOf(method) : []
  const own = group ? Object.entries(readSettings(group, config.settings)) : []
  const all: readonly (readonly [string, unknown])[] = [
    ['Experiment', experiment?.name ?? 'none'],
    ['Method', config.method],
    ['Variant', experiment && experiment.cell !== config.method ? experiment.cell : 'none'],
    ['Preset', config.preset === undefined ? 'none' : presetTitle(presets, config.preset)],
    ['K', config.k],
    ...own.map(([name, value]) => [`${config.method}: ${name}`, value] as const),
    ['Stream', config.stream],
    ['Tasks', streamCount(record.total, protocol)],
    ['Iterations', protocol.iterations],
    ['Passes', protocol.passes],
    ['Re-tested tasks', protocol.retest],
    ['Model', record.modelName],
    ['Soft prompt', hashes.softPrompt === undefined ? 'none' : short(hashes.softPrompt)],
    ['Temperature', config.temperature],
    ['Temperature of further attempts', protocol.againTemperature ?? 'the same'],
    ['Longest reply, tokens', config.maxTokens],
    ['Context, tokens', config.contextSize ?? "the model's own"],
    ['Model file, SHA-256', short(hashes.model.sha256)],
    ['Tasks, SHA-256', short(hashes.stream)],
    ['System prompt, SHA-256', short(hashes.prompt)],
    ['Method prompts, SHA-256', short(hashes.templates)],
    ['Loam', record.appVersion],
    ['Seed', config.seed],
  ]
  return all.map(([name, value]) => ({ name, value: words(value) }))
}
