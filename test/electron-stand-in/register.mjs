// `node --import tsx --import register.mjs`: every import of `electron` gets the stand-in; without tsx the bundled one that LOAM_STAND_IN names.
import { register } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'

const folder = process.env['LOAM_STAND_IN']
const standIn = folder
  ? pathToFileURL(join(folder, 'electron.mjs')).href
  : new URL('./electron.ts', import.meta.url).href
const hook = `export const resolve = (name, context, next) =>
  name === 'electron' ? { url: ${JSON.stringify(standIn)}, shortCircuit: true } : next(name, context)`
register(`data:text/javascript,${encodeURIComponent(hook)}`)
Object.defineProperty(process.versions, 'electron', { value: '0.0.0-stand-in', enumerable: true })
