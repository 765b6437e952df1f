import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../build-if-needed.mjs'

/** The version of Electron that Loam is tested with. */
const ELECTRON = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).devDependencies.electron

/** What Loam takes beside its programs: read as files by engine and tool servers, so it lies outside the archive. */
const BESIDE = [
  { from: join(root, 'models'), to: 'models', filter: ['*.gguf', '*.bin', 'registry.json', 'known.json'] },
  {
    from: join(root, 'resources'),
    to: 'resources',
    filter: ['streams/**', 'prompts/**', 'experiments/**', 'icon.png'],
  },
]

/**
 * How Loam is packed, for electron-builder.
 *
 * - `app`: the folder made by stage.mjs.
 * - `output`: where packages are written.
 * - `electron`: a folder with Electron's program, where it is not fetched.
 */
export const installerConfig = ({ app, output, electron }) => ({
  appId: 'app.loam.desktop',
  productName: 'Loam',
  copyright: 'Apache-2.0',
  directories: { output, buildResources: join(root, 'resources') },
  electronVersion: ELECTRON,
  ...(electron !== undefined && { electronDist: electron }),
  // Packages were chosen by stage.mjs, and none is compiled: all come built for their system.
  npmRebuild: false,
  nodeGypRebuild: false,
  buildDependenciesFromSource: false,
  files: [
    'out/**',
    'package.json',
    { from: join(app, 'node_modules'), to: 'node_modules', filter: ['**/*'] },
  ],
  asar: true,
  // Processes of Loam's own are started from here: libraries are loaded by the system, and walled-off processes may read nothing else. One of them
  // serves the window's page to a browser.
  asarUnpack: ['package.json', 'out/main/**', 'out/renderer/**', 'node_modules/**'],
  extraResources: [
    ...BESIDE,
    { from: join(app, 'licences.txt'), to: 'licences.txt' },
    { from: join(app, 'sbom.json'), to: 'sbom.json' },
    { from: join(root, 'scripts', 'installer', 'bin'), to: 'bin' },
  ],
  icon: join(root, 'resources', 'icon.png'),
  fileAssociations: [
    {
      ext: 'loam',
      name: 'Loam bundle',
      description: 'Memories of Loam, signed',
      role: 'Editor',
      mimeType: 'application/vnd.loam.bundle',
    },
    {
      ext: 'gguf',
      name: 'GGUF model',
      description: 'A local model',
      role: 'Viewer',
      rank: 'Alternate',
      mimeType: 'application/vnd.gguf',
    },
  ],
  protocols: [{ name: 'Loam link', schemes: ['loam'] }],
  // Where an installed Loam finds newer versions once a person asks: an address that holds what is packed here. Nothing is sent there from here.
  publish: process.env.LOAM_UPDATES ? { provider: 'generic', url: process.env.LOAM_UPDATES } : null,
  electronFuses: {
    // Tool servers, isolates, the trainer and llama.cpp's own check of its library run in Node's mode of this program.
    runAsNode: true,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
  },
  linux: {
    target: ['AppImage', 'deb'],
    category: 'Development',
    executableName: 'loam',
    synopsis: 'Agents on local models that learn over their lifetime',
    maintainer: 'Loam <loam@localhost>',
    // The window and its entry in the menu are one program (see desktopName in stage.mjs).
    syncDesktopName: true,
  },
  mac: {
    target: ['dmg', 'zip'],
    category: 'public.app-category.developer-tools',
    hardenedRuntime: true,
    // Macs with Apple's processors start nothing without a signature: where there is no key it is one that names nobody.
    ...(process.env.CSC_LINK === undefined && { identity: '-' }),
  },
  win: { target: ['nsis'] },
  nsis: {
    oneClick: false,
    perMachine: false,
    allowToChangeInstallationDirectory: true,
    deleteAppDataOnUninstall: false,
  },
})
