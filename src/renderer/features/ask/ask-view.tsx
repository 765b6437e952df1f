import {
  ArrowDown,
  BookmarkPlus,
  Copy,
  Pencil,
  Pin,
  PinOff,
  RotateCw,
  Trash2,
  Folder,
  FolderMinus,
  FolderPlus,
} from 'lucide-react'
import { useState } from 'react'
import type { AskDetail, AskInfo } from '../../../shared/domain/ask'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { IconButton } from '../../components/icon-button'
import { NameDialog } from '../../ground/form-dialog'
import { NewItemDialog } from '../../ground/item-dialog'
import { Menu, MenuItem } from '../../ground/menu'
import { useUndo } from '../../ground/use-undo'
import { useServices, useStored } from '../../stores/use-services'
import { markOf, useDeleteAsk } from './ask-list'
import { Asked } from './ask-summary'
import { ReplyBox } from './reply-box'
import { MessageView } from './message-view'
import { useFollow } from './use-follow'

/** One ask: what was said, how it is worked on or was, what came out, and what is to be learned from it. */
export function AskView({ detail }: { detail: AskDetail }) {
  const { client, asks } = useServices()
  const { ask, turns, attempts, live } = detail
  const refused = useStored('asks', (state) => state.refused)
  const retry = () => void asks.getState().command(() => client.asks.retry({ askId: ask.id }))
  const [view, setShown] = useState<Readonly<Record<number, number | null>>>({})
  const active = ask.status === 'waiting' || ask.status === 'working'
  const { pane, content, away, toEnd } = useFollow(active)
  const last = turns.length - 1
  const workingOn = live?.turn ?? last
  const [before, setBefore] = useState({ active, tries: attempts.length })
  if (active !== before.active || attempts.length !== before.tries) {
    setBefore({ active, tries: attempts.length })
    // Whoever begins another try sees that one, whichever was looked at before; a quick one is over before it is seen.
    if (!before.active && (active || attempts.length > before.tries))
      setShown({
        ...view,
        [attempts.length > before.tries ? (attempts.at(-1)?.turn ?? last) : workingOn]: null,
      })
  }
  const after = view[last] ?? attempts.findLast(({ turn }) => turn === last)?.index ?? attempts.at(-1)?.index
  return (
    <div className="flex h-full flex-col">
      <div ref={pane} data-follows className="min-h-0 flex-1 overflow-y-auto">
        <article
          ref={content}
          className="mx-auto flex max-w-3xl flex-col gap-5 p-6 has-data-beside:max-w-6xl has-data-beside:max-[1000px]:px-3"
        >
          <Header detail={detail} active={active} onRetry={retry} />
          {refused ? <ErrorNotice problem={refused} /> : null}
          <Asked detail={detail} />
          {turns.map((turn, index) => (
            <MessageView
              key={index}
              detail={detail}
              turn={turn}
              index={index}
              active={active && index === workingOn}
              newest={index === last}
              shown={view[index] ?? null}
              onShow={(attempt) => setShown({ ...view, [index]: attempt })}
            />
          ))}
          {ask.problem && !active ? (
            <ErrorNotice
              problem={ask.problem}
              alwaysRetry
              onRetry={retry}
              action={
                <Button size="small" icon={Copy} onClick={() => void asks.getState().rewrite()}>
                  {ANEW}
                </Button>
              }
            />
          ) : null}
          {ask.status === 'stopped' && !ask.problem && attempts.at(-1)?.trajectory.finish !== 'stopped' ? (
            <p className="text-muted">
              {attempts.some(({ turn }) => turn === last)
                ? 'The last try was stopped before it wrote anything. Those before it are above.'
                : 'It was stopped before it wrote anything.'}
            </p>
          ) : null}
        </article>
      </div>
      {active || after !== undefined ? (
        <div className="relative border-t bg-surface">
          {away ? (
            <Button icon={ArrowDown} className="absolute -top-10 left-1/2 -translate-x-1/2" onClick={toEnd}>
              To the end
            </Button>
          ) : null}
          <div className="mx-auto max-w-3xl px-6 py-3">
            <ReplyBox ask={ask} active={active} after={after ?? null} />
          </div>
        </div>
      ) : null}
    </div>
  )
}

const ANEW = 'Change it and ask anew'

