import { join } from 'node:path'
import { defineConfig } from '@playwright/test'
import base from '../../playwright.config'

const root = join(import.meta.dirname, '..', '..')

/** Pictures of the window for the documents; `npm run screenshots` makes them. */
export default defineConfig(base, {
  testDir: import.meta.dirname,
  globalSetup: join(root, 'test', 'e2e', 'build-programs.ts'),
  testMatch: '**/*.shots.ts',
  outputDir: join(root, 'test-results', 'screenshots'),
  timeout: 900_000,
  reporter: 'list',
})
