// `node --import tsx --import register.mjs`: every import of `electron` gets the stand-in.
import { register } from 'node:module'

const standIn = new URL('./electron.ts', import.meta.url).href
const hook = `export const resolve = (name, context, next) =>
  name === 'electron' ? { url: ${JSON.stringify(standIn)}, shortCircuit: true } : next(name, context)`
register(`data:text/javascript,${encodeURIComponent(hook)}`)
Object.defineProperty(process.versions, 'electron', { value: '0.0.0-stand-in', enumerable: true })
