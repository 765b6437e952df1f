import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { fetchElectron } from '../../scripts/fetch-electron.mjs'
import { startFailure } from '../../scripts/start-failure.mjs'
import { TORTURE, longTest } from '../torture'
import { freshProject, madeUpArchive, start, startMirror, type Mirror } from './start-rig'

const isBuilt = existsSync(join(import.meta.dirname, '../../out/main/headless.js'))
/** Any Node that the installer runs on in fact. */
const ANY_NODE = '>= 20.0.0'
/** How Electron's program can end before its window appears; all of them by `npm run torture`, and `startFailure` is asked of their words below. */
const ENDINGS = [
  [
    'has no sandbox without an administrator',
    `echo "The SUID sandbox helper binary was found, but is not configured correctly. Rather than run without sandboxing I'm aborting now. You need to make sure that /x/chrome-sandbox is owned by root and has mode 4755." >&2; kill -TRAP $$`,
    'sudo chown root:root /x/chrome-sandbox && sudo chmod 4755 /x/chrome-sandbox',
  ],
  [
    'misses a library of the system',
    'echo "electron: error while loading shared libraries: libnss3.so: cannot open shared object file" >&2; exit 127',
    'Electron needs the system library libnss3.so',
  ],
  [
    'finds no display',
    'echo "ERROR:ozone_platform_x11.cc(245)] Missing X server or \\$DISPLAY" >&2; exit 1',
    'the display that is set does not answer',
  ],
  [
    'cannot load a module',
    'echo "Error: /x/lancedb.linux-x64-gnu.node: undefined symbol: napi_create" >&2; exit 1',
    'Electron could not load /x/lancedb.linux-x64-gnu.node',
  ],
  [
    'needs newer libraries of the system',
    `echo "electron: /lib/x86_64-linux-gnu/libc.so.6: version \\\`GLIBC_2.34' not found (required by electron)" >&2; exit 1`,
    'Electron needs GLIBC_2.34, and this system’s libraries are older',
  ],
  [
    'loses its GPU process again and again',
    `for n in 1 2 3; do echo "ERROR:gpu_process_host.cc(957) GPU process exited unexpectedly: exit_code=139" >&2; done; echo "FATAL:gpu_data_manager_impl_private.cc(415) GPU process isn't usable. Goodbye." >&2; kill -TRAP $$`,
    'the graphics driver ended Electron’s GPU process again and again',
  ],
  [
    'gets no shared memory',
    'echo "ERROR:platform_shared_memory_region_posix.cc(214)] Creating shared memory in /dev/shm/.org.chromium.X failed: No space left on device (28)" >&2; kill -ABRT $$',
    '/dev/shm is full or may not be written',
  ],
  ['ends without a word', 'exit 0', 'it ended with code 0, without a word'],
  [
    'fails with words',
    'echo "one" >&2; echo "App threw an error" >&2; exit 1',
    'code 1, and last said: App threw an error',
  ],
  ['crashes', 'kill -SEGV $$', 'it was ended by SIGSEGV, without a word'],
  [
    'gives up',
    'echo "FATAL: no memory" >&2; kill -ABRT $$',
    'it was ended by SIGABRT, and last said: FATAL: no memory',
  ],
  [
    'is killed for memory',
    'kill -KILL $$',
    'it was ended by SIGKILL (a system that runs out of memory does that)',
  ],
] as const
/** What a window does that a person sees. */
const BEGUN = ': > "$LOAM_BEGUN"'

