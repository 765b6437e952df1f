import { useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { promptsFor, type SavedPrompt } from '../../../shared/domain/saved-prompt'
import { classNames } from '../../components/class-names'
import { RecordOption, RecordWords } from '../../ground/record-list'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'

/** Begins a search for a saved prompt in an empty box. */
const BEGIN = '/'

/**
 * Saved prompts in a box that a message is written in: `/` in an empty one lists them, what follows narrows them, and the button inserts where the
 * cursor is. `above`: the list opens upwards.
 */
export function usePromptList(options: { text: string; onText(text: string): void; above?: boolean }) {
  const { text, onText, above = false } = options
  const { client } = useServices()
  const id = useId()
  const box = useRef<HTMLTextAreaElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  const [choice, setChoice] = useState(0)
  const { data } = useQuery('', isOpen ? () => client.asks.prompts() : null)
  const matches = isOpen && data ? promptsFor(data, text.slice(BEGIN.length)) : []
  const index = Math.min(choice, matches.length - 1)

  const insert = (prompt: SavedPrompt) => {
    setIsOpen(false)
    onText(prompt.text)
  }
  const move = (to: number) => {
    const next = (to + matches.length) % matches.length
    setChoice(next)
    document.getElementById(`${id}-${next}`)?.scrollIntoView({ block: 'nearest' })
  }
  /** Takes the keys of the list while there is one; answers whether the key was one of them. */
  const takeKey = (event: KeyboardEvent): boolean => {
    const prompt = matches[index]
    if (!prompt || event.nativeEvent.isComposing || event.shiftKey) return false
    if (event.key === 'ArrowDown') move(index + 1)
    else if (event.key === 'ArrowUp') move(index - 1)
    else if (event.key === 'Enter') insert(prompt)
    else if (event.key === 'Escape') setIsOpen(false)
    else return false
    event.preventDefault()
    return true
  }
  const list: ReactNode =
    matches.length === 0 ? null : (
      <div
        id={id}
        role="listbox"
        aria-label="Saved prompts"
        onMouseDown={(event) => event.preventDefault()}
        className={classNames(
          'absolute inset-x-2 z-30 max-h-60 overflow-y-auto rounded-lg border bg-surface shadow-menu',
          above ? 'bottom-full mb-1' : 'top-12',
        )}
      >
        {matches.map((prompt, place) => (
          <RecordOption
            key={prompt.id}
            id={`${id}-${place}`}
            open={place === index}
            className="last:border-b-0"
            onOpen={() => insert(prompt)}
          >
            <RecordWords title={prompt.name}>{prompt.text}</RecordWords>
          </RecordOption>
        ))}
      </div>
    )
  return {
    list,
    takeKey,
    /** For the box itself. */
    boxProps: {
      ref: box,
      'aria-autocomplete': 'list',
      ...(list !== null && { 'aria-controls': id, 'aria-activedescendant': `${id}-${index}` }),
      onBlur: () => setIsOpen(false),
    } as const,
    /** What is typed in the box. */
    onType(next: string) {
      if (text === '' && next === BEGIN) setIsOpen(true)
      else if (!next.startsWith(BEGIN) || next.includes('\n')) setIsOpen(false)
      setChoice(0)
      onText(next)
    },
    /** For the button: what it opens gives the focus back to the box. */
    buttonProps: {
      text,
      onClose: () => box.current?.focus(),
      onInsert(words: string) {
        const { selectionStart = text.length, selectionEnd = text.length } = box.current ?? {}
        onText(text.slice(0, selectionStart) + words + text.slice(selectionEnd))
      },
    },
  }
}
