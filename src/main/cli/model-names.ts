import { existsSync } from 'node:fs'
import { isAbsolute, join, resolve } from 'node:path'
import { ROLE_NAMES } from '../../core/agent/roles'
import { createModelSearch, pathOfNamed, searchPlaces } from '../model-files/find-models'
import { thisMachine } from '../model-files/stores/store'
import { findDataPath } from '../ground/data-path'
import { readReference } from '../ground/model-reference'
import { findResources } from '../ground/resources'
import { loadSettings } from '../ground/settings-file'
import type { Arguments } from './arguments'
import type { OptionName } from './options'

const MODEL_OPTIONS: readonly OptionName[] = ['model', ...ROLE_NAMES]

/** What `--judge` may also be. */
const ANSWERS: ReadonlySet<string> = new Set(['yes', 'no'])

/**
 * The same arguments with short names of found models, as `ollama/qwen3:4b`, in place of paths. What is a reference, a file, or called
 * by nothing that was found stays as it was written.
 * @throws LoamError `BAD_INPUT` for a name that several models have, `DATA_CORRUPT` for settings that cannot be read
 */
export async function withNamedModels(args: Arguments): Promise<Arguments> {
  const short = MODEL_OPTIONS.filter((name) => isShortName(args.text(name)))
  if (short.length === 0) return args
  const dataPath = findDataPath(args.text('data'))
  const settings = await loadSettings(join(dataPath, 'settings.json'))
  const { models } = await createModelSearch().find(
    searchPlaces(settings, {
      bundledFolder: findResources().models,
      ownFolder: join(dataPath, 'models'),
      world: thisMachine(),
    }),
  )
  const paths = new Map<OptionName, string>()
  for (const name of short) {
    const path = pathOfNamed(args.text(name) ?? '', models)
    if (path !== null) paths.set(name, path)
  }
  return {
    ...args,
    text: (name) => paths.get(name) ?? args.text(name),
    required: (name) => paths.get(name) ?? args.required(name),
  }
}

const isShortName = (text: string | undefined): boolean =>
  text !== undefined &&
  text !== '' &&
  !ANSWERS.has(text) &&
  !isAbsolute(text) &&
  readReference(text) === null &&
  !existsSync(resolve(text))