function Header(props: { detail: AskDetail; active: boolean; onRetry(): void }) {
  const { detail, active, onRetry } = props
  const { ask } = detail
  const { client, asks } = useServices()
  const { change } = asks.getState()
  const { report } = useUndo()
  const remove = useDeleteAsk()
  const [naming, setNaming] = useState(false)
  const { word } = markOf(ask)
  return (
    <header className="flex flex-wrap items-start gap-x-4 gap-y-2">
      <div className="flex min-w-60 flex-1 flex-col gap-1.5">
        {naming ? (
          <input
            aria-label="Title of the ask"
            defaultValue={ask.title}
            autoFocus
            className="h-8 rounded-md border bg-surface px-2.5 text-lg"
            onBlur={(event) => {
              setNaming(false)
              const title = event.target.value.trim()
              if (title !== '' && title !== ask.title)
                void change(client.asks.rename({ askId: ask.id, title })).then(report)
            }}
            onKeyDown={(event) => {
              if (event.key === 'Enter') event.currentTarget.blur()
              if (event.key !== 'Escape') return
              event.currentTarget.value = ask.title
              event.currentTarget.blur()
            }}
          />
        ) : (
          <h2 className="text-lg font-medium [overflow-wrap:anywhere]">{ask.title}</h2>
        )}
        <p role="status" className="text-sm text-muted">
          {word} · {new Date(ask.createdAt).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-1">
        {active ? null : (
          <Button icon={RotateCw} onClick={onRetry}>
            Try again
          </Button>
        )}
        <IconButton icon={Copy} label={ANEW} onClick={() => void asks.getState().rewrite()} />
        {ask.spec.world === null ? <RememberButton detail={detail} /> : null}
        <IconButton icon={Pencil} label="Rename" onClick={() => setNaming(true)} />
        <FolderMenu ask={ask} />
        <IconButton
          icon={ask.pinned ? PinOff : Pin}
          label={ask.pinned ? 'Unpin' : 'Pin'}
          onClick={() => void change(client.asks.pin({ askId: ask.id, pinned: !ask.pinned })).then(report)}
        />
        <IconButton icon={Trash2} label="Delete" onClick={() => void remove(ask)} />
      </div>
    </header>
  )
}

/** Keeps a fact in the memory of an ask, in the words of its newest message or in others. */
function RememberButton({ detail: { ask, turns } }: { detail: AskDetail }) {
  const kind = useStored('memoryKinds', ({ data }) => data?.find(({ adds }) => adds === true))
  const [open, setOpen] = useState(false)
  if (!kind) return null
  return (
    <>
      <IconButton icon={BookmarkPlus} label="Remember a fact…" onClick={() => setOpen(true)} />
      {open ? (
        <NewItemDialog
          kind={kind}
          memoryId={ask.spec.memoryId}
          project={ask.folder}
          text={turns.at(-1)?.text ?? ask.spec.text}
          onClose={() => setOpen(false)}
        />
      ) : null}
    </>
  )
}

/** The folders that asks are filed under, in order. */
export const foldersOf = (asks: readonly AskInfo[]): string[] =>
  [...new Set(asks.flatMap(({ folder }) => folder ?? []))].sort((a, b) => a.localeCompare(b))

/** Files an ask under a name, one that is there or a new one. */
function FolderMenu({ ask }: { ask: AskInfo }) {
  const { client, asks } = useServices()
  const { report } = useUndo()
  const folders = foldersOf(useStored('asks', (state) => state.asks))
  const [naming, setNaming] = useState(false)
  const put = (folder: string | null) => asks.getState().change(client.asks.putIn({ askId: ask.id, folder }))
  return (
    <>
      <Menu
        label="Folder"
        align="end"
        width="w-56"
        trigger={
          <IconButton icon={Folder} label={ask.folder === null ? 'Put in a folder' : `In “${ask.folder}”`} />
        }
      >
        {folders
          .filter((folder) => folder !== ask.folder)
          .map((folder) => (
            <MenuItem key={folder} icon={Folder} onSelect={() => void put(folder).then(report)}>
              {folder}
            </MenuItem>
          ))}
        <MenuItem icon={FolderPlus} onSelect={() => setNaming(true)}>
          New folder…
        </MenuItem>
        {ask.folder === null ? null : (
          <MenuItem icon={FolderMinus} onSelect={() => void put(null).then(report)}>
            Take it out of “{ask.folder}”
          </MenuItem>
        )}
      </Menu>
      {naming ? (
        <NameDialog
          title="A new folder"
          description="Asks are found by it; their files stay where they are."
          submit={{ label: 'Put it there' }}
          maxLength={100}
          onName={put}
          onClose={() => setNaming(false)}
        />
      ) : null}
    </>
  )
}
