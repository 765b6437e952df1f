import { Download, FileUp } from 'lucide-react'
import { useEffect, useState, type ReactNode } from 'react'
import { useStore } from 'zustand'
import type { FormatInfo, ImportReport } from '../../../shared/domain/format'
import { readingWords } from '../../../shared/domain/reading'
import type { KbStats } from '../../../shared/domain/experience-view'
import type { MemoryInfo } from '../../../shared/domain/memory-info'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { formatBytes, plural } from '../../components/format'
import { SkippedRows } from '../../components/skipped-rows'
import { Loading } from '../../components/loading'
import { Screen } from '../../components/screen'
import { FilePicker } from '../../ground/file-picker'
import { readStats } from '../../ground/experience-stats'
import { readFileText } from '../../ground/read-file'
import { SelectField } from '../../ground/select-field'
import { useAttempt } from '../../ground/use-attempt'
import { memoryOptions } from '../../ground/memory-options'
import { mineIn, nameOfMemory } from '../../stores/memories'
import { useServices } from '../../stores/use-services'
import { useQuery } from '../../ground/use-query'
import { saveBlob, saveText } from '../../ground/save-text'
import { blobOf } from '../../ground/bytes'
import { Segmented } from '../../components/segmented'
import { ProgramKeys } from './program-keys'
import { ReadBundle } from './read-bundle'
import { Servers } from './servers'
import { WriteBundle } from './write-bundle'

const PARTS = [
  { value: 'files', label: 'Files' },
  { value: 'bundles', label: 'Bundles' },
  { value: 'servers', label: 'Servers' },
] as const
type Part = (typeof PARTS)[number]['value']

/** Takes what was learned to other tools and back: files, whole memories, and programs that are served. */
export function ExportScreen() {
  const { memories, client, toasts, formats: formatStore } = useServices()
  const { memories: list, currentId, problem, reload, visit } = useStore(memories)
  const [part, setPart] = useState<Part>('files')
  const { attempt, busy, problem: failure } = useAttempt()
  const formats = useStore(formatStore)
  const writable = (formats.data ?? []).filter(({ writes }) => writes)
  const [format, setFormat] = useState<string | null>(null)
  const choice = writable.find(({ id }) => id === format) ?? writable[0]
  useEffect(() => {
    void reload()
    if (formatStore.getState().data === null) void formatStore.getState().reload()
  }, [reload, formatStore])
  // The memory of an experiment's cell may be open elsewhere; it is not among the memories offered here.
  const memory = list.find((item) => item.id === currentId) ?? mineIn(list)
  const memoryId = memory?.id
  const { data: stats, problem: unread } = useQuery(
    memoryId ?? '',
    memoryId === undefined ? null : () => readStats(client, memoryId),
  )
  const download = async () => {
    if (!memory || !choice) return
    await attempt(async () => {
      const request = { memoryId: memory.id, format: choice.id }
      const { fileName, text, encoding } = await client.memories.exportText(request)
      if (encoding === 'base64') saveBlob(fileName, blobOf(text))
      else saveText(fileName, text)
      toasts.getState().tell(`Exported ${nameOfMemory(memory)}`, fileName)
    })
  }
  return (
    <Screen
      title="Share"
      lead="Take what was learned with you: as files that other tools read, as a whole, or to programs on this machine."
      action={
        memory && part === 'files' ? (
          <Button look="primary" icon={Download} disabled={busy || !choice} onClick={() => void download()}>
            {busy ? 'Writing…' : 'Download'}
          </Button>
        ) : null
      }
    >
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={() => void reload()} /> : null}
      {unread ? <ErrorNotice problem={unread} /> : null}
      {failure ? <ErrorNotice problem={failure} onRetry={() => void download()} /> : null}
      {memory || problem ? null : <Loading what="your memories" />}
      {memory ? (
        <>
          <div>
            <Segmented<Part> label="What to share" value={part} options={PARTS} onChange={setPart} />
          </div>
          <div className="flex max-w-2xl flex-wrap gap-4 [&>*]:min-w-60 [&>*]:flex-1">
            <SelectField
              label="Memory"
              name="Memory to export"
              value={memory.id}
              options={memoryOptions(list)}
              onChange={visit}
            />
            {part === 'files' ? (
              <SelectField
                label="Format"
                value={choice?.id ?? null}
                placeholder="No format"
                options={writable.map(({ id: value, title }) => ({ value, label: title }))}
                onChange={setFormat}
              />
            ) : null}
          </div>
          {part === 'bundles' ? (
            <>
              <WriteBundle key={`write ${memory.id}`} memory={memory} />
              <ReadBundle key={`read ${memory.id}`} memory={memory} />
            </>
          ) : null}
          {part === 'servers' ? (
            <>
              <Servers memory={memory} />
              <ProgramKeys />
            </>
          ) : null}
          {part !== 'files' ? null : formats.data === null ? (
            formats.problem ? (
              <ErrorNotice problem={formats.problem} alwaysRetry onRetry={() => void formats.reload()} />
            ) : (
              <Loading what="the formats" />
            )
          ) : (
            <>
              <FileContents chosen={choice} memory={memory} stats={stats} />
              <ImportFile key={memory.id} memory={memory} formats={formats.data} />
            </>
          )}
        </>
      ) : null}
    </Screen>
  )
}

