import { resolve } from 'node:path'
import { changesWords } from '../../../shared/domain/files'
import { UsageError } from '../arguments'
import { followJob } from '../follow-job'
import type { Command } from './command'
import { memoryNamed } from './memory-named'

const VERBS = ['add', 'list', 'sync', 'remove', 'open']

/** `loam files add|list|sync|remove|open`: a person's own files as memory. */
export const filesCommand: Command = async ({ args, io, host }) => {
  const [, verb = 'list', what] = args.positionals
  if (!VERBS.includes(verb)) throw new UsageError(`loam files does what? One of: ${VERBS.join(', ')}`)
  const target = { add: 'a folder', remove: 'the id of a folder', open: 'the id of a passage' }[verb]
  if (what === undefined && target !== undefined) throw new UsageError(`loam files ${verb} wants ${target}`)
  const memoryId = memoryNamed(args)
  const reached = await host()
  const { files } = reached.client
  if (verb === 'open') {
    const citation = await files.open({ memoryId, passageId: what ?? '' })
    const { file, path, from, to, state, text } = citation
    io.out(`${file ?? path}:${from}-${to}${state === 'same' ? '' : ` (${state})`}\n${text}`)
    return citation
  }
  if (verb === 'remove') await files.remove({ memoryId, folderId: what ?? '' })
  let addition: string | undefined
  if (verb === 'add') {
    const { folderId, jobId } = await files.add({
      ...{ memoryId, path: resolve(what ?? '') },
      project: args.text('project') ?? null,
    })
    addition = folderId
    await followJob(reached, jobId, io)
  }
  if (verb === 'sync')
    await followJob(reached, (await files.sync({ memoryId, folderId: what ?? null })).jobId, io)
  const folders = await files.list({ memoryId })
  const views = []
  for (const folder of folders) {
    const isMeant = verb === 'sync' ? what === undefined || folder.id === what : folder.id === addition
    const changes = isMeant ? await files.lastSync({ memoryId, folderId: folder.id }) : null
    views.push({ ...folder, ...(changes && { changes }) })
    io.out(
      `${folder.id}  ${folder.path}  ${folder.files} files, ${folder.passages} passages${folder.project === null ? '' : `, for project ${folder.project}`}${folder.isThere ? '' : '  (not there now)'}`,
    )
    if (changes) io.out(`  ${changesWords([changes])}`)
    for (const { path, why } of folder.left) io.note(`  ${path}: ${why}`)
  }
  return { folders: views }
}
