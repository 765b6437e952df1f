import { filesEndIn, toolServer, toolThat } from '../module'
import { options } from './options'

const reads = toolThat('reads files of the allowed folders')
const lists = toolThat('reads the names of files in the allowed folders')

/** Files of many kinds as Markdown. */
export const documents = toolServer({
  id: 'documents',
  about: 'PDF, Word, Excel, PowerPoint, CSV, ZIP and more as text',
  files: { 'rows.csv': 'name,size\nmoss,3\n' },
  isNeeded: filesEndIn(/\.(?:pdf|docx?|xlsx?|pptx?|epub|zip|html?|eml)$/i),
  tools: [
    reads('read_document', { path: 'rows.csv' }, '| moss | 3 |', { path: '../private.txt' }),
    lists('list_documents', { containing: 'rows' }, 'rows.csv', { containing: 7 }),
  ],
  options,
  forRun: ({ tools, folder, seconds }) => ({ root: [folder, ...tools.folders], timeLimit: seconds }),
  open: async (input, version) => (await import('./server')).openDocumentsServer(input, version),
})
