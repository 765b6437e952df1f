import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { OsDriver } from '../../../src/core/tasks/lab-os/machine'
import { createOsDrivers } from '../../../src/main/machines/drivers'

/** Folder of a small Linux system for bubblewrap, as docs/environments.md makes one. */
const root = process.env['LOAM_OS_ROOT'] ?? ''
/** An image with bash for podman or docker. */
const image = process.env['LOAM_OS_IMAGE'] ?? ''

const drivers = createOsDrivers()

/** Each driver, and why it cannot be tried here; null when it can. */
export const SYSTEMS: readonly {
  readonly id: OsDriver['id']
  readonly missing: string | null
  readonly make: () => Promise<OsDriver>
}[] = [
  { id: 'simulated', missing: null, make: () => drivers.find({ driver: 'simulated', root, image }) },
  {
    id: 'bubblewrap',
    missing: existsSync(join(root, 'usr/bin/bash')) ? null : 'LOAM_OS_ROOT names no small Linux system',
    make: () => drivers.find({ driver: 'bubblewrap', root, image }),
  },
  {
    id: 'container',
    missing: image === '' ? 'LOAM_OS_IMAGE names no image' : null,
    make: () => drivers.find({ driver: 'container', root, image }),
  },
]
