import { useEffect } from 'react'
import { CornerDownLeft, MessageCircleMore, Square } from '../../components/icons'
import { type AskInfo } from '../../../shared/domain/ask'
import { isAsImported } from '../../../shared/domain/ask-origin'
import { Button } from '../../components/button'
import { Form } from '../../components/form'
import { chosenFiles, droppedFiles, goesElsewhere } from '../../ground/dropped-files'
import { isLoneKey, isWriting, useKeydown, useTyping } from '../../ground/keys'
import { EMPTY_REPLY, handed, sayNext, type DraftFile, type ReplyDraft } from '../../stores/next-messages'
import { useServices, useStored } from '../../stores/use-services'
import { AddFiles, DraftFiles, useFiles, withFiles } from './add-files'
import { PromptsButton } from './saved-prompts'
import { sendOnEnter } from './send-on-enter'
import { usePromptList } from './use-prompt-list'

/** The next message: while the agent works it is sent afterwards, or said at once, to be taken in before its next step. */
export function ReplyBox({
  ask,
  active,
  after,
}: {
  ask: AskInfo
  active: boolean
  /** The attempt that the next message follows. */
  after: number | null
}) {
  const { client, asks } = useServices()
  const { command } = asks.getState()
  const { text, files, isAhead } = useStored('asks', (state) => state.replies[ask.id]) ?? EMPTY_REPLY
  const write = (change: Partial<ReplyDraft>) => asks.getState().writeReply(ask.id, change)
  const setFiles = (next: readonly DraftFile[]) => write({ files: next })
  const prompts = usePromptList({ text, onText: (words) => write({ text: words }), above: true })
  // Who types without having gone there begins the next message.
  useTyping((begin) => {
    prompts.onType(text + begin)
    prompts.boxProps.ref.current?.focus()
  })
  useEffect(() => {
    if (!isAhead) return
    if (!isWriting(document.activeElement)) prompts.boxProps.ref.current?.focus()
    asks.getState().writeReply(ask.id, { isAhead: false })
  }, [isAhead, asks, ask.id, prompts.boxProps.ref])
  const stop = () => void command(() => client.asks.stop({ askId: ask.id }))
  useKeydown((event) => {
    if (active && event.key === 'Escape' && isLoneKey(event)) stop()
  })
  const mayAttach = !active && ask.spec.world === null
  const ready = text.trim() !== '' && (active || after !== null)
  const send = (atOnce = false) => {
    if (!ready) return
    const message = { askId: ask.id, text: text.trim() }
    const attachments = handed(files)
    void asks
      .getState()
      .sendReply(ask.id, () =>
        active
          ? atOnce
            ? client.asks.steer(message)
            : client.asks.queue(message)
          : sayNext(client.asks, { ...message, after, files: attachments }),
      )
  }
  const add = useFiles((read) => setFiles(withFiles(asks.getState().replies[ask.id]?.files ?? [], read)))
  return (
    <Form
      data-sends
      onSubmit={() => send()}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => {
        if (goesElsewhere(event.dataTransfer)) return
        event.preventDefault()
        if (mayAttach) add(droppedFiles(event.dataTransfer))
      }}
      className="relative flex flex-col rounded-lg border border-line-strong/50 bg-surface focus-within:border-accent"
    >
      {files.length > 0 ? <DraftFiles files={files} model={ask.spec.model} onChange={setFiles} /> : null}
      {prompts.list}
      <div className="flex items-end gap-1 p-1.5">
        {mayAttach ? (
          <AddFiles
            what="the message"
            small
            askId={ask.id}
            onAdd={(matches) => add(Promise.resolve(matches))}
          />
        ) : null}
        <PromptsButton {...prompts.buttonProps} small />
        <textarea
          {...prompts.boxProps}
          aria-label={active ? 'Say something while it works' : 'The next message'}
          placeholder={
            active
              ? 'Next message'
              : isAsImported(ask)
                ? 'Go on from here, with a model of yours'
                : 'Go on from here'
          }
          rows={Math.min(6, text.split('\n').length)}
          value={text}
          onChange={(event) => prompts.onType(event.target.value)}
          onPaste={(event) => {
            const pasted = [...event.clipboardData.files]
            if (!mayAttach || pasted.length === 0) return
            event.preventDefault()
            add(Promise.resolve(chosenFiles(pasted)))
          }}
          onKeyDown={(event) => {
            if (prompts.takeKey(event)) return
            if (active && event.key === 'Escape' && !event.nativeEvent.isComposing) stop()
            else sendOnEnter(event)
          }}
          className="min-h-8 min-w-0 flex-1 resize-none bg-transparent px-1.5 py-1.5 outline-none placeholder:text-faint"
        />
        {active ? (
          <Button icon={Square} aria-keyshortcuts="Escape" onClick={stop}>
            Stop
          </Button>
        ) : null}
        {active ? (
          <Button
            icon={MessageCircleMore}
            disabled={!ready}
            title="It is taken in before the next step."
            onClick={() => send(true)}
          >
            Say now
          </Button>
        ) : null}
        <Button type="submit" icon={CornerDownLeft} disabled={!ready}>
          {active ? 'Send next' : 'Send'}
        </Button>
      </div>
    </Form>
  )
}
