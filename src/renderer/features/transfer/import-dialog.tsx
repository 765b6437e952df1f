import { FileInput, FileUp, Undo2 } from '../../components/icons'
import { useState } from 'react'
import type { ImportReport } from '../../../shared/domain/format'
import type { ImportSource } from '../../../shared/domain/item-transfer'
import { NEW_MEMORY } from '../../../shared/domain/memory-info'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { ErrorNotice } from '../../components/error-notice'
import { Form } from '../../components/form'
import { fileName, plural, formatWhen } from '../../components/format'
import { readFileBase64 } from '../../ground/bytes'
import { chosenFiles } from '../../ground/dropped-files'
import { FilePicker } from '../../ground/file-picker'
import { TextField } from '../../ground/text-field'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { undoImport } from '../../stores/job-ended'
import type { ImportRequest, LocalFile } from '../../stores/ui'
import { useServices, useStored } from '../../stores/use-services'
import { ImportPreview, type ImportChoice } from './import-preview'

const PAUSE_MS = 150

/** What is forgotten of a choice with what is read. */
const ANEW = { format: 'auto', kinds: null, answers: {} } as const

/** Brings files of any format into a memory: first what would come in, then bringing it in. Its end offers to undo it. */
export function ImportDialog({ request, onClose }: { request: ImportRequest; onClose(): void }) {
  const { files, paths } = request
  const { client, memories } = useServices()
  const { currentId, memories: list } = useStored('memories')
  const [choice, setChoice] = useState<ImportChoice>({ ...ANEW, memoryId: null, onConflict: 'keep' })
  const change = (part: Partial<ImportChoice>) => setChoice({ ...choice, ...part })
  const { format, kinds, onConflict, answers } = choice
  const memoryId = choice.memoryId ?? currentId ?? list[0]?.id ?? ''
  const [project, setProject] = useState('')
  const [picked, setPicked] = useState(files)
  const [place, setPlace] = useState('')
  const [source, setSource] = useState<ImportSource | null>(
    paths.length > 0 ? { from: 'paths', paths: [...paths] } : null,
  )
  const { attempt, busy, problem: refusal } = useAttempt()
  const names = picked.map(({ file, folder }) => `${folder}/${file.name}`).join('\n')
  const isChosen = picked.length > 0 || source !== null
  const input = { memoryId, format, kinds: kinds && [...kinds], onConflict, answers: { ...answers } }
  const reading = useQuery(
    `${names} ${JSON.stringify(source)} ${memoryId} ${format}`,
    isChosen
      ? async (signal) =>
          client.items.previewImport({ ...input, source: source ?? (await filesSource(picked)) }, { signal })
      : null,
    JSON.stringify([kinds, onConflict, answers]),
    PAUSE_MS,
  )
  const report = isChosen ? reading.data : null
  /** Named as the file is. */
  const makeMemory = async (): Promise<string> => {
    const name = fileName(report?.file ?? '').replace(/\.[a-z]{1,8}$/i, '')
    const { id } = await client.memories.create({ name: name === '' ? 'Imported' : name.slice(0, 80) })
    change({ memoryId: id })
    await memories.getState().reload()
    return id
  }
  const again = () => {
    setPicked([])
    setSource(null)
    change(ANEW)
  }
  const submit = async () => {
    if (!isChosen) {
      if (place.trim() !== '') setSource(placeSource(place.trim()))
      return
    }
    const isStarted = await attempt(async () => {
      const read = source ?? (await filesSource(picked))
      const into = memoryId === NEW_MEMORY ? await makeMemory() : memoryId
      await client.items.import({
        ...{ ...input, memoryId: into, source: read, client: 'window' },
        project: project.trim() === '' ? null : project.trim(),
      })
    })
    if (isStarted) onClose()
  }
  const problem = refusal ?? reading.problem
  return (
    <Dialog
      title="Import"
      description="Chats of other programs, which become asks, their memories, logs and bundles. Nothing changes before you have seen what would come in. Notes and documents are not imported: My files reads them where they are."
      className="w-[min(640px,calc(100vw-32px))]"
      onClose={onClose}
    >
      <Form className="flex min-h-0 flex-1 flex-col" onSubmit={() => void submit()}>
        <div className="flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto p-4">
          {problem ? <ErrorNotice problem={problem} /> : null}
          {isChosen ? (
            <ImportPreview
              name={report?.file ?? (picked.map(({ file }) => file.name).join(', ') || place)}
              report={report}
              waiting={reading.loading && problem === null}
              {...{ memoryId, choice, project }}
              onProject={setProject}
              onChange={change}
            />
          ) : (
            <ImportSources memoryId={memoryId} place={place} onPlace={setPlace} onFiles={setPicked} />
          )}
        </div>
        <div className="flex items-center justify-end gap-2 border-t p-3">
          <p role="status" className="min-w-0 flex-1 text-xs text-muted">
            {report ? willComeIn(report) : ''}
          </p>
          {isChosen ? (
            <Button onClick={again}>Choose another</Button>
          ) : (
            <Button onClick={onClose}>Cancel</Button>
          )}
          <Button
            look="primary"
            type="submit"
            icon={FileInput}
            disabled={
              isChosen ? busy || reading.loading || (report?.imported ?? 0) === 0 : place.trim() === ''
            }
          >
            {isChosen ? (busy ? 'Importing…' : 'Import') : 'Preview'}
          </Button>
        </div>
      </Form>
    </Dialog>
  )
}

const willComeIn = ({ rows, imported }: ImportReport): string =>
  `${imported} of ${plural(rows, 'row')} would come in`

/** Earlier imports that are listed. */
const MOST_IMPORTS = 5

/** Files as the host takes them. Rejects with `BAD_INPUT` for one that is too large for that. */
async function filesSource(files: readonly LocalFile[]): Promise<ImportSource> {
  const read = []
  for (const { file, folder } of files)
    read.push({
      fileName: folder === '' ? file.name : `${folder}/${file.name}`,
      data: await readFileBase64(file),
    })
  return { from: 'files', files: read }
}

/** A path of this machine, or an address of an object store. */
const placeSource = (place: string): ImportSource =>
  /^[a-z][a-z0-9+]{1,9}:\/\//i.test(place)
    ? { from: 'published', address: place }
    : { from: 'paths', paths: [place] }

/** Where an import comes from, and what was imported before. */
function ImportSources(props: {
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
            {undoable.map(({ importId, file, imported, at, goneOnWith }) => (
              <li key={importId} className="flex items-center gap-2 px-3 py-1.5">
                <span className="min-w-0 flex-1 [overflow-wrap:anywhere]">
                  {file === '' ? 'Bundle' : file}{' '}
                  <span className="text-muted">
                    {plural(imported, 'row')}, {formatWhen(at)}
                    {goneOnWith > 0 ? `; ${plural(goneOnWith, 'ask')} that you went on with would stay` : ''}
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
