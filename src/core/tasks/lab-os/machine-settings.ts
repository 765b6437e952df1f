import { choice, text } from '../../ground/settings'

/** Which system commands run in, as environments ask for it; what they read is a `MachineChoice`. */
export const MACHINE_SETTINGS = {
  driver: choice(
    {
      simulated: 'Simulated, built in',
      bubblewrap: 'Linux, by bubblewrap',
      container: 'Container, by podman or docker',
    },
    'simulated',
    {
      title: 'System',
      help: 'What commands run in. The simulated one needs nothing and knows less than a real one.',
    },
  ),
  root: text('', {
    title: 'Root folder',
    help: 'For bubblewrap: the folder of a small Linux system, made by debootstrap for example.',
    look: 'path',
  }),
  image: text('docker.io/library/debian:bookworm', {
    title: 'Image',
    help: 'For containers: an image with bash that is on this computer already.',
  }),
}
