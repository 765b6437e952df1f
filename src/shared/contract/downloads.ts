import { z } from 'zod'
import { downloadInfoSchema, hubModelSchema, hubRepoSchema, offeredEmbedderSchema } from '../domain/download'
import { gpuKindSchema } from '../domain/gpu-library'
import { changing, following, managing, onlyOne, reading } from './procedure'

const repo = z.object({ repo: z.string() })
const downloadId = z.object({ downloadId: z.string() })
const list = z.array(downloadInfoSchema)

/** Models and encoders from the hub. */
export const downloads = {
  list: reading('Downloads that are under way or waiting, in their order.').output(list),
  watch: following('Follows the downloads.', onlyOne, list),
  search: managing(
    'Asks the hub for models by name. What is asked for leaves this machine; needs the network.',
  )
    .input(z.object({ text: z.string().min(1).max(200) }))
    .output(z.array(hubModelSchema)),
  choices: managing('Asks the hub what files of a repository can be had. Needs the network.')
    .input(repo)
    .output(hubRepoSchema),
  offers: reading('Embedding models that are offered for download.').output(z.array(offeredEmbedderSchema)),
  add: managing('Puts a model of the hub into the queue of downloads.')
    .input(repo.extend({ choice: z.string() }))
    .output(downloadInfoSchema),
  addKnown: managing('Puts a known model into the queue of downloads.')
    .input(z.object({ id: z.string() }))
    .output(downloadInfoSchema),
  addEmbedder: managing(
    'Puts an offered embedding model into the queue of downloads; it is chosen once it is here.',
  )
    .input(z.object({ id: z.string() }))
    .output(downloadInfoSchema),
  addGpuLibrary: managing(
    'Puts libraries for graphics cards into the queue of downloads; they count from the next start of Loam.',
  )
    .input(z.object({ kind: gpuKindSchema }))
    .output(downloadInfoSchema),
  pause: changing('Stops a download; what is here is kept.').input(downloadId).output(downloadInfoSchema),
  resume: changing('Lets a paused or failed download go on.').input(downloadId).output(downloadInfoSchema),
  cancel: changing('Takes a download out of the queue and throws away what is here of it.').input(downloadId),
}
