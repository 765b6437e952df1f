import { FileUp, Undo2 } from 'lucide-react'
import { useEffect, useState, type DragEvent } from 'react'
import { useStore } from 'zustand'
import type { BundleAbout, BundleImportInfo } from '../../../shared/domain/sharing'
import type { MemoryInfo } from '../../../shared/domain/memory-info'
import { Button } from '../../components/button'
import { classNames } from '../../components/class-names'
import { ErrorNotice } from '../../components/error-notice'
import { formatWhen, plural } from '../../components/format'
import { readFileBase64 } from '../../ground/bytes'
import { FilePicker } from '../../ground/file-picker'
import { TitledSection } from '../../ground/titled-section'
import { useAttempt } from '../../ground/use-attempt'
import { nameOfMemory } from '../../stores/memories'
import { useServices } from '../../stores/use-services'
import { Conflicts, type Answers } from './conflicts'

interface Opened {
  readonly name: string
  readonly data: string
  readonly about: BundleAbout
  readonly report: BundleImportInfo
}

/** Brings a bundle into the open memory: first what it would do, then doing it, and taking it back. */
export function ReadBundle({ memory }: { readonly memory: MemoryInfo }) {
  const { client, memories, toasts } = useServices()
  const [handle, setOpened] = useState<Opened | null>(null)
  const [answers, setAnswers] = useState<Answers>({})
  const [over, setOver] = useState(false)
  const { attempt, busy, problem: failure } = useAttempt()
  const open = (file: File) =>
    attempt(async () => {
      setOpened(null)
      setAnswers({})
      const data = await readFileBase64(file)
      const { about, report } = await client.sharing.importBundle({
        memoryId: memory.id,
        data,
        preview: true,
      })
      setOpened({ name: file.name, data, about, report })
    })
  const take = ({ data, name }: Opened) =>
    attempt(async () => {
      const { report } = await client.sharing.importBundle({
        memoryId: memory.id,
        data,
        preview: false,
        answers,
      })
      setOpened(null)
      await memories.getState().reload()
      const detail = `${report.imported} of ${report.rows} rows; ${plural(report.duplicates, 'row')} there already`
      toasts.getState().tell(`Brought in ${name}`, detail)
    })
  const takeBack = () =>
    attempt(async () => {
      const { at } = await client.sharing.rollBack({ memoryId: memory.id })
      await memories.getState().reload()
      toasts.getState().tell('The import is taken back', formatWhen(at))
    })
  const drop = (event: DragEvent) => {
    event.preventDefault()
    // The window itself would read it as tasks or a log.
    event.stopPropagation()
    setOver(false)
    const [file] = event.dataTransfer.files
    if (file) void open(file)
  }
  return (
    <TitledSection
      title="Read a bundle"
      lead={`Into ${nameOfMemory(memory)}. Nothing changes before you have seen what would.`}
      action={
        <Button icon={Undo2} disabled={busy} onClick={() => void takeBack()}>
          Take the last import back
        </Button>
      }
    >
      <div
        role="group"
        aria-label="Bundle to read"
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={drop}
        className={classNames(
          'flex items-center gap-4 rounded-lg border border-dashed p-4 text-sm text-muted',
          over && 'border-accent bg-hover',
        )}
      >
        <FilePicker label="Bundle file" accept=".zip" onFile={(file) => void open(file)}>
          {(pick) => (
            <Button icon={FileUp} disabled={busy} onClick={pick}>
              {busy ? 'Reading…' : 'Choose a bundle'}
            </Button>
          )}
        </FilePicker>
        <span>or drop one here</span>
      </div>
      {failure ? <ErrorNotice problem={failure} /> : null}
      {handle ? (
        <section
          aria-label="What it would do"
          className="flex flex-col gap-3 rounded-lg border bg-surface p-4 text-sm"
        >
          <About {...handle} />
          <Conflicts conflicts={handle.report.conflicts} answers={answers} onChange={setAnswers} />
          <Left left={handle.report.left} />
          <div className="flex gap-2">
            <Button
              look="primary"
              disabled={busy || nothing(handle.report, answers)}
              onClick={() => void take(handle)}
            >
              Bring it in
            </Button>
            <Button look="quiet" onClick={() => setOpened(null)}>
              Leave it
            </Button>
          </div>
        </section>
      ) : null}
    </TitledSection>
  )
}

const nothing = ({ imported, conflicts }: BundleImportInfo, answers: Answers): boolean =>
  imported === 0 && !conflicts.some(({ kind, id }) => (answers[`${kind}/${id}`] ?? 'keep') !== 'keep')

function About({ name, about, report }: Opened) {
  const { memoryKinds } = useServices()
  const kinds = useStore(memoryKinds, ({ data }) => data) ?? []
  useEffect(() => {
    if (memoryKinds.getState().data === null) void memoryKinds.getState().reload()
  }, [memoryKinds])
  const nameOf = (id: string, count: number): string => {
    const kind = kinds.find((one) => one.id === id)
    if (kind) return (count === 1 ? kind.title : kind.titleMany).toLowerCase()
    return count === 1 ? id.replace(/s$/, '') : id
  }
  const counts = Object.entries(about.counts).filter(([, count]) => count > 0)
  return (
    <>
      <p>
        <strong className="font-medium">{name}</strong>: {about.memory}, written {formatWhen(about.createdAt)}
        ; {about.signed === null ? 'nobody signed it' : `signed by ${about.signed.slice(0, 16)}`}
        {about.licence === null ? '' : `; ${about.licence}`}.
      </p>
      <p className="text-muted">
        In it: {counts.map(([kind, count]) => `${count} ${nameOf(kind, count)}`).join(', ')}.
      </p>
      <p>
        {report.whole ? 'Its whole history comes in. ' : ''}
        {report.imported} of {plural(report.rows, 'row')} would come in, {report.duplicates}{' '}
        {report.duplicates === 1 ? 'is' : 'are'} there already, {plural(report.conflicts.length, 'item')}{' '}
        {report.conflicts.length === 1 ? 'reads' : 'read'} differently here.
      </p>
    </>
  )
}

function Left({ left }: Pick<BundleImportInfo, 'left'>) {
  if (left.length === 0) return null
  return (
    <details>
      <summary className="w-fit cursor-pointer text-notice">
        {plural(left.length, 'row')} could not be used
      </summary>
      <ul className="mt-1 max-h-40 overflow-y-auto rounded-md bg-sunken px-3 py-2">
        {left.map(({ file, line, why }, i) => (
          <li key={i}>
            <span className="text-muted">
              {file}, line {line}:
            </span>{' '}
            {why}
          </li>
        ))}
      </ul>
    </details>
  )
}
