import type { DraftFile } from '../../stores/asks'

/** Reads a file that a person chose or dropped. */
async function readDraft(file: File, name: string): Promise<DraftFile> {
  const bytes = new Uint8Array(await file.arrayBuffer())
  let text = ''
  const step = 0x8000
  for (let at = 0; at < bytes.length; at += step)
    text += String.fromCharCode(...bytes.subarray(at, at + step))
  return { name, base64: btoa(text), bytes: bytes.length }
}

/** Files with a name of their own each, those that were there first; a name that is taken gets its folder's, then a number. */
export async function withFiles(
  before: readonly DraftFile[],
  files: readonly { readonly file: File; readonly folder: string }[],
): Promise<DraftFile[]> {
  const all = [...before]
  const taken = (name: string) => all.some((one) => one.name.toLowerCase() === name.toLowerCase())
  for (const { file, folder } of files) {
    let name = file.name
    if (taken(name) && folder !== '') name = `${folder.replaceAll('/', '-')}-${name}`
    for (let n = 2; taken(name); n++) name = `${n}-${file.name}`
    all.push(await readDraft(file, name))
  }
  return all
}

/** Files that were chosen in the system's own window; those of a folder know where in it they lay. */
export const chosenFiles = (files: readonly File[]): { file: File; folder: string }[] =>
  files.map((file) => ({ file, folder: file.webkitRelativePath.split('/').slice(0, -1).join('/') }))

/** Every file of what was dropped, those in folders too. */
export async function droppedFiles(
  transfer: Pick<DataTransfer, 'items' | 'files'>,
): Promise<{ file: File; folder: string }[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return [...transfer.files].map((file) => ({ file, folder: '' }))
  const found: { file: File; folder: string }[] = []
  const walk = async (entry: FileSystemEntry, folder: string): Promise<void> => {
    if (isFile(entry)) {
      found.push({ file: await new Promise<File>((done, failed) => entry.file(done, failed)), folder })
      return
    }
    if (!isFolder(entry)) return
    const reader = entry.createReader()
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`
    for (;;) {
      const some = await new Promise<FileSystemEntry[]>((done, failed) => reader.readEntries(done, failed))
      if (some.length === 0) return
      for (const one of some) await walk(one, path)
    }
  }
  for (const entry of entries) await walk(entry, '')
  return found
}

const isFile = (entry: FileSystemEntry): entry is FileSystemFileEntry => entry.isFile
const isFolder = (entry: FileSystemEntry): entry is FileSystemDirectoryEntry => entry.isDirectory
