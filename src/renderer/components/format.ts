export { formatCount, formatShare, plural } from '../../shared/figures/plural'

/** Bytes in the largest fitting unit, decimal: `15.2 MB`. */
export function formatBytes(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB']
  let value = bytes
  let unit = 0
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000
    unit += 1
  }
  return `${unit === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[unit] ?? ''}`
}

/** Milliseconds in words a person plans with: `12 s`, `3 min`, `1 h 20 min`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 90) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  if (minutes < 90) return `${minutes} min`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

/** As `formatDuration`, with what is quicker than a second in ms, as tools and small models often are. */
export const formatShort = (ms: number): string => (ms < 1000 ? `${Math.round(ms)} ms` : formatDuration(ms))

/** How long the host took: `0.4 ms`, `12 ms`. */
export function formatMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`
}

/** An ISO time as day and hour in the reader's own format. */
export function formatWhen(iso: string): string {
  return new Date(iso).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' })
}

/** The last part of a path, whatever its separator. */
export function fileName(path: string): string {
  return path.split(/[\\/]/).pop() ?? path
}

/** What a stream is called that no list names: `lifelong:drift?world=901&order=2` is “Drift, world 901, order 2”, a path the name of its file. */
export function streamName(id: string): string {
  const [, kind, rest = ''] = /^lifelong:([a-z-]+)(?:\?(.*))?$/.exec(id) ?? []
  if (kind === undefined) return fileName(id)
  const parts = rest.split('&').filter((part) => part !== '' && part !== 'order=1')
  return [capital(kind), ...parts.map((part) => part.replace('=', ' '))].join(', ')
}

/** Words as they begin a sentence. */
export const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1)
