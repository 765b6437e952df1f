import { KeyRound, Trash2 } from '../../components/icons'
import { useEffect, useState } from 'react'
import type { MemoryInfo } from '../../../shared/domain/memory-info'
import { keyBindingWords } from '../../../shared/domain/sharing'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Form } from '../../components/form'
import { formatWhen } from '../../components/format'
import { IconButton } from '../../components/icon-button'
import { Loading } from '../../components/loading'
import { Screen } from '../../components/screen'
import { CopyLine } from '../../ground/copy-line'
import { memoryOptions, SelectField } from '../../ground/select'
import { TextField } from '../../ground/text-field'
import { TitledSection } from '../../ground/titled-section'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { mineIn } from '../../stores/memories'
import { useServices, useStored } from '../../stores/use-services'
import { ClientsSection } from './clients-section'
import { Servers } from './servers'
import { Signers } from './signers'
import { WatchedSection } from './watched-section'

/** Programs on this machine that read and write a memory: agents that are connected, servers, keys, signers. */
export function ProgramsScreen() {
  const settings = useStored('settings', (state) => state.settings)
  const { memories: list, currentId, problem, reload, visit } = useStored('memories')
  useEffect(() => void reload(), [reload])
  // The memory of an experiment's cell may be open elsewhere; it is not among the memories offered here.
  const memory = list.find((item) => item.id === currentId) ?? mineIn(list)
  return (
    <Screen
      title="Connected programs"
      lead="Other agents and programs on this machine read a memory here, and write into it where you let them."
    >
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={() => void reload()} /> : null}
      {/* Nothing is shown before all of it was read: a section that grows would push away what somebody reaches for. */}
      <div className="contents has-data-reading:invisible">
        {memory || problem ? null : <Loading what="your memories" />}
        <ClientsSection />
        {settings ? <WatchedSection settings={settings} /> : null}
        {memory ? (
          <>
            <SelectField
              label="Memory"
              name="Memory to share"
              width="max-w-80"
              value={memory.id}
              options={memoryOptions(list)}
              onChange={visit}
            />
            <Servers memory={memory} />
            <Signers />
            <ProgramKeys memory={memory} title={(id) => list.find((item) => item.id === id)?.name ?? id} />
          </>
        ) : null}
      </div>
    </Screen>
  )
}

const SCOPES = [
  { value: 'read', label: 'Read this memory', scopes: ['read'] },
  { value: 'write', label: 'Read and write this memory', scopes: ['read', 'write'] },
  { value: 'all', label: 'Read every memory', scopes: ['read'] },
] as const
type Choice = (typeof SCOPES)[number]['value']

/** Keys of programs: what each opens and may do, giving one for a memory and taking one back. */
function ProgramKeys({ memory, title }: { memory: MemoryInfo; title: (memoryId: string) => string }) {
  const { client } = useServices()
  const [name, setName] = useState('')
  const [scope, setScope] = useState<Choice>('read')
  const [project, setProject] = useState('')
  const [input, setInput] = useState<{ name: string; key: string } | null>(null)
  const { attempt, problem: failure } = useAttempt()
  const { data, unread, reload } = useQuery('keys', () => client.sharing.keys())
  const change = async (work: () => Promise<unknown>) => {
    if (await attempt(work)) reload()
  }
  const create = () =>
    change(async () => {
      const scopes = [...(SCOPES.find(({ value }) => value === scope)?.scopes ?? [])]
      const binding =
        scope === 'all'
          ? { memory: null, project: null }
          : { memory: memory.id, project: project.trim() === '' ? null : project.trim() }
      const { key } = await client.sharing.createKey({ name: name.trim(), scopes, ...binding })
      setInput({ name: name.trim(), key })
      setName('')
    })
  return (
    <TitledSection
      title="Keys of programs"
      lead="Each opens one memory, or one project of it. What a program writes carries the name of its key."
    >
      {failure ? <ErrorNotice problem={failure} /> : null}
      <Form
        className="flex flex-wrap items-end gap-3"
        onSubmit={() => {
          if (name.trim() !== '') void create()
        }}
      >
        <TextField
          label="Name"
          width="w-56"
          value={name}
          onChange={setName}
          maxLength={60}
          placeholder="nightly-bot"
        />
        <SelectField<Choice> label="May" width="w-48" value={scope} options={SCOPES} onChange={setScope} />
        {scope === 'all' ? null : (
          <TextField
            label="Project"
            placeholder="all of it"
            width="w-44"
            value={project}
            onChange={setProject}
            maxLength={100}
          />
        )}
        <Button type="submit" icon={KeyRound} disabled={name.trim() === ''}>
          Give a key
        </Button>
      </Form>
      {input ? (
        <div role="status" className="rounded-lg border bg-surface p-3 text-sm">
          <p className="mb-2">The key of {input.name}. It is shown this once.</p>
          <CopyLine label="new key" text={input.key} />
        </div>
      ) : null}
      {data ? null : unread('the keys')}
      {(data ?? []).length > 0 ? (
        <ul aria-label="Keys" className="divide-y rounded-lg border bg-surface text-sm">
          {(data ?? []).map((key) => (
            <li key={key.name} className="flex items-center gap-3 px-4 py-2">
              <span className="min-w-0 flex-1 truncate">{key.name}</span>
              <span className="min-w-0 truncate text-muted">{keyBindingWords(key, title)}</span>
              <span className="text-muted">{key.scopes.join(', ')}</span>
              <span className="text-muted">{formatWhen(key.createdAt)}</span>
              <IconButton
                icon={Trash2}
                label={`Take the key of ${key.name} back`}
                onClick={() => void change(() => client.sharing.removeKey({ name: key.name }))}
              />
            </li>
          ))}
        </ul>
      ) : null}
    </TitledSection>
  )
}
