import { LoamError } from '../../shared/errors'
import { MAX_FILE_BASE64 } from '../../shared/limits'

const PIECE = 0x8000

/** The bytes of a file that a person chose, as base64. Rejects with `BAD_INPUT` when it is larger than the host takes in one piece. */
export async function readFileBase64(file: File): Promise<string> {
  if (file.size > (MAX_FILE_BASE64 / 4) * 3)
    throw new LoamError('BAD_INPUT', `${file.name} is larger than what the window takes in one piece.`, {
      suggestion: 'Use "loam import" on the command line.',
    })
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  for (let at = 0; at < bytes.length; at += PIECE)
    text += String.fromCharCode(...bytes.subarray(at, at + PIECE))
  return btoa(text)
}

/** Bytes that came as base64, as a file for the browser. */
export function blobOf(base64: string, type = 'application/octet-stream'): Blob {
  const text = atob(base64)
  const bytes = new Uint8Array(text.length)
  for (let i = 0; i < text.length; i++) bytes[i] = text.charCodeAt(i)
  return new Blob([bytes], { type })
}
