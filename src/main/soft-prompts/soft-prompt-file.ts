import { createHash } from 'node:crypto'
import { readFile, copyFile, lstat, mkdir } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { softPromptSchema, type SoftPrompt } from '../../shared/domain/soft-prompt'
import { LoamError } from '../../shared/errors'
import { replaceJson, replaceFile } from '../ground/atomic-file'
import { hasRecord, readRecord, writeRecord } from '../ground/record-file'
import { readGgufHeader } from '../gguf/read-gguf'
import { writeGguf } from '../gguf/gguf-writer'
import { rename } from '../ground/steady-files'

/**
 * Writes a soft prompt into a folder so that it is of use without Loam: adapter, description, and a README that shows how
 * llama.cpp's own programs serve it. Answers the folder's files. `replace`: files of these names that lie there already are written over.
 * @throws LoamError `CONFLICT` where they may not be
 */
export async function exportSoftPrompt(
  file: SoftPromptFile,
  folder: string,
  replace = false,
): Promise<string[]> {
  await mkdir(folder, { recursive: true })
  const adapter = join(folder, basename(file.adapter))
  for (const path of replace ? [] : [adapter, infoPathOf(adapter), join(folder, 'README.md')])
    if (await lstat(path).catch(() => null))
      throw new LoamError('CONFLICT', `${path} is there already.`, { suggestion: 'Name another folder.' })
  await copyFile(file.adapter, adapter)
  await replaceJson(infoPathOf(adapter), file.info)
  const readme = join(folder, 'README.md')
  await replaceFile(readme, readmeFor(file))
  return [adapter, infoPathOf(adapter), readme]
}

/** The README's text. */
function readmeFor(file: SoftPromptFile): string {
  const { adapter, info } = file
  const name = basename(adapter)
  const { baseModel, outcome } = info
  const ids = info.reservedIds.join(', ')
  const holding =
    outcome.heldOutLoss === null
      ? ''
      : `On attempts it never learned from it fell from ${outcome.initialHeldOutLoss?.toFixed(3)} to ${outcome.heldOutLoss.toFixed(3)}. `
  return `# A soft prompt for ${baseModel.name}

${name} gives ${info.reservedIds.length} reserved tokens of the model learned embeddings. A prompt that begins with these
tokens behaves as if ${info.teacher} solved tasks of "${info.environment ?? 'its environment'}" stood in it. Prompts without them are not changed at all.

It fits one file only: ${baseModel.name}, ${baseModel.sizeBytes} bytes, sha256
\`${baseModel.sha256}\`

Loss per token fell from ${outcome.initialLoss.toFixed(3)} to ${outcome.finalLoss.toFixed(3)} in ${outcome.steps} steps. ${holding}It was trained with
${info.student} solved tasks in the student's prompt; show it about as many.

## With llama.cpp's server

The adapter is an ordinary LoRA file:

\`\`\`
llama-server -m ${baseModel.name}.gguf --lora ${name}
\`\`\`

The tokens have to be given by id, since their text is not read as them. A prompt may mix ids and text:

\`\`\`
curl http://localhost:8080/completion -d '{
  "prompt": [${ids}, "your prompt, in the model's chat template"],
  "temperature": 0
}'
\`\`\`

When the model begins its prompts with a BOS token, put the BOS id before these ids. POST /apply-template turns messages
into the text of the model's chat template.

## With llama.cpp's CLI

${cliPart(file)}

## With Loam

\`\`\`
loam run --stream S --method none --model ${baseModel.name}.gguf --soft-prompt ${name}
\`\`\`
`
}

function cliPart({ adapter, info }: SoftPromptFile): string {
  if (info.reservedTokens === null)
    return 'llama-cli reads text only, and no text names these tokens. Use the server.'
  const text = info.reservedTokens.join('')
  return `llama-cli reads text only; these tokens have names, so a prompt can begin with them:

\`\`\`
llama-cli -m ${info.baseModel.name}.gguf --lora ${basename(adapter)} -no-cnv -p '${text}your prompt'
\`\`\``
}

/** ggml's type numbers. */
const F32 = 0
const Q4_0 = 2
/** Q4_0 comes in blocks of 32 values, so the rank is a multiple of it. */
const BLOCK = 32
const BLOCK_BYTES = 18
/** In a block with scale -1/8, the number 0 stands for 1 and the number 8 for 0, both exactly. */
const MINUS_EIGHTH_F16 = 0xb000

/**
 * Writes the adapter that stock llama.cpp loads as a LoRA on `token_embd.weight`: A picks, for each reserved token, one
 * of the rank's dimensions; B holds that token's delta. For this tensor llama.cpp wants both the other way round than for
 * others. A is stored as Q4_0, which is exact for 0 and 1 and a seventh of F32's size; B as F32.
 */
export function writeAdapter(
  path: string,
  options: {
    readonly architecture: string
    readonly vocabulary: number
    readonly width: number
    readonly ids: readonly number[]
    /** Added to each id's embedding, row by row. */
    readonly deltas: Float32Array
  },
): void {
  const { architecture, vocabulary, width, ids, deltas } = options
  const rank = Math.ceil(ids.length / BLOCK) * BLOCK
  const string = (value: string) => ({ kind: 'string', value }) as const
  const down = new Float32Array(rank * width)
  for (const index of ids.keys())
    for (let j = 0; j < width; j++) down[j * rank + index] = deltas[index * width + j] as number
  writeGguf(
    path,
    {
      'general.type': string('adapter'),
      'general.architecture': string(architecture),
      'general.name': string('Loam soft prompt'),
      'adapter.type': string('lora'),
      // llama.cpp scales by alpha / rank.
      'adapter.lora.alpha': { kind: 'float32', value: rank },
    },
    [
      {
        name: 'token_embd.weight.lora_a',
        type: Q4_0,
        shape: [rank, vocabulary],
        data: oneHot(ids, rank, vocabulary),
      },
      { name: 'token_embd.weight.lora_b', type: F32, shape: [rank, width], data: down },
    ],
  )
}

