import { defineSettings, whole, type SettingsOf } from '../../../core/ground/settings'

/** How OpenAI-compatible servers are spoken to. */
export const OPENAI_SETTINGS = defineSettings('openai', 'Model servers', {
  timeoutS: whole(1, 290, 120, {
    title: 'Time to answer',
    help: 'How long a server may be silent, before its first word and between two.',
    unit: 'seconds',
  }),
  retries: whole(0, 10, 3, {
    title: 'Further tries',
    help: 'How often a request is made again, with growing pauses, when the server is busy, fails or does not answer.',
    unit: 'tries',
  }),
  parallel: whole(1, 64, 4, {
    title: 'Requests at a time',
    help: 'More than a server can work on at once only wait in its queue.',
    unit: 'requests',
  }),
  contextSize: whole(0, 4_194_304, 0, {
    title: 'Context size',
    help: 'Tokens the model reads; 0 asks the server, and takes 8192 where it does not say.',
    unit: 'tokens',
  }),
})
export type OpenAiSettings = SettingsOf<typeof OPENAI_SETTINGS>
