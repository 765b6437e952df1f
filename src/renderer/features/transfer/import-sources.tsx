import { FileUp, Undo2 } from 'lucide-react'
import type { ImportSource } from '../../../shared/domain/item-transfer'
import { Button } from '../../components/button'
import { formatWhen, plural } from '../../components/format'
import { readFileBase64 } from '../../ground/bytes'
import { chosenFiles } from '../../ground/dropped-files'
import { FilePicker } from '../../ground/file-picker'
import { TextField } from '../../ground/text-field'
import { useQuery } from '../../ground/use-query'
import { undoImport } from '../../stores/job-ended'
import type { LocalFile } from '../../stores/ui'
import { useServices } from '../../stores/use-services'

/** Earlier imports that are listed. */
const MOST_IMPORTS = 5

/** Files as the host takes them. Rejects with `BAD_INPUT` for one that is too large for that. */
export async function filesSource(files: readonly LocalFile[]): Promise<ImportSource> {
  const read = []
  for (const { file, folder } of files)
    read.push({
      fileName: folder === '' ? file.name : `${folder}/${file.name}`,
      data: await readFileBase64(file),
    })
  return { from: 'files', files: read }
}

/** A path of this machine, or an address of an object store. */
export const placeSource = (place: string): ImportSource =>
  /^[a-z][a-z0-9+]{1,9}:\/\//i.test(place)
    ? { from: 'published', address: place }
    : { from: 'paths', paths: [place] }

/** Where an import comes from, and what was imported before. */
export function ImportSources(props: {
  memoryId: string
  place: string
  onPlace(place: string): void
  onFiles(files: readonly LocalFile[]): void
}) {
  const { memoryId } = props
  const services = useServices()
  const { client } = services
  const earlier = useQuery(memoryId, () => client.items.imports({ memoryId }))
  const undoable = (earlier.data ?? []).filter(({ undoneAt }) => undoneAt === null).slice(0, MOST_IMPORTS)
  const undo = async (importId: string) => {
    await undoImport(services, memoryId, importId)
    earlier.reload()
  }
  return (
    <>
      <div className="flex items-center gap-4 rounded-lg border border-dashed p-4 text-sm text-muted">
        <FilePicker label="Files to import" multiple onFiles={(files) => props.onFiles(chosenFiles(files))}>
          {(pick) => (
            <Button icon={FileUp} onClick={pick}>
              Choose files
            </Button>
          )}
        </FilePicker>
        <span>or drop files or a folder anywhere in this window</span>
      </div>
      <TextField
        label="Or a path or an address"
        hint="The full path of a file, a folder or a pattern, or the address of a published memory."
        value={props.place}
        spellCheck={false}
        onChange={props.onPlace}
      />
      {undoable.length > 0 ? (
        <section aria-label="Imported before">
          <h3 className="mb-1 text-sm font-medium">Imported before</h3>
          <ul className="divide-y rounded-md border text-sm">
            {undoable.map(({ importId, file, imported, at }) => (
              <li key={importId} className="flex items-center gap-2 px-3 py-1.5">
                <span className="min-w-0 flex-1 truncate">
                  {file === '' ? 'Bundle' : file}{' '}
                  <span className="text-muted">
                    {plural(imported, 'row')}, {formatWhen(at)}
                  </span>
                </span>
                <Button size="small" icon={Undo2} onClick={() => void undo(importId)}>
                  Undo
                </Button>
              </li>
            ))}
          </ul>
        </section>
      ) : null}
    </>
  )
}
