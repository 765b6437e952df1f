import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { app } from './electron'

// `boot.ts PROJECT [options]`, as `electron PROJECT [options]`: what Electron does around an app's main entry.
process.argv.splice(1, 1)
const project = resolve(process.argv[1] ?? '.')
// An installed app is its own program: no folder is named.
if (app.isPackaged) process.argv.splice(1, 1)
// Where an installed one has what lies beside its archive.
const resources = process.env['STAND_IN_RESOURCES']
if (resources !== undefined) Object.defineProperty(process, 'resourcesPath', { value: resources })
const manifest = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as { main: string }
await import(pathToFileURL(join(project, manifest.main)).href)
// A crash of the program before there is a window.
const signal = process.env['STAND_IN_CRASH']
if (signal !== undefined) process.kill(process.pid, signal)
// Electron, too, waits for the top level of a module before it is ready.
app.begin()
