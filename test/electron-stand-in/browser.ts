import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium, type BrowserContext } from '@playwright/test'
import { tell } from './events'

let opening: Promise<{ context: BrowserContext; profile: string }> | null = null

/** The one Chromium that all windows are pages of; its debugging address is told, so that a test can drive it too. */
export async function openBrowser(): Promise<BrowserContext> {
  opening ??= (async () => {
    const profile = await mkdtemp(join(tmpdir(), 'loam-stand-in-'))
    const executablePath = process.env['LOAM_CHROMIUM']
    const context = await chromium.launchPersistentContext(profile, {
      ...(executablePath && { executablePath }),
      args: ['--remote-debugging-port=0', ...(process.getuid?.() === 0 ? ['--no-sandbox'] : [])],
      viewport: { width: 1280, height: 820 },
      // What moves is drawn sixty times a second.
      reducedMotion: 'reduce',
    })
    const port = readFileSync(join(profile, 'DevToolsActivePort'), 'utf8').split('\n')[0] ?? ''
    tell({ kind: 'browser', endpoint: `http://127.0.0.1:${port}` })
    return { context, profile }
  })()
  return (await opening).context
}

/** Ends Chromium and removes its profile. */
export async function closeBrowser(): Promise<void> {
  if (opening === null) return
  const { context, profile } = await opening
  await context.close().catch(() => undefined)
  await rm(profile, { recursive: true, force: true, maxRetries: 5 })
}
