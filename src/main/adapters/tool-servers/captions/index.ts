import { toolServer, type ToolOfServer } from '../module'
import { options } from './options'

const tells = (name: string, does: string, path: string): ToolOfServer => ({
  name,
  needs: `${does} to the model that is chosen for it`,
  example: { args: { path }, answers: 'Not available' },
  wrong: { path: '' },
})

/** Words for images, recordings and films. */
export const captions = toolServer({
  id: 'captions',
  about: 'Pictures, recordings and films in words, by a model that sees or hears where one is chosen',
  files: { 'photo.png': 'x', 'talk.wav': 'x', 'film.mp4': 'x' },
  tools: [
    tells('describe_image', 'shows an image', 'photo.png'),
    tells('transcribe_audio', 'plays a recording', 'talk.wav'),
    tells('describe_video', 'shows a film', 'film.mp4'),
  ],
  options,
  forRun: ({ folder, tools }) => ({ root: [folder, ...tools.folders] }),
  open: async (given, version) => (await import('./server')).openCaptionsServer(given, version),
})
