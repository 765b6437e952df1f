import { toolServer } from '../module'
import { options } from './options'

/** Words for images, recordings and films. */
export const captions = toolServer({
  id: 'captions',
  title: 'Captions',
  about: 'Pictures, recordings and films in words, by a model that sees or hears where one is chosen',
  files: { 'photo.png': 'x', 'talk.wav': 'x', 'film.mp4': 'x' },
  tools: [
    {
      name: 'describe_image',
      needs: 'shows an image to the model that is chosen for it',
      example: { args: { path: 'photo.png' }, answers: 'Not available' },
      wrong: { path: '' },
    },
    {
      name: 'transcribe_audio',
      needs: 'plays a recording to the model that is chosen for it',
      example: { args: { path: 'talk.wav' }, answers: 'Not available' },
      wrong: { path: '' },
    },
    {
      name: 'describe_video',
      needs: 'shows a film to the model that is chosen for it',
      example: { args: { path: 'film.mp4' }, answers: 'Not available' },
      wrong: { path: '' },
    },
  ],
  options,
  forRun: ({ folder, tools }) => ({ root: [folder, ...tools.folders] }),
  open: async (given, version) => (await import('./server')).openCaptionsServer(given, version),
})