function oneHot(ids: readonly number[], rank: number, vocabulary: number): Uint8Array {
  const rowBytes = (rank / BLOCK) * BLOCK_BYTES
  const bytes = Buffer.alloc(rowBytes * vocabulary)
  // Rows of zeros: scale 0, all numbers 8.
  for (let at = 0; at < bytes.length; at += BLOCK_BYTES) bytes.fill(0x88, at + 2, at + BLOCK_BYTES)
  for (const [index, id] of ids.entries()) {
    const at = id * rowBytes + Math.floor(index / BLOCK) * BLOCK_BYTES
    const place = index % BLOCK
    bytes.writeUInt16LE(MINUS_EIGHTH_F16, at)
    // The low halves of a block's bytes are its first sixteen values.
    bytes[at + 2 + (place % 16)] = place < 16 ? 0x80 : 0x08
  }
  return bytes
}

/** An adapter with what is known about it. */
export interface SoftPromptFile {
  /** Absolute path of the adapter GGUF. */
  readonly adapter: string
  readonly info: SoftPrompt
}

/** Whether an adapter was written whole: its description comes last. */
export const hasInfo = (adapter: string): boolean => hasRecord(infoPathOf(adapter))

/** Path of the JSON beside an adapter. */
export const infoPathOf = (adapter: string): string => adapter.replace(/\.gguf$/u, '') + '.json'

/**
 * Writes adapter and JSON into `folder` under `name`. The JSON comes last, so that one whose adapter is missing or half
 * written is never found. Throws `DISK_*`.
 */
export async function writeSoftPrompt(
  folder: string,
  name: string,
  info: Omit<SoftPrompt, 'format' | 'kind' | 'adapter' | 'adapterSha256'>,
  deltas: Float32Array,
): Promise<SoftPromptFile> {
  const adapter = join(folder, `${name}.gguf`)
  const part = `${adapter}.part`
  const { architecture, vocabulary, width } = info.baseModel
  writeAdapter(part, { architecture, vocabulary, width, ids: info.reservedIds, deltas })
  const adapterSha256 = sha256(await readFile(part))
  await rename(part, adapter)
  const full: SoftPrompt = {
    format: 1,
    kind: 'loam-soft-prompt',
    ...info,
    adapter: basename(adapter),
    adapterSha256,
  }
  await writeRecord(infoPathOf(adapter), full)
  return { adapter, info: full }
}

/**
 * Reads a soft prompt by the path of its JSON or of its adapter, and checks that the adapter is the one the JSON speaks
 * of. Throws `SOFT_PROMPT`.
 */
export async function readSoftPrompt(path: string): Promise<SoftPromptFile> {
  const file = path.endsWith('.json') ? path : infoPathOf(path)
  const info = await readRecord<SoftPrompt | 'absent' | 'lost'>(file, softPromptSchema, 'absent', {
    value: 'lost',
  })
  if (info === 'absent')
    throw unusable(
      `There is no file ${file}. A soft prompt is an adapter (.gguf) with a description (.json) beside it.`,
    )
  if (info === 'lost') throw unusable(`${file} does not describe a soft prompt, or is damaged.`)
  const adapter = join(dirname(file), info.adapter)
  let bytes: Buffer
  try {
    bytes = await readFile(adapter)
  } catch (error) {
    throw unusable(`Its adapter ${adapter} cannot be read.`, error)
  }
  if (sha256(bytes) !== info.adapterSha256)
    throw unusable(`The adapter ${adapter} is not the one ${basename(file)} speaks of: its checksum differs.`)
  return { adapter, info }
}

/** What is added to each reserved token's embedding, row by row, as it lies in the adapter. Throws `SOFT_PROMPT`. */
export async function readDeltas({ adapter, info }: SoftPromptFile): Promise<Float32Array> {
  const { tensors, dataOffset } = await readGgufHeader(adapter)
  const down = tensors.find(({ name }) => name === 'token_embd.weight.lora_b')
  const rows = info.reservedIds.length
  const { width } = info.baseModel
  const rank = down?.shape[0]
  if (!down || rank === undefined || rank < rows || down.shape[1] !== width)
    throw unusable(`The adapter ${adapter} does not hold ${rows} rows of ${width} values.`)
  const bytes = await readFile(adapter)
  const from = bytes.byteOffset + dataOffset + down.offset
  const values = new Float32Array(bytes.buffer.slice(from, from + 4 * rank * width))
  return Float32Array.from(
    { length: rows * width },
    (_, at) => values[(at % width) * rank + Math.floor(at / width)] as number,
  )
}

/** Throws `SOFT_PROMPT` when the model is not the one the soft prompt was trained on. */
export function requireBaseModel(
  { info }: SoftPromptFile,
  model: { readonly path: string; readonly sha256: string },
): void {
  if (info.baseModel.sha256 === model.sha256) return
  throw unusable(
    `It was trained on ${info.baseModel.name} (sha256 ${info.baseModel.sha256.slice(0, 12)}…), and ${basename(model.path)} is another file (sha256 ${model.sha256.slice(0, 12)}…). On any other model its embeddings mean nothing.`,
  )
}

const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex')

const unusable = (why: string, underlying?: unknown) =>
  new LoamError('SOFT_PROMPT', why, {
    suggestion: 'Pick the model it was trained on, or train a soft prompt for this one.',
    underlying,
  })
