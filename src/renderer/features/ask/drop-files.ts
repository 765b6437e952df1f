import { useState } from 'react'
import { createSerial } from '../../../shared/serial'
import { readFileBase64 } from '../../ground/bytes'
import type { DraftFile } from '../../stores/asks'
import type { LocalFile } from '../../stores/ui'

/** A file that a person chose or dropped, read. */
export interface ReadFile extends DraftFile {
  readonly folder: string
}

/** Reads what a person chose or dropped. */
export async function readFiles(files: readonly LocalFile[]): Promise<ReadFile[]> {
  const read: ReadFile[] = []
  for (const { file, folder } of files) {
    read.push({ name: file.name, base64: await readFileBase64(file), bytes: file.size, folder })
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
): (filesPromise: Promise<readonly LocalFile[]>) => void {
  const [inTurn] = useState(createSerial)
  return (filesPromise) => void inTurn(async () => take(await readFiles(await filesPromise)))
}
