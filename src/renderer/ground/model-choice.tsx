import { useEffect, useId, useRef, useState } from 'react'
import { cannotWrite, paceWords } from '../../shared/domain/model'
import { formatBytes } from '../components/format'
import { useServices, useStored } from '../stores/use-services'
import { modelName } from './model-name'
import { SelectField } from './select'
import { useQuery } from './use-query'

const SERVED = 'served'

/** Whether it names a model at a server, which is in no list of files. */
export const isServed = (one: string | null | undefined): one is string =>
  typeof one === 'string' && /^[a-z-]+:.+@.+/.test(one)

/** A model at a server, and which server that is, by its name where it has one here. */
export function servedWords(
  reference: string,
  servers: readonly { readonly name: string; readonly url: string }[],
): string {
  const place = reference.slice(reference.lastIndexOf('@') + 1)
  const server = servers.find(({ name, url }) => url === place || name === place)
  return `${modelName(reference)}, at ${server?.name ?? place.replace(/^https?:\/\//, '').replace(/\/v1\/?$/, '')}`
}

/** Which model works on it: a file, or one at a server by its name there. */
export function ModelChoice({
  value,
  hint,
  onChange,
}: {
  /** A file's path, or the name of a model at a server; null while nothing is chosen. */
  value: string | null
  hint: string | null
  onChange(reference: string): void
}) {
  const { client } = useServices()
  const records = useStored('models', ({ data }) => data)
  const files = records ?? []
  const servers = useQuery('servers', () => client.servers.list()).data ?? []
  const served = value === null || files.some(({ path }) => path === value) ? null : value
  const [naming, setNaming] = useState(false)
  const field = useRef<HTMLDivElement>(null)
  const isTyped = useRef(false)
  useEffect(() => {
    // The line that was typed in is gone with the focus, which goes back to what was chosen there.
    if (naming || !isTyped.current) return
    isTyped.current = false
    field.current?.querySelector('button')?.focus()
  }, [naming])
  return (
    <div ref={field} className="flex flex-col gap-1.5">
      <SelectField
        label="Model"
        hint={hint}
        value={naming ? SERVED : value}
        placeholder={
          records === null ? 'Looking for models…' : files.length === 0 ? 'No model found' : 'Choose a model'
        }
        options={[
          ...files.map((file) => ({
            value: file.path,
            label: file.name,
            detail:
              cannotWrite(file) ??
              `${formatBytes(file.sizeBytes)}${file.demo ? ', demo model' : ''}${file.base ? ', base model: goes on with texts' : ''}${file.speed ? `, ${paceWords(file.speed)}` : ''}`,
            disabled: cannotWrite(file) !== null,
          })),
          ...(served === null
            ? []
            : [{ value: served, label: servedWords(served, servers), detail: 'At a server' }]),
          {
            value: SERVED,
            label: 'At a server…',
            detail:
              servers.length > 0
                ? `Such as NAME@${servers[0]?.name ?? ''}`
                : 'Ollama, LM Studio, llama-server, vLLM and others',
          },
        ]}
        onChange={(choice) => {
          setNaming(choice === SERVED)
          if (choice !== SERVED) onChange(choice)
        }}
      />
      {naming ? (
        <ServedName
          onDone={(reference, byKey) => {
            isTyped.current = byKey
            setNaming(false)
            if (reference !== null) onChange(reference)
          }}
        />
      ) : null}
    </div>
  )
}

/** The name of a model at a server as it is typed. Escape, or leaving it empty, takes it back. */
function ServedName({ onDone }: { onDone: (reference: string | null, byKey: boolean) => void }) {
  const id = useId()
  const [unclear, setUnclear] = useState(false)
  const take = (typed: string, byKey: boolean) => {
    if (typed === '') return onDone(null, byKey)
    const reference = /^[a-z-]+:/.test(typed) ? typed : `openai:${typed}`
    if (isServed(reference)) onDone(reference, byKey)
    else setUnclear(true)
  }
  return (
    <>
      <input
        aria-label="Model at a server"
        aria-invalid={unclear}
        aria-describedby={unclear ? id : undefined}
        placeholder="NAME@URL or NAME@SERVER"
        autoFocus
        spellCheck={false}
        className="h-8 rounded-md border bg-surface px-2.5 placeholder:text-faint"
        onChange={() => setUnclear(false)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') onDone(null, true)
          if (event.key !== 'Enter') return
          event.preventDefault()
          take(event.currentTarget.value.trim(), true)
        }}
        onBlur={(event) => take(event.target.value.trim(), false)}
      />
      {unclear ? (
        <p id={id} role="alert" className="text-xs text-danger">
          Which server? Say it as NAME@URL, such as llama3.2@http://127.0.0.1:11434/v1, or as NAME@SERVER.
        </p>
      ) : null}
    </>
  )
}
