import { crc32 } from 'node:zlib'
import { withCurrentNames } from '../../shared/domain/former-names'

const SEALED = /^(.*),"sum":"([0-9a-f]{8})"\}$/s

const sumOf = (body: string): string => crc32(body).toString(16).padStart(8, '0')

/** How a line begins that has a checksum: one whose checksum is damaged is not taken for a line of an older version, which had none. */
const MARK = '{"sealed":true'

/** A JSON object as one line with its own checksum as the last field: `sum` is the CRC-32 of the line without it. */
export function sealed(value: object): string {
  const body = JSON.stringify({ sealed: true, ...value })
  return `${body.slice(0, -1)},"sum":"${sumOf(body)}"}`
}

/** Reads such a line. Lines of older versions have no checksum and are read as they stand. @throws Error saying what is wrong */
export function unsealed(line: string): unknown {
  const match = SEALED.exec(line)
  if (!match && line.startsWith(MARK)) throw new Error('its checksum is missing')
  if (!match) return withCurrentNames(JSON.parse(line))
  const body = `${match[1] ?? ''}}`
  if (sumOf(body) !== match[2]) throw new Error('its checksum does not match')
  const { sealed: _mark, ...value } = JSON.parse(body) as Record<string, unknown>
  return withCurrentNames(value)
}

/** A JSON object with its checksum, for a file that people may read: indented, `sum` last. */
export const sealedFile = (value: object): string => {
  const sum = sumOf(JSON.stringify(value))
  return `${JSON.stringify({ ...value, sum }, null, 2)}\n`
}

/** Whether a checksum is that of a JSON value. */
export const sumMatches = (value: unknown, sum: unknown): boolean => sumOf(JSON.stringify(value)) === sum

/** Reads such a file. @throws Error saying what is wrong */
export function unsealedFile(text: string): unknown {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || !('sum' in value)) return withCurrentNames(value)
  const { sum, ...rest } = value
  if (sumOf(JSON.stringify(rest)) !== sum) throw new Error('its checksum does not match')
  return withCurrentNames(rest)
}
