import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { describeInHouse, type Media } from '../../mcp/house-requests'
import { addTool, fail } from '../answer'
import type { ToolServer } from '../module'
import { findAllowed } from '../roots'
import type { CaptionsOptions } from './options'

/** Bytes of a file that are handed to a model. */
const MOST_BYTES = 20 * 1024 * 1024

/** What files are by their endings. */
const TYPES: Readonly<Record<Media['kind'], Readonly<Record<string, string>>>> = {
  image: {
    '.png': 'image/png',
    '.jpg': 'image/jpeg',
    '.jpeg': 'image/jpeg',
    '.gif': 'image/gif',
    '.webp': 'image/webp',
    '.bmp': 'image/bmp',
  },
  audio: {
    '.wav': 'audio/wav',
    '.mp3': 'audio/mp3',
    '.m4a': 'audio/m4a',
    '.ogg': 'audio/ogg',
    '.flac': 'audio/flac',
  },
  video: {
    '.mp4': 'video/mp4',
    '.webm': 'video/webm',
    '.mov': 'video/quicktime',
    '.mkv': 'video/x-matroska',
  },
}

const USUAL_QUESTIONS: Readonly<Record<Media['kind'], string>> = {
  image: 'Describe this image: what it shows, every text in it word by word, and numbers and their units.',
  audio: 'Write down what is said in this recording, word by word.',
  video: 'Describe this film: what happens in it, in order, and every text that is shown.',
}

/** Words for images, recordings and films, by a model of the Loam that started the server; where there is none it says so instead of guessing. */
export function openCaptionsServer({ root }: CaptionsOptions, version: string): ToolServer {
  const mcp = new McpServer({ name: 'loam-captions', version })
  const describe = (name: string, kind: Media['kind'], description: string): void => {
    addTool(mcp, {
      name,
      description,
      input: { path: z.string().min(1), question: z.string().max(2000).optional() },
      answer: async (args, signal) => {
        const file = await findAllowed(root, args.path)
        const type = TYPES[kind][extname(file.path).toLowerCase()]
        if (type === undefined) return fail(`${args.path} is none of ${Object.keys(TYPES[kind]).join(', ')}.`)
        if (file.bytes > MOST_BYTES)
          return fail(`${args.path} has ${file.bytes} bytes; at most ${MOST_BYTES} are handed to a model.`)
        const data = (await readFile(file.path)).toString('base64')
        const media = { kind, type, data }
        const { text, problem } = await describeInHouse(
          mcp,
          media,
          args.question ?? USUAL_QUESTIONS[kind],
          signal,
        )
        return text ?? fail(`Not available: ${problem ?? 'the model said nothing.'}`)
      },
    })
  }
  describe('describe_image', 'image', 'Describes an image in words, or answers a question about it.')
  describe(
    'transcribe_audio',
    'audio',
    'Writes down what is said in a recording, or answers a question about it.',
  )
  describe('describe_video', 'video', 'Describes a film in words, or answers a question about it.')
  return { mcp, close: () => undefined }
}
