import { basename } from 'node:path'
import type { Recording } from '../../../core/ground/recording'
import { defineSettings } from '../../../core/ground/settings'
import { placeWords } from '../../../shared/domain/reading'
import { LoamError } from '../../../shared/errors'
import { readReference } from '../../ground/model-reference'
import { refuseSpecialFile } from '../../ground/plain-file'
import { readRecordingsApart } from '../../ground/isolate/foreign-rows'
import type { ProviderModule } from '../provider'
import { RECORDED_CAN, recordedModel } from './recorded-model'

const ID = 'recorded'

/** The file of a reference, and whose replies are wanted of it; null: those of the file's first model. */
function placeOf(model: string): { readonly file: string; readonly of: string | null } {
  const reference = readReference(model)
  return reference?.place
    ? { file: reference.place, of: reference.name }
    : { file: reference?.name ?? model, of: null }
}

/** @throws LoamError `NOT_FOUND`, `BAD_INPUT` */
async function open(
  model: string,
): Promise<{ readonly name: string; readonly recordings: readonly Recording[] }> {
  const { file, of } = placeOf(model)
  await refuseSpecialFile(file, 'BAD_INPUT')
  const { recordings, left } = await readRecordingsApart(file).catch((error: unknown) => {
    if (error instanceof LoamError) throw error
    throw new LoamError('NOT_FOUND', `${file} cannot be read: ${(error as Error).message}.`, {
      suggestion: 'Name a file of recorded replies that is there.',
    })
  })
  const names = [...new Set(recordings.map((recording) => recording.model))]
  const name = of ?? names[0] ?? null
  const own = recordings.filter((recording) => recording.model === name)
  if (own.length > 0) return { name: name ?? basename(file), recordings: own }
  const [first] = left
  const why =
    of !== null && names.length > 0
      ? `it has those of ${names.join(', ')}`
      : first
        ? `${placeWords(first)}: ${first.why}`
        : 'it is empty'
  throw new LoamError(
    'BAD_INPUT',
    `${file} holds no recorded replies${of === null ? '' : ` of ${of}`}; ${why}.`,
    { suggestion: 'Choose JSONL with a task and its replies per line: {"task": "1", "replies": ["..."]}.' },
  )
}

/** Replies that were recorded once, played again: for grading anew, and for runs that must not depend on a model. */
export const recorded: ProviderModule = {
  id: ID,
  title: 'Recorded replies',
  help: 'Plays what a model once wrote, from a file: recorded:FILE, or recorded:MODEL@FILE where it holds those of several.',
  settings: defineSettings(ID, 'Recorded replies', {}),
  can: RECORDED_CAN,
  replays: true,
  owns: (reference) => reference?.provider === ID,
  open: (world) => ({
    // Files of recordings can lie anywhere; they are named, not found.
    list: () => Promise.resolve([]),
    async identify(model, signal) {
      await open(model)
      return world.hashFile(placeOf(model).file, signal)
    },
    async load(model) {
      const { name, recordings } = await open(model)
      return recordedModel(model, name, recordings)
    },
  }),
}
