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
