import { BookMarked, Pencil, Plus, Trash2 } from '../../components/icons'
import { useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react'
import { promptsFor, type SavedPrompt } from '../../../shared/domain/saved-prompt'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { IconButton } from '../../components/icon-button'
import { FormDialog } from '../../ground/form-dialog'
import { RecordWords } from '../../ground/record-list'
import { SearchField } from '../../ground/search-field'
import { TextArea, TextField } from '../../ground/text-field'
import { useQuery } from '../../ground/use-query'
import { useUndo } from '../../ground/use-undo'
import { refusalOf } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'

/** Marks the button that inserts a prompt, for the arrow keys. */
const INSERTS = 'data-inserts'

interface PromptsProps {
  /** What is written so far, which can be saved as one. */
  text: string
  onInsert(text: string): void
}

/** The button that opens the saved prompts. `onClose` is told once they no longer cover the box. */
export function PromptsButton(props: PromptsProps & { small?: boolean; onClose(): void }) {
  const { small = false, onClose, ...prompts } = props
  const [isOpen, setIsOpen] = useState(false)
  const wasOpen = useRef(false)
  const tell = useEffectEvent(onClose)
  useEffect(() => {
    if (wasOpen.current && !isOpen) tell()
    wasOpen.current = isOpen
  }, [isOpen])
  const open = () => setIsOpen(true)
  return (
    <>
      {small ? (
        <IconButton icon={BookMarked} label="Saved prompts" onClick={open} />
      ) : (
        <Button look="quiet" size="small" icon={BookMarked} aria-label="Saved prompts" onClick={open}>
          <span className="max-[1100px]:hidden">Saved prompts</span>
        </Button>
      )}
      {isOpen ? <PromptsDialog {...prompts} onClose={() => setIsOpen(false)} /> : null}
    </>
  )
}

/** All saved prompts: one is inserted, written anew or deleted, and what is written becomes one. */
function PromptsDialog({ text, onInsert, onClose }: PromptsProps & { onClose(): void }) {
  const { client } = useServices()
  const { change } = useUndo()
  const [search, setSearch] = useState('')
  const [form, setForm] = useState<Partial<SavedPrompt> | null>(null)
  const list = useRef<HTMLDivElement>(null)
  const { data, reload, unread } = useQuery('', () => client.asks.prompts())
  const matches = promptsFor(data ?? [], search)
  const insert = (prompt: SavedPrompt | undefined) => {
    if (!prompt) return
    onInsert(prompt.text)
    onClose()
  }
  const save = (prompt: Omit<SavedPrompt, 'id'> & { id?: string | undefined }) =>
    refusalOf(client.asks.savePrompt(prompt).then(reload))
  const remove = (prompt: SavedPrompt) =>
    change(
      refusalOf(client.asks.removePrompt({ id: prompt.id }).then(reload)),
      { title: 'Saved prompt deleted', detail: prompt.name },
      () => save(prompt),
    )
  return (
    <Dialog
      onClose={onClose}
      title="Saved prompts"
      description="Texts you use again. They also come up when a message begins with /."
    >
      <div
        ref={list}
        className="flex min-h-0 flex-1 flex-col"
        onKeyDown={(event) => moveBetween(event, list.current)}
      >
        <div
          className="flex border-b p-3"
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
            event.preventDefault()
            insert(matches[0])
          }}
        >
          <SearchField label="Find a saved prompt" value={search} onChange={setSearch} />
        </div>
        {data === null ? unread('saved prompts') : null}
        <ul aria-label="Saved prompts" className="min-h-0 flex-1 overflow-y-auto p-1 empty:hidden">
          {matches.map((prompt) => (
            <li key={prompt.id} className="flex items-center gap-1 rounded-md pr-1 hover:bg-hover">
              <button
                type="button"
                {...{ [INSERTS]: '' }}
                onClick={() => insert(prompt)}
                className="min-w-0 flex-1 rounded-md px-3 py-2 text-left"
              >
                <RecordWords title={prompt.name}>{prompt.text}</RecordWords>
              </button>
              <IconButton icon={Pencil} label={`Edit “${prompt.name}”`} onClick={() => setForm(prompt)} />
              <IconButton
                icon={Trash2}
                label={`Delete “${prompt.name}”`}
                onClick={() => void remove(prompt)}
              />
            </li>
          ))}
        </ul>
        {data !== null && matches.length === 0 ? (
          <p className="px-4 py-3 text-sm text-muted">
            {data.length === 0 ? 'No prompt is saved yet.' : 'No saved prompt holds these words.'}
          </p>
        ) : null}
      </div>
      <div className="flex justify-end border-t p-3">
        <Button icon={Plus} onClick={() => setForm({ text })}>
          {text.trim() === '' ? 'New prompt' : 'Save what is written'}
        </Button>
      </div>
      {form ? <PromptForm before={form} onSave={save} onClose={() => setForm(null)} /> : null}
    </Dialog>
  )
}

/** Down goes from the search to the first prompt and on, up back. */
function moveBetween(event: KeyboardEvent, list: HTMLElement | null): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0 || !list) return
  const stops = [...list.querySelectorAll<HTMLElement>(`input, [${INSERTS}]`)]
  const index = stops.findIndex((stop) => stop === document.activeElement)
  if (index < 0) return
  event.preventDefault()
  stops[index + step]?.focus()
}

/** Name and text of a prompt; `before` without an id is a new one. */
function PromptForm(props: {
  before: Partial<SavedPrompt>
  onSave(prompt: Omit<SavedPrompt, 'id'> & { id?: string | undefined }): ReturnType<typeof refusalOf>
  onClose(): void
}) {
  const { id } = props.before
  const [name, setName] = useState(props.before.name ?? '')
  const [text, setText] = useState(props.before.text ?? '')
  return (
    <FormDialog
      title={id === undefined ? 'Save a prompt' : 'Edit a saved prompt'}
      description="You find it by its name, in every ask."
      submit={{ label: 'Save' }}
      ready={name.trim() !== '' && text.trim() !== ''}
      onSubmit={() => props.onSave({ id, name: name.trim(), text })}
      onClose={props.onClose}
    >
      <TextField label="Name" value={name} maxLength={80} onChange={setName} />
      <TextArea label="Text" rows={8} value={text} maxLength={100_000} onChange={setText} />
    </FormDialog>
  )
}