describe.skipIf(process.platform !== 'linux' || process.arch !== 'x64' || !isBuilt)(
  'npm start where there is a display and Electron’s program is missing (the made-up one is a shell script)',
  () => {
    const cleanUp: (() => void)[] = []
    afterEach(() => cleanUp.splice(0).forEach((remove) => remove()))

    const project = (needsNode?: string) => {
      const { folder, remove } = freshProject(needsNode)
      cleanUp.push(remove)
      return folder
    }
    const mirror = async (script: string, how: Mirror = 'whole') => {
      const { url, close } = await startMirror(madeUpArchive(script), how)
      cleanUp.push(close)
      return { ELECTRON_MIRROR: url }
    }

    it('fetches it once, says what, checks it, and opens the window with it', async () => {
      const folder = project(ANY_NODE)
      const env = await mirror(`echo "window $@" >> ${join(folder, '../windows')}; ${BEGUN}`)
      const first = await start(folder, env)
      expect(first).toMatchObject({ code: 0, out: '' })
      expect(first.err).toMatch(
        /^Fetching Electron [\d.]+, the program that shows Loam’s window \(once, 1 MB\), from 127\.0\.0\.1:\d+\.\n/,
      )
      const second = await start(folder, env)
      expect(second).toEqual({ code: 0, out: '', err: '' })
      const opened = readFileSync(join(folder, '../windows'), 'utf8').trim().split('\n')
      expect(opened).toHaveLength(2)
      expect(opened[0]).toBe(`window ${folder} --no-open --data ${join(folder, '../data')}`)
    })

    const mirrors = [
      ['damaged', 'does not have the checksum it should have'],
      ['missing', 'Electron’s program is not at http://127.0.0.1'],
      ['silent', 'cannot be reached to fetch it'],
    ] as const
    it.each(mirrors.slice(0, TORTURE ? 3 : 1))(
      'serves the browser and says why when the mirror is %s',
      async (how, why) => {
        const folder = project(ANY_NODE)
        const { out } = await start(folder, await mirror('exit 3', how))
        expect(out).toContain('Loam is ready: http://')
        expect(out).toContain(why)
        expect(existsSync(join(folder, 'node_modules/electron/path.txt'))).toBe(false)
      },
    )

    it('serves the browser when nobody listens at all', async () => {
      const { out } = await start(project(ANY_NODE), { ELECTRON_MIRROR: 'http://127.0.0.1:9/' })
      expect(out).toContain('127.0.0.1:9 cannot be reached to fetch it')
    })

    it('serves the browser when this Node is too old for the installer', async () => {
      const { out } = await start(project('>= 99.1.0'), await mirror('exit 3'))
      expect(out).toContain(`Electron’s installer needs Node 99.1.0 or newer, and this is ${process.version}`)
    })

    it('gives up when nothing more arrives', async () => {
      const folder = project(ANY_NODE)
      const env = { ...(await mirror('exit 3', 'stalling')), electron_config_cache: join(folder, '../cache') }
      for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
      try {
        const electron = {
          folder: join(folder, 'node_modules/electron'),
          version: '45.4.1',
          needsNode: ANY_NODE,
        }
        const answer = await fetchElectron(electron, () => undefined, { stallMs: 1500 })
        expect(answer).toEqual({ why: 'Electron’s program could not be fetched (nothing more arrived)' })
      } finally {
        vi.unstubAllEnvs()
      }
    })

    it.each(ENDINGS.filter((_, n) => TORTURE || n % 5 === 0))(
      'serves the browser, with the reason and the log’s place, where Electron %s',
      async (_how, script, why) => {
        const folder = project(ANY_NODE)
        const { out } = await start(folder, await mirror(script))
        expect(out).toContain('Loam is ready: http://')
        expect(out).toContain(why)
        const log = join(folder, '../data/logs/loam.jsonl')
        expect(out).toContain(`What Electron said is in ${log}.`)
        expect(readFileSync(log, 'utf8')).toContain('The desktop window did not begin')
      },
    )

    longTest('serves the browser where the program is none for this machine', async () => {
      const folder = project(ANY_NODE)
      const electron = join(folder, 'node_modules/electron')
      mkdirSync(join(electron, 'dist'))
      writeFileSync(join(electron, 'path.txt'), 'electron')
      const program = join(electron, 'dist/electron')
      writeFileSync(program, new Uint8Array([127, 69, 76, 70, 9, 9]), { mode: 0o755 })
      expect((await start(folder, {})).out).toContain('damaged or for another processor')
      chmodSync(program, 0o644)
      const { out } = await start(folder, {})
      expect(out).toContain('Electron’s program could not be started (spawn')
      expect(out).toContain('Loam is ready: http://')
    })

    it('serves the browser where Electron is not installed, and where there is no display', async () => {
      const folder = project(ANY_NODE)
      const { out } = await start(folder, { DISPLAY: '' })
      expect(out).toContain('this machine has no display')
      rmSync(join(folder, 'node_modules/electron'), { recursive: true })
      expect((await start(folder, {})).out).toContain('Electron is not installed')
    })

    longTest('passes on the exit code of a window that did begin, whatever ended it', async () => {
      const ended = await start(
        project(ANY_NODE),
        await mirror(`${BEGUN}; echo "something else" >&2; exit 4`),
      )
      expect({ code: ended.code, out: ended.out }).toEqual({ code: 4, out: '' })
      const crashed = await start(project(ANY_NODE), await mirror(`${BEGUN}; kill -SEGV $$`))
      expect({ code: crashed.code, out: crashed.out }).toEqual({ code: 139, out: '' })
    })

    it('opens no browser for who stopped it', async () => {
      const folder = project(ANY_NODE)
      const started = start(folder, await mirror('echo waiting >&2; exec sleep 60'), /waiting/)
      expect(await started).toMatchObject({ out: '' })
    })
  },
)

describe('startFailure', () => {
  it.each([
    [
      '[0101] ERROR:electron_main_delegate_linux.cc Running as root without --no-sandbox is not supported.',
      'as root',
    ],
    [
      'electron: error while loading shared libraries: libnss3.so: cannot open shared object file',
      'libnss3.so',
    ],
    ['ERROR:ozone_platform_x11.cc(245)] Missing X server or $DISPLAY', 'display'],
    ['FATAL:zygote_host_impl_linux.cc(128)] No usable sandbox! If you are', 'no sandbox'],
  ])('understands %s', (said, means) => expect(startFailure(said, 1)).toContain(means))

  it('tells the last words of anything else', () => {
    expect(startFailure('(node:12) Warning: something\n\n', 0)).toBe(
      'Electron’s program ended before its window appeared: it ended with code 0, and last said: (node:12) Warning: something',
    )
  })
})
