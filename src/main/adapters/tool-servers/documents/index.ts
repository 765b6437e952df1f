import { toolServer } from '../module'
import { options } from './options'

/** Files of many kinds as Markdown. */
export const documents = toolServer({
  id: 'documents',
  about: 'PDF, Word, Excel, PowerPoint, CSV, ZIP and more as text',
  files: { 'rows.csv': 'name,size\nmoss,3\n' },
  tools: [
    {
      name: 'read_document',
      needs: 'reads files of the allowed folders',
      example: { args: { path: 'rows.csv' }, answers: '| moss | 3 |' },
      wrong: { path: '../private.txt' },
    },
    {
      name: 'list_documents',
      needs: 'reads the names of files in the allowed folders',
      example: { args: { containing: 'rows' }, answers: 'rows.csv' },
      wrong: { containing: 7 },
    },
  ],
  options,
  forRun: ({ tools, folder, seconds }) => ({ root: [folder, ...tools.folders], timeLimit: seconds }),
  open: async (given, version) => (await import('./server')).openDocumentsServer(given, version),
})