/** What a file of a format would hold. */
function FileContents(props: {
  chosen: FormatInfo | undefined
  memory: MemoryInfo
  stats: Pick<KbStats, 'live' | 'superseded'> | null
}) {
  const { chosen, memory, stats } = props
  return (
    <section aria-label="What will be in the file">
      <h2 className="mb-2 font-medium">What will be in the file</h2>
      {chosen ? (
        <dl className="divide-y rounded-lg border bg-surface text-sm">
          <Row term="In it">{chosen.keeps}</Row>
          <Row term="Left out">{chosen.loses}</Row>
          <Row term="Now here">
            {plural(memory.cases, 'case')}, {plural(memory.trajectories, 'attempt')}
            {stats ? `, ${plural(stats.live + stats.superseded, 'experience')}` : ''};{' '}
            {formatBytes(memory.bytes)} on disk.
          </Row>
        </dl>
      ) : null}
    </section>
  )
}

/** Reads a file of any format into the chosen memory. */
function ImportFile({ memory, formats }: { memory: MemoryInfo; formats: readonly FormatInfo[] }) {
  const { client, memories } = useServices()
  const [format, setFormat] = useState('auto')
  const [report, setReport] = useState<ImportReport | null>(null)
  const { attempt, busy, problem: failure } = useAttempt()
  const read = (file: File) =>
    attempt(async () => {
      setReport(null)
      const text = await readFileText(file)
      setReport(await client.memories.importText({ memoryId: memory.id, format, fileName: file.name, text }))
      await memories.getState().reload()
    })
  return (
    <section aria-label="Read a file">
      <h2 className="mb-1 font-medium">Read a file</h2>
      <p className="mb-2 text-sm text-muted">
        What an export holds, Memento’s and Agent KB’s files, and logs of other agents join{' '}
        {nameOfMemory(memory)}. What is there already is not read again.
      </p>
      <div className="mb-2 max-w-96">
        <SelectField
          label="File format"
          value={format}
          options={[
            { value: 'auto', label: 'As the file looks' },
            ...formats.filter(({ reads }) => reads).map(({ id: value, title }) => ({ value, label: title })),
          ]}
          onChange={setFormat}
        />
      </div>
      <FilePicker
        label="File to read"
        accept=".jsonl,.json,.traj,.txt,.md,.csv,.af"
        onFile={(file) => void read(file)}
      >
        {(pick) => (
          <Button icon={FileUp} disabled={busy} onClick={pick}>
            {busy ? 'Reading…' : 'Choose a file'}
          </Button>
        )}
      </FilePicker>
      {failure ? <ErrorNotice problem={failure} /> : null}
      {report ? (
        <div role="status" className="mt-2 text-sm">
          <p>
            {readingWords(report)}, as {report.format}.
          </p>
          <SkippedRows report={report} />
        </div>
      ) : null}
    </section>
  )
}

function Row(props: { term: string; children: ReactNode }) {
  return (
    <div className="flex items-baseline gap-4 px-4 py-3">
      <dt className="w-28 shrink-0">{props.term}</dt>
      <dd className="min-w-0 flex-1 text-muted">{props.children}</dd>
    </div>
  )
}
