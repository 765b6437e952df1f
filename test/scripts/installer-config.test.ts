import { expect, test, vi } from 'vitest'
import { installerConfig } from '../../scripts/installer/config.mjs'

test('what is installed opens bundles, models and links, and has what its programs read beside it', () => {
  const config = installerConfig({ app: '/app', output: '/dist', electron: undefined })
  expect(config.fileAssociations.map(({ ext }) => ext)).toEqual(['loam', 'gguf'])
  expect(config.protocols).toEqual([{ name: 'Loam link', schemes: ['loam'] }])
  const filters = config.extraResources.flatMap(({ filter = [] }) => filter)
  expect(filters).toEqual(expect.arrayContaining(['registry.json', 'known.json', 'icon.png', 'streams/**']))
  // Nothing looks for newer versions where no address is named.
  expect(config.publish).toBeNull()
  vi.stubEnv('LOAM_UPDATES', 'https://loam.example/versions')
  expect(installerConfig({ app: '/app', output: '/dist', electron: undefined }).publish).toEqual({
    ...{ provider: 'generic', url: 'https://loam.example/versions' },
  })
  vi.unstubAllEnvs()
})

test('is signed with a key where there is one, and on a Mac by nobody where there is none, since it would not start', () => {
  const identity = () => installerConfig({ app: '/app', output: '/dist', electron: undefined }).mac.identity
  vi.stubEnv('CSC_LINK', undefined)
  expect(identity()).toBe('-')
  vi.stubEnv('CSC_LINK', 'key.p12')
  expect(identity()).toBeUndefined()
  vi.unstubAllEnvs()
})
