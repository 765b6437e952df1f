import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'

/** The shell without a window takes a seventh less of the processor. */
const NAMES = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]
const PLACES = {
  darwin: [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ],
  win32: [process.env.ProgramFiles, process.env['ProgramFiles(x86)'], process.env.LOCALAPPDATA]
    .filter(Boolean)
    .map((folder) => join(folder, 'Google', 'Chrome', 'Application', 'chrome.exe')),
}

/** A Chromium that is already on this machine: LOAM_CHROMIUM, then the PATH, then the usual places. */
export function findInstalled() {
  if (process.env.LOAM_CHROMIUM) return process.env.LOAM_CHROMIUM
  const folders = (process.env.PATH ?? '').split(delimiter)
  const onPath =
    process.platform === 'win32' ? [] : NAMES.flatMap((name) => folders.map((folder) => join(folder, name)))
  return [...onPath, ...(PLACES[process.platform] ?? [])].find((path) => existsSync(path)) ?? null
}

/** Where Playwright keeps its own Chromium, when it has been fetched. */
async function findPlaywrights() {
  const { chromium } = await import('@playwright/test')
  const path = chromium.executablePath()
  return path && existsSync(path) ? path : null
}

function attempt(label, command, args) {
  process.stderr.write(`No browser found; trying ${label}...\n`)
  const result = spawnSync(command, args, {
    stdio: ['ignore', 2, 2],
    timeout: 300_000,
    shell: process.platform === 'win32',
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  })
  return result.status === 0
}

/**
 * A Chromium for the browser tests, fetched when there is none: with apt-get as root, else through Playwright.
 * Resolves to `{ path }`, or to `{ why }` when none can be had.
 */
export async function findBrowser() {
  const present = findInstalled() ?? (await findPlaywrights())
  if (present) return { path: present }
  const tried = []
  if (process.platform === 'linux' && process.getuid?.() === 0) {
    if (attempt('apt-get update', 'apt-get', ['update', '-qq']))
      for (const name of NAMES.slice(0, 2)) {
        tried.push(`apt-get install ${name}`)
        const install = ['install', '-y', '-qq', '--no-install-recommends', name]
        if (attempt(`apt-get install ${name}`, 'apt-get', install)) break
      }
    const found = findInstalled()
    if (found) return { path: found }
  }
  tried.push('npx playwright install chromium')
  attempt('playwright install chromium', 'npx', ['playwright', 'install', 'chromium'])
  const found = await findPlaywrights()
  return found
    ? { path: found }
    : { why: `no Chromium on this machine, and it could not be fetched (${tried.join(', ')})` }
}
