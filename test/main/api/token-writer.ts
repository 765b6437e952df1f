import { createKey } from '../../../src/main/api/program-keys'

/** Makes tokens as fast as it can: `token-writer.ts DATA_FOLDER NAME HOW_MANY`. */
const [dataPath = '', name = '', count = ''] = process.argv.slice(2)
for (let i = 0; i < Number(count); i++)
  await createKey(dataPath, { name: `${name}-${i}`, scopes: ['read'] }, new Date())
