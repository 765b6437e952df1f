import { readFile, realpath } from 'node:fs/promises'
import { extname, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
}

/** A file of the interface, ready to be sent. */
export interface UiFile {
  readonly body: Uint8Array<ArrayBuffer>
  readonly headers: Record<string, string>
}

/**
 * Reads the file of the built interface that a URL path names; null when there is none, when the path tries to leave
 * `root` in any spelling, or when the kind of file is not one we serve. `/` is index.html.
 */
export async function readUiFile(root: string, pathname: string): Promise<UiFile | null> {
  const path = resolveUiPath(root, pathname)
  const type = path === null ? undefined : TYPES[extname(path)]
  if (path === null || type === undefined) return null
  try {
    // A link inside the folder must not lead out of it either.
    if (!isInside(await realpath(root), await realpath(path))) return null
    const hashed = pathname.startsWith('/assets/')
    return {
      body: new Uint8Array(await readFile(path)),
      headers: {
        'content-type': type,
        'cache-control': hashed ? 'public, max-age=31536000, immutable' : 'no-store',
      },
    }
  } catch {
    return null
  }
}

/** How a file may be made smaller on its way, the smallest first. */
const PACKERS = {
  // The best takes seconds for a tenth less.
  br: (body: Uint8Array) =>
    promisify(brotliCompress)(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 6 } }),
  gzip: (body: Uint8Array) => promisify(gzip)(body),
} as const

/** Files below this gain nothing, in bytes. */
const LEAST_PACKED = 1024
const PACKED_TYPES = /^(?:text\/|application\/(?:json|wasm)|image\/svg)/

/** Smaller forms of the files that were asked for, by their names, which change with the content. */
const packedFiles = new Map<string, Promise<UiFile>>()

/**
 * The file as a browser takes it that accepts these codings (the request's `accept-encoding`): brotli, gzip or as it is. Files whose name
 * says their content are packed once.
 */
export async function packUiFile(
  file: UiFile,
  pathname: string,
  acceptedCodings: string | undefined,
): Promise<UiFile> {
  const codings = (acceptedCodings ?? '').split(',').map((coding) => coding.trim().toLowerCase())
  const coding = (['br', 'gzip'] as const).find((one) =>
    codings.some((accepted) => accepted.split(';')[0] === one && !/;\s*q=0(?:\.0*)?$/.test(accepted)),
  )
  const isText = PACKED_TYPES.test(file.headers['content-type'] ?? '')
  if (coding === undefined || !isText || file.body.length < LEAST_PACKED) return file
  const pack = async (): Promise<UiFile> => ({
    body: new Uint8Array(await PACKERS[coding](file.body)),
    headers: { ...file.headers, 'content-encoding': coding, vary: 'accept-encoding' },
  })
  if (file.headers['cache-control'] === 'no-store') return pack()
  const key = `${coding} ${pathname} ${file.body.length}`
  const packed = packedFiles.get(key) ?? pack()
  packedFiles.set(key, packed)
  return packed
}

/** The absolute path a URL path stands for; null when it is malformed or would leave `root`. */
export function resolveUiPath(root: string, pathname: string): string | null {
  let decoded: string
  try {
    decoded = decodeURIComponent(pathname)
  } catch {
    return null
  }
  if (!decoded.startsWith('/') || /[\\\0:]/.test(decoded) || decoded.split('/').includes('..')) return null
  const path = resolve(join(root, decoded === '/' ? 'index.html' : decoded))
  return isInside(resolve(root), path) ? path : null
}

function isInside(root: string, path: string): boolean {
  const way = relative(root, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && resolve(root, way) === path
}

/**
 * The headers every answer with part of the interface carries. Nothing is allowed but what comes from the page's own
 * origin; `sockets` adds the origins of WebSockets it may open, since not every browser counts them as `'self'`.
 */
export function uiHeaders(sockets: readonly string[] = []): Record<string, string> {
  const policy = [
    `default-src 'none'`,
    `script-src 'self'`,
    `style-src 'self'`,
    // Pictures of asks are read over the contract and shown from memory.
    `img-src 'self' blob:`,
    `font-src 'self'`,
    `connect-src ${["'self'", ...sockets].join(' ')}`,
    `base-uri 'none'`,
    `form-action 'none'`,
    `frame-ancestors 'none'`,
  ]
  return {
    'content-security-policy': policy.join('; '),
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'no-referrer',
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'permissions-policy': 'camera=(), microphone=(), geolocation=(), usb=(), serial=(), hid=()',
  }
}
