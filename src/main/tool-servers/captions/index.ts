import { filesEndIn, toolServer, toolThat } from '../module'
import { options } from './options'

const tells = (does: string, name: string, path: string) =>
  toolThat(`${does} to the model that is chosen for it`)(name, { path }, 'Not available', { path: '' })

/** Words for images, recordings and films. */
export const captions = toolServer({
  id: 'captions',
  about: 'Pictures, recordings and films in words, by a model that sees or hears where one is chosen',
  files: { 'photo.png': 'x', 'talk.wav': 'x', 'film.mp4': 'x' },
  isNeeded: filesEndIn(/\.(?:png|jpe?g|gif|webp|bmp|mp3|wav|m4a|flac|ogg|mp4|mov|webm|mkv)$/i),
  tools: [
    tells('shows an image', 'describe_image', 'photo.png'),
    tells('plays a recording', 'transcribe_audio', 'talk.wav'),
    tells('shows a film', 'describe_video', 'film.mp4'),
  ],
  options,
  forRun: ({ folder, tools }) => ({ root: [folder, ...tools.folders] }),
  open: async (input, version) => (await import('./server')).openCaptionsServer(input, version),
})
