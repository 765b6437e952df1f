import { defineConfig } from '@playwright/test'

const executablePath = process.env['LOAM_CHROMIUM']
const isRoot = process.getuid?.() === 0

export default defineConfig({
  testDir: 'test/e2e',
  testMatch: '**/*.e2e.ts',
  globalSetup: './test/e2e/build-programs.ts',
  // The long ones are played by `npm run torture`.
  ...(process.env['LOAM_TORTURE'] === '1' ? { grep: /@long/ } : { grepInvert: /@long/ }),
  // A folder of its own: it is emptied first, and other results stand beside it.
  outputDir: 'test-results/browser',
  // Each test has a host, a port, a data folder and a home of its own, so files run side by side; tests of one file in turn.
  workers: 2,
  fullyParallel: false,
  timeout: 240_000,
  // Generous: the other tests run beside these. None asserts on time.
  expect: { timeout: 30_000 },
  reporter: [['list'], ['json', { outputFile: 'test-results/e2e.json' }]],
  use: {
    browserName: 'chromium',
    viewport: { width: 1280, height: 800 },
    // What moves is drawn sixty times a second, which takes a twentieth of the processor's time.
    contextOptions: { reducedMotion: 'reduce' },
    screenshot: 'only-on-failure',
    // Pictures of every moment take a third of the processor's time.
    trace: process.env['LOAM_TRACE'] === '0' ? 'off' : { mode: 'retain-on-failure', screenshots: false },
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      // Chromium's own sandbox refuses to start as root, which is common in containers.
      args: isRoot ? ['--no-sandbox'] : [],
    },
  },
})
