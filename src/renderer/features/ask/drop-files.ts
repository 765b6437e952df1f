import { useState } from 'react'
import { createSerial } from '../../../shared/serial'
import type { DraftFile } from '../../stores/asks'

/** A file that a person chose or dropped, and the folder that it lay in; '' for none. */
export interface FoundFile {
  readonly file: File
  readonly folder: string
}

/** The same, read. */
export interface ReadFile extends DraftFile {
  readonly folder: string
}

/** Reads what a person chose or dropped. */
export async function readFiles(files: readonly FoundFile[]): Promise<ReadFile[]> {
  const read: ReadFile[] = []
  for (const { file, folder } of files) {
    const bytes = new Uint8Array(await file.arrayBuffer())
    let text = ''
    const step = 0x8000
    for (let at = 0; at < bytes.length; at += step)
      text += String.fromCharCode(...bytes.subarray(at, at + step))
    read.push({ name: file.name, base64: btoa(text), bytes: bytes.length, folder })
  }
  return read
}

/** Files with a name of their own each, those that were there first; a name that is taken gets its folder's, then a number. */
export function withFiles(before: readonly DraftFile[], files: readonly ReadFile[]): DraftFile[] {
  const all = [...before]
  const isTaken = (name: string) => all.some((one) => one.name.toLowerCase() === name.toLowerCase())
  for (const { folder, ...file } of files) {
    let { name } = file
    if (isTaken(name) && folder !== '') name = `${folder.replaceAll('/', '-')}-${name}`
    for (let n = 2; isTaken(name); n++) name = `${n}-${file.name}`
    all.push({ ...file, name })
  }
  return all
}

/** Takes files over one lot after the other, in the order they came: of two that are pasted in a row neither is lost. */
export function useFiles(
  take: (files: readonly ReadFile[]) => void,
): (filesPromise: Promise<readonly FoundFile[]>) => void {
  const [inTurn] = useState(createSerial)
  return (filesPromise) => void inTurn(async () => take(await readFiles(await filesPromise)))
}

/** Files that were chosen in the system's own window; those of a folder know where in it they lay. */
export const chosenFiles = (files: readonly File[]): FoundFile[] =>
  files.map((file) => ({ file, folder: file.webkitRelativePath.split('/').slice(0, -1).join('/') }))

/** Every file of what was dropped, those in folders too. */
export async function droppedFiles(transfer: Pick<DataTransfer, 'items' | 'files'>): Promise<FoundFile[]> {
  const entries = [...transfer.items].flatMap((item) => item.webkitGetAsEntry() ?? [])
  if (entries.length === 0) return [...transfer.files].map((file) => ({ file, folder: '' }))
  const files: FoundFile[] = []
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
