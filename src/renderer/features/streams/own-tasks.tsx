import { Eye, FileUp, ListPlus, X } from '../../components/icons'
import { useState } from 'react'
import type { AnswerCheck } from '../../../shared/domain/answer-check'
import type {
  ColumnChoice,
  RowsFile,
  TablePreview,
  TableSource,
  TasksPreview,
} from '../../../shared/domain/own-tasks'
import type { LoamErrorShape } from '../../../shared/errors'
import { Button } from '../../components/button'
import { DialogButton } from '../../components/dialog'
import { IconButton } from '../../components/icon-button'
import { fileName } from '../../components/format'
import { FilePicker, ROW_ENDINGS } from '../../ground/file-picker'
import { FormDialog } from '../../ground/form-dialog'
import { readRowsFile } from '../../ground/bytes'
import { TextArea, TextField } from '../../ground/text-field'
import { errorShape } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'
import { OwnCheck } from '../../ground/own-check'
import { OwnColumns, OwnTasksPreview } from './own-columns'
import { useAddStream } from './use-add-stream'

/** Turns people's own rows into a stream. */
export function OwnTasks() {
  return (
    <DialogButton look="primary" icon={ListPlus} dialog={(close) => <OwnTasksDialog onClose={close} />}>
      Bring your own tasks
    </DialogButton>
  )
}

/** A title until a person writes another: the file's name, without its ending. */
const titleOf = (source: TableSource): string => {
  const name = 'path' in source ? fileName(source.path) : 'fileName' in source ? source.fileName : ''
  return name.replace(/\.[^.]*$/, '') || 'My tasks'
}

/** What is being made of rows, step by step: each step is there once the one before it is done. */
function useOwnTasks() {
  const { client } = useServices()
  const [text, setText] = useState('')
  const [path, setPath] = useState('')
  const [file, setFile] = useState<RowsFile | null>(null)
  const [visit, setSeen] = useState<TablePreview | null>(null)
  const [columns, setColumns] = useState<ColumnChoice | null>(null)
  const [check, setCheck] = useState<AnswerCheck>({ kind: 'exact', caseMatters: false })
  const [trial, setTried] = useState<TasksPreview | null>(null)
  const [title, setTitle] = useState('')
  const [problem, setProblem] = useState<LoamErrorShape | null>(null)
  const source: TableSource = file ?? (path.trim() === '' ? { text } : { path: path.trim() })
  const asking = async (ask: () => Promise<void>) => {
    setProblem(null)
    await ask().catch((error: unknown) => setProblem(errorShape(error)))
  }
  const forget = () => {
    setSeen(null)
    setTried(null)
  }
  const look = (from: TableSource) =>
    asking(async () => {
      forget()
      const match = await client.streams.look({ source: from })
      setSeen(match)
      setColumns(match.guess)
      setTitle((before) => before || titleOf(from))
    })
  return {
    ...{ text, path, file, seen: visit, columns, check, tried: trial, title, problem, source, look },
    setTitle,
    type: (inputText: string) => (setText(inputText), setPath(''), setFile(null), forget()),
    name: (inputText: string) => (setPath(inputText), setFile(null), forget()),
    take: (chosenFile: File) =>
      asking(async () => {
        const rows = await readRowsFile(chosenFile)
        setText('text' in rows ? rows.text : '')
        setFile('text' in rows ? null : rows)
        setPath('')
        await look(rows)
      }),
    leaveFile: () => (setFile(null), forget()),
    map: (input: ColumnChoice) => (setColumns(input), setTried(null)),
    checkBy: (input: AnswerCheck) => (setCheck(input), setTried(null)),
    tryOut: () =>
      asking(async () => {
        if (columns) setTried(await client.streams.try({ source, columns, check }))
      }),
  }
}

function OwnTasksDialog({ onClose }: { onClose(): void }) {
  const { client } = useServices()
  const { ask } = useAddStream()
  const own = useOwnTasks()
  const [documents, setDocuments] = useState('')
  const { seen, columns } = own
  const isEmpty = own.text.trim() === '' && own.path.trim() === '' && !own.file
  const keep = () => {
    const { source, check, title } = own
    const paths = documents
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
    if (!columns) return Promise.resolve(null)
    return ask(() => client.streams.keep({ source, columns, check, title, documents: paths }), 'is kept')
  }
  return (
    <FormDialog
      title="Bring your own tasks"
      description="Rows become tasks: say which column is the question, which the answer, and how answers are checked."
      className="w-[min(760px,calc(100vw-32px))]"
      submit={{ label: 'Keep as a stream', busy: 'Keeping…' }}
      ready={seen !== null && columns !== null && own.title.trim() !== ''}
      problem={own.problem}
      onSubmit={keep}
      onClose={onClose}
    >
      <div
        className="flex flex-col gap-3"
        onDragOver={(event) => event.preventDefault()}
        onDrop={(event) => {
          const [file] = event.dataTransfer.files
          if (!file) return
          event.preventDefault()
          void own.take(file)
        }}
      >
        <TextArea
          label="Rows"
          hint="Paste from a spreadsheet, or choose or drop a file: a workbook, CSV, JSONL. The first row names the columns."
          code
          rows={5}
          value={own.text}
          onChange={own.type}
        />
        <TextField
          label="Or a file or folder"
          placeholder="Full path"
          spellCheck={false}
          value={own.path}
          onChange={own.name}
        />
        <div className="flex flex-wrap items-center gap-2">
          <Button icon={Eye} disabled={isEmpty} onClick={() => void own.look(own.source)}>
            Read rows
          </Button>
          <FilePicker
            label="A file with rows"
            accept={ROW_ENDINGS}
            onFiles={([file]) => void (file && own.take(file))}
          >
            {(pick) => (
              <Button icon={FileUp} onClick={pick}>
                Choose a file
              </Button>
            )}
          </FilePicker>
          {own.file ? (
            <span className="flex min-w-0 items-center gap-1 text-sm">
              <span className="truncate">{own.file.fileName}</span>
              <IconButton icon={X} label={`Leave out ${own.file.fileName}`} onClick={own.leaveFile} />
            </span>
          ) : null}
        </div>
      </div>
      {seen && columns ? (
        <>
          <OwnColumns seen={seen} columns={columns} onChange={own.map} />
          <OwnCheck check={own.check} onChange={own.checkBy} />
          <TextField label="Title" maxLength={120} value={own.title} onChange={own.setTitle} />
          <TextArea
            label="Documents for every task"
            hint="Full paths, one per line. Optional."
            code
            rows={2}
            value={documents}
            onChange={setDocuments}
          />
          <div>
            <Button icon={Eye} onClick={() => void own.tryOut()}>
              Preview tasks
            </Button>
          </div>
          {own.tried ? <OwnTasksPreview tried={own.tried} /> : null}
        </>
      ) : null}
    </FormDialog>
  )
}
