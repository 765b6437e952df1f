import { resolve } from 'node:path'

/** A stream as it was named: a bundled one by its id, a file by its full path, since an open Loam has another current folder. */
export const streamFrom = (name: string): string => (/[\\/.]/.test(name) ? resolve(name) : name)
