import { mkdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { cellPlanSchema, studySchema, experimentStatusSchema } from '../../shared/domain/experiment'
import { loamErrorShape } from '../../shared/domain/error-shape'
import { LoamError } from '../../shared/errors'
import { createSerial } from '../../shared/serial'
import { diskError, errnoOf, replaceFile, syncFolder } from '../ground/atomic-file'
import { sealedFile, unsealedFile } from '../ground/sealed'
import { namesIn } from '../ground/names-in'

/**
 * experiment.json: the plan, fixed from the first moment, and how the experiment as a whole stands. How far each
 * cell came is not repeated here: its run knows.
 */
const experimentRecordSchema = z.object({
  format: z.literal(1),
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  appVersion: z.string(),
  /** With every default filled in and the model as an absolute path. */
  definition: studySchema,
  modelName: z.string(),
  hashes: z.object({ model: z.string(), stream: z.string(), prompt: z.string() }),
  /** In a suite: SHA-256 of the tasks of each stream, by its name. Default: there is one stream. */
  streams: z.record(z.string(), z.string()).optional(),
  /** SHA-256 of the prompt of cells whose world, or its settings, are not those of the first one, by key. Default: it is that of `hashes`. */
  prompts: z.record(z.string(), z.string()).optional(),
  /** Skills of each task the cells take, in order; empty in a suite. */
  skills: z.array(z.array(z.string())),
  cells: z.array(cellPlanSchema),
  status: experimentStatusSchema,
  problem: loamErrorShape.nullable(),
  finishedAt: z.string().nullable(),
  /** Cells that could not even begin, by key. */
  refused: z.record(z.string(), loamErrorShape),
})
export type ExperimentRecord = z.infer<typeof experimentRecordSchema>

/** An experiment whose file is not what was written; `record` is what it still says, over by its status. */
export interface DamagedExperiment {
  readonly record: ExperimentRecord
  readonly cause: string
}

/** Experiments on disk: `<folder>/<id>/experiment.json` and the memories of its cells below `<id>/spaces/`. */
export type ExperimentStore = ReturnType<typeof openExperimentStore>

/** Opens the experiments of a data folder; the folder is made when the first experiment is. */
export function openExperimentStore(folder: string) {
  const serial = createSerial()
  const brokenSet = new Set<string>()
  return {
    /**
     * Writes the record all at once, with its checksum; the experiment exists from its first save on.
     * @throws LoamError `DATA_CORRUPT` for one that is damaged: what is left of it is not overwritten
     */
    save: (record: ExperimentRecord) =>
      serial(async () => {
        if (brokenSet.has(record.id)) throw damagedError(join(folder, record.id), 'it is not changed')
        const path = join(folder, record.id)
        try {
          const productText = await mkdir(path, { recursive: true })
          await replaceFile(join(path, 'experiment.json'), sealedFile(record))
          if (productText !== undefined) await syncFolder(folder)
        } catch (error) {
          throw diskError(error, path)
        }
      }),
    /** Folder of a cell's memory. */
    memoryFolder: (id: string, cellKey: string): string => join(folder, id, 'spaces', cellKey),
    /** Every experiment found, oldest first, and those that are damaged. */
    async loadAll(): Promise<{ records: ExperimentRecord[]; damaged: DamagedExperiment[] }> {
      const records: ExperimentRecord[] = []
      const damaged: DamagedExperiment[] = []
      brokenSet.clear()
      for (const name of await namesIn(folder)) {
        const path = join(folder, name)
        const file = join(path, 'experiment.json')
        const text = await readFile(file, 'utf8').catch((error: unknown) => error as Error)
        try {
          if (typeof text !== 'string') throw text
          records.push(experimentRecordSchema.parse(unsealedFile(text)))
        } catch (error) {
          // A folder that is none of ours, or was left before the first save.
          if (errnoOf(error) === 'ENOTDIR') continue
          const cause = (error as Error).message
          brokenSet.add(name)
          const problem = damagedError(path, cause).toShape()
          const rest = typeof text === 'string' ? readable(text) : null
          const created = rest?.createdAt ?? (await stat(path)).mtime.toISOString()
          damaged.push({
            cause,
            record: { ...(rest ?? unknownRecord(created)), id: name, status: 'failed', problem },
          })
        }
      }
      records.sort((a, b) => a.createdAt.localeCompare(b.createdAt))
      return { records, damaged }
    },
  }
}

const damagedError = (folder: string, cause: string): LoamError =>
  new LoamError('DATA_CORRUPT', `The experiment in ${folder} is damaged: ${cause}.`, {
    suggestion:
      'Its cells are listed among the runs as they were. Take its file from a backup, or throw it into the trash.',
  })

/** What a file whose checksum is wrong says all the same; null when it says nothing that can be shown. */
function readable(text: string): ExperimentRecord | null {
  try {
    return experimentRecordSchema.parse(JSON.parse(text))
  } catch {
    return null
  }
}

/** Stands for an experiment that nothing is known of but that it was there. */
const unknownRecord = (createdAt: string): ExperimentRecord => ({
  format: 1,
  id: '',
  name: 'A damaged experiment',
  createdAt,
  appVersion: '',
  definition: studySchema.parse({ stream: 'unknown', methods: ['none'] }),
  modelName: '',
  hashes: { model: '', stream: '', prompt: '' },
  skills: [],
  cells: [],
  status: 'failed',
  problem: null,
  finishedAt: null,
  refused: {},
})
