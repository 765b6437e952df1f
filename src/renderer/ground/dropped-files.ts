import type { LocalFile } from '../stores/ui'

/** Whether a path is that of a model, which is read where it lies. */
export const isModel = (path: string): boolean => /\.gguf$/i.test(path)

/** Whether a path names a file that is no model: folders have no ending. */
export const isForImport = (path: string): boolean =>
  /\.[a-z0-9]{1,8}$/i.test(path) && !isModel(path) && !/\.onnx$/i.test(path)

/** Whether files that are dropped where an ask is written are none to go with it: a bundle is previewed, a model is added. */
export const goesElsewhere = ({ files }: Pick<DataTransfer, 'files'>): boolean =>
  [...files].some(({ name }) => isModel(name) || /\.loam$/i.test(name))

/** Files that were chosen in the system's own window; those of a folder know where in it they lay. */
export const chosenFiles = (files: readonly File[]): LocalFile[] =>
  files.map((file) => ({ file, folder: file.webkitRelativePath.split('/').slice(0, -1).join('/') }))

/** Every file of what was dropped, those in folders too. */
export async function droppedFiles(transfer: Pick<DataTransfer, 'items' | 'files'>): Promise<LocalFile[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return [...transfer.files].map((file) => ({ file, folder: '' }))
  const files: LocalFile[] = []
  const walk = async (entry: FileSystemEntry, folder: string): Promise<void> => {
    if (isFile(entry)) {
      files.push({
        file: await new Promise<File>((getOutcome, getFailure) => entry.file(getOutcome, getFailure)),
        folder,
      })
      return
    }
    if (!isFolder(entry)) return
    const reader = entry.createReader()
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((getOutcome, getFailure) =>
        reader.readEntries(getOutcome, getFailure),
      )
      if (some.length === 0) return
      for (const one of some) await walk(one, path)
    }
  }
  for (const entry of entries) await walk(entry, '')
  return files
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
