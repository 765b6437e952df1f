import { readFile, stat, readdir } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, resolve, join } from 'node:path'
import { parse, stringify } from 'yaml'
import { isRecord } from '../../core/ground/record'
import { METHODS } from '../../core/methods'
import { studySchema, type Study, type StudyTemplate } from '../../shared/domain/experiment'
import { LoamError } from '../../shared/errors'
import { readForeignText } from '../ground/isolate/foreign-text'

/** The studies that come with Loam (`<id>.yaml`; the first comment says what it asks), by name. */
export async function loadTemplates(folder: string): Promise<StudyTemplate[]> {
  const files = (await readdir(folder)).filter((name) => name.endsWith('.yaml')).sort()
  return Promise.all(
    files.map(async (file) => {
      const text = await readFile(join(folder, file), 'utf8')
      const description = /^#\s*(.+)$/m.exec(text)?.[1] ?? ''
      return { id: file.slice(0, -'.yaml'.length), description, definition: readStudyText(text, file) }
    }),
  )
}

/** Checks a definition and fills in its defaults; `methods: all` means every one that there is. Throws `BAD_INPUT` that names every wrong field. */
export function readStudy(value: unknown, where = 'The experiment'): Study {
  const reference =
    isRecord(value) && value['methods'] === 'all'
      ? { ...value, methods: METHODS.map(({ info }) => info.id) }
      : value
  const read = studySchema.safeParse(reference)
  if (read.success) return read.data
  const wrong = read.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `${path.join('.')}: ${message}`,
  )
  throw new LoamError('BAD_INPUT', `${where}: ${wrong.join('; ')}.`, {
    suggestion: 'A definition names at least "stream" and "methods"; docs/experiments.md shows every field.',
  })
}

/** Reads the text of a definition that comes with Loam; `where` names it in what is said about mistakes. Throws `BAD_INPUT`. */
function readStudyText(text: string, where: string): Study {
  let value: unknown
  try {
    value = parse(text)
  } catch (error) {
    const first = (error as Error).message.split('\n')[0] ?? ''
    throw new LoamError('BAD_INPUT', `${where} is neither YAML nor JSON: ${first}`, {
      suggestion: 'Check the place named above.',
    })
  }
  return readStudy(value, where)
}

/** As `readStudyText`, of a text from outside, in an isolate. @throws LoamError `BAD_INPUT` */
export const readForeignStudy = async (text: string, where: string): Promise<Study> =>
  readStudy(await readForeignText(text, where, 'yaml'), where)

/**
 * A definition that can be passed on: model and memory lie elsewhere on every machine, so they are left out, and a stream from a
 * file is named without its folder.
 */
export function portableStudy({ model: _model, experiences: _experiences, ...definition }: Study) {
  const { stream } = definition
  return { ...definition, stream: isAbsolute(stream) ? basename(stream) : stream }
}

/** The portable definition as YAML. */
export const studyText = (definition: Study): string => stringify(portableStudy(definition))

/** A file name for a definition, after its name or its stream. */
export function studyFileName({ name, stream }: Study): string {
  const words = name ?? basename(stream, extname(stream))
  const slug = words
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|(?<!-)-+$/g, '')
    .slice(0, 60)
  return `${slug === '' ? 'experiment' : slug}.yaml`
}

/**
 * Reads a definition file, YAML or JSON. Where `stream` or `model` name a file beside the definition, or `experiences` a folder, that one is meant.
 * @throws LoamError `NOT_FOUND`, `BAD_INPUT`
 */
export async function readStudyFile(path: string): Promise<Study> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new LoamError('NOT_FOUND', `${path} cannot be read: ${(error as Error).message}.`, {
      suggestion: 'Name a YAML or JSON file that describes an experiment.',
    })
  })
  const definition = await readForeignStudy(text, path)
  const beside = async (name: string, kind: 'isFile' | 'isDirectory' = 'isFile'): Promise<string> => {
    const matchText = resolve(dirname(path), name)
    return (await stat(matchText).catch(() => null))?.[kind]() ? matchText : name
  }
  const { stream, model, experiences } = definition
  return {
    ...definition,
    stream: await beside(stream),
    model: model === null ? null : await beside(model),
    ...(experiences !== undefined && { experiences: await beside(experiences, 'isDirectory') }),
  }
}
