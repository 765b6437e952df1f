import { constants } from 'node:os'

/** What Electron says when it cannot even begin on a machine, and what that means to the person. */
const KNOWN = [
  {
    says: /SUID sandbox helper binary was found, but is not configured correctly[\s\S]*?make sure that (\S+) is owned by root/,
    means: ([, helper]) =>
      `this system lets Electron’s sandbox start only with a helper set up by an administrator (sudo chown root:root ${helper} && sudo chmod 4755 ${helper})`,
  },
  {
    says: /No usable sandbox/,
    means: () =>
      'this system gives Electron no sandbox (unprivileged user namespaces are switched off), and Loam does not run a window without one',
  },
  {
    says: /Running as root without --no-sandbox/,
    means: () => 'Loam was started as root, and Electron’s sandbox does not work for root',
  },
  {
    says: /error while loading shared libraries: ([^:\s]+)/,
    means: ([, library]) => `Electron needs the system library ${library}, which is not installed`,
  },
  {
    says: /version [`'](GLIBC(?:XX)?_[\d.]+)' not found/,
    means: ([, version]) => `Electron needs ${version}, and this system’s libraries are older`,
  },
  {
    says: /\x7fELF|Exec format error|cannot execute binary file|Bad CPU type in executable/,
    means: () =>
      `Electron’s program is damaged or for another processor than this one (${process.arch}); remove the folder node_modules/electron/dist and start again to fetch it anew`,
  },
  {
    says: /GPU process isn't usable/,
    means: () => 'the graphics driver ended Electron’s GPU process again and again',
  },
  {
    says: /(?:shared memory|\/dev\/shm)[^\n]*(?:No space left|Permission denied|incorrect permissions)/,
    means: () => 'Electron gets no shared memory (/dev/shm is full or may not be written)',
  },
  {
    says: /Cannot find module '([^'\n]+)'|ERR_DLOPEN_FAILED[^\n]*|([^\s:]+\.node): [^\n]*/,
    means: ([line, module, library]) =>
      `Electron could not load ${module ?? library ?? 'a library'} (${line.slice(0, 160)}); npm ci may have been interrupted`,
  },
  {
    says: /Missing X server or \$DISPLAY|cannot open display|Failed to connect to (?:the )?Wayland display/i,
    means: () => 'the display that is set does not answer',
  },
]

/** The signal that shells give an exit code for; of two names of one signal the first. */
const signalOf = (code) => Object.entries(constants.signals).find(([, number]) => 128 + number === code)?.[0]

/** Why Electron did not get as far as its window, told from what it said on standard error and its exit code. */
export function startFailure(said, code) {
  for (const { says, means } of KNOWN) {
    const match = says.exec(said)
    if (match) return means(match)
  }
  const signal = signalOf(code)
  const hint = signal === 'SIGKILL' ? ' (a system that runs out of memory does that)' : ''
  const how = signal ? `it was ended by ${signal}${hint}` : `it ended with code ${code}`
  const lines = said.split('\n').map((line) => line.trim())
  const last = lines.filter((line) => line !== '').at(-1)
  const words = last === undefined ? 'without a word' : `and last said: ${last.slice(0, 200)}`
  return `Electron’s program ended before its window appeared: ${how}, ${words}`
}
