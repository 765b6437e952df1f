import { z } from 'zod'
import { OS_DRIVER_IDS } from './machine'

/** Which system commands run in, as environments ask for it; what they read is a `MachineChoice`. */
export const MACHINE_SETTINGS = {
  driver: z
    .enum(OS_DRIVER_IDS)
    .default('simulated')
    .meta({
      title: 'System',
      help: 'What commands run in. The simulated one needs nothing and knows less than a real one.',
      choices: {
        simulated: 'Simulated, built in',
        bubblewrap: 'Linux, by bubblewrap',
        container: 'Container, by podman or docker',
      },
    }),
  root: z.string().default('').meta({
    title: 'Root folder',
    help: 'For bubblewrap: the folder of a small Linux system, made by debootstrap for example.',
    look: 'path',
  }),
  image: z.string().default('docker.io/library/debian:bookworm').meta({
    title: 'Image',
    help: 'For containers: an image with bash that is on this computer already.',
  }),
}
