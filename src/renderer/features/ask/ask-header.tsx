import {
  Archive,
  ArchiveRestore,
  BookmarkPlus,
  Braces,
  Ellipsis,
  FileDown,
  Folder,
  FolderMinus,
  FolderOpen,
  FolderPlus,
  Pencil,
  Pin,
  PinOff,
  Printer,
  RotateCw,
  Save,
  Search,
  SlidersHorizontal,
  SquarePen,
  Trash2,
} from '../../components/icons'
import { useState } from 'react'
import type { AskDetail, AskInfo } from '../../../shared/domain/ask'
import { Button } from '../../components/button'
import { IconButton } from '../../components/icon-button'
import { FoldersDialog } from '../../ground/folders-dialog'
import { NameDialog } from '../../ground/form-dialog'
import { NewItemDialog } from '../../ground/item-dialog'
import { Menu, MenuItem } from '../../ground/menu'
import { saveBlob } from '../../ground/save-text'
import { useUndo } from '../../ground/use-undo'
import { refusalOf } from '../../stores/error-shape'
import { useServices, useStored } from '../../stores/use-services'
import { importedWords, markOf, useDeleteAsk } from './ask-list'
import { ProjectDialog } from './project-dialog'

export const ANEW = 'Change it and ask anew'

/** The title of an ask, how it stands, and what can be done with it as a whole. */
export function AskHeader(props: { detail: AskDetail; active: boolean; onRetry(): void; onFind(): void }) {
  const { detail, active, onRetry, onFind } = props
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
        <p className="text-sm text-muted">
          <span role="status">{word}</span> ·{' '}
          {new Date(ask.createdAt).toLocaleString([], { dateStyle: 'medium', timeStyle: 'short' })}
          {ask.origin !== null && word !== importedWords(ask.origin) ? ` · ${importedWords(ask.origin)}` : ''}
          {ask.archived ? ' · Archived' : ''}
          {ask.temporary ? ' · Temporary: gone when Loam closes' : ''}
        </p>
      </div>
      <div className="flex flex-wrap items-center gap-1 print:hidden">
        {ask.temporary && !active ? (
          <Button icon={Save} onClick={() => void change(client.asks.keep({ askId: ask.id })).then(report)}>
            Keep this ask
          </Button>
        ) : null}
        {active ? null : (
          <Button icon={RotateCw} onClick={onRetry}>
            Try again
          </Button>
        )}
        <IconButton icon={SquarePen} label={ANEW} onClick={() => void asks.getState().rewrite()} />
        {ask.spec.world === null ? <RememberButton detail={detail} /> : null}
        <IconButton icon={Pencil} label="Rename" onClick={() => setNaming(true)} />
        <ProjectMenu ask={ask} />
        <IconButton
          icon={ask.pinned ? PinOff : Pin}
          label={ask.pinned ? 'Unpin' : 'Pin'}
          onClick={() => void change(client.asks.pin({ askId: ask.id, pinned: !ask.pinned })).then(report)}
        />
        <IconButton icon={Trash2} label="Delete" onClick={() => void remove(ask)} />
        <MoreMenu detail={detail} onFind={onFind} />
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

/** What is done with an ask now and then. */
function MoreMenu({ detail: { ask, turns }, onFind }: { detail: AskDetail; onFind(): void }) {
  const { client, asks } = useServices()
  const { change, report } = useUndo()
  const { id: askId, archived } = ask
  const save = (format: 'markdown' | 'json') =>
    refusalOf(
      client.asks
        .export({ askId, format })
        .then(({ name, text }) =>
          saveBlob(
            name,
            new Blob([text], { type: format === 'json' ? 'application/json' : 'text/markdown' }),
          ),
        ),
    ).then(report)
  const first = { askId, part: { turn: 0 } }
  const takeOut = () =>
    change(
      refusalOf(client.asks.takeOut(first)),
      { title: 'Message deleted', detail: 'Its answers go with it. What was learned from them stays.' },
      () => refusalOf(client.asks.takeOut({ ...first, removed: false })),
    )
  const archive = (isAway: boolean) =>
    asks.getState().change(client.asks.archive({ askId, archived: isAway }))
  return (
    <Menu label="More" align="end" width="w-60" trigger={<IconButton icon={Ellipsis} label="More" />}>
      <MenuItem icon={Search} onSelect={onFind}>
        Find in this ask
      </MenuItem>
      <MenuItem icon={FileDown} onSelect={() => void save('markdown')}>
        Export as Markdown
      </MenuItem>
      <MenuItem icon={Braces} onSelect={() => void save('json')}>
        Export as JSON
      </MenuItem>
      {turns[0]?.removed === false && turns.some(({ removed }, i) => i > 0 && !removed) ? (
        <MenuItem icon={Trash2} onSelect={() => void takeOut()}>
          Delete the first message
        </MenuItem>
      ) : null}
      {/* Once the menu is gone, which would be printed too. */}
      <MenuItem icon={Printer} onSelect={() => setTimeout(() => window.print(), 200)}>
        Print, or save as PDF
      </MenuItem>
      <MenuItem
        icon={archived ? ArchiveRestore : Archive}
        onSelect={() =>
          void (archived
            ? archive(false).then(report)
            : change(archive(true), { title: 'Ask archived', detail: `“${ask.title}”` }, () =>
                archive(false),
              ))
        }
      >
        {archived ? 'Take out of the archive' : 'Archive'}
      </MenuItem>
    </Menu>
  )
}

/** The projects that asks belong to, in order. */
export const projectsOf = (asks: readonly AskInfo[]): string[] =>
  [...new Set(asks.flatMap(({ folder }) => folder ?? []))].sort((a, b) => a.localeCompare(b))

/** Puts an ask into a project, one that is there or a new one. */
function ProjectMenu({ ask }: { ask: AskInfo }) {
  const { client, asks } = useServices()
  const { report } = useUndo()
  const projects = projectsOf(useStored('asks', (state) => state.asks))
  const [open, setOpen] = useState<'name' | 'settings' | 'files' | null>(null)
  const put = (folder: string | null) => asks.getState().change(client.asks.putIn({ askId: ask.id, folder }))
  return (
    <>
      <Menu
        label="Project"
        align="end"
        width="w-56"
        trigger={
          <IconButton icon={Folder} label={ask.folder === null ? 'Put in a project' : `In “${ask.folder}”`} />
        }
      >
        {projects
          .filter((project) => project !== ask.folder)
          .map((project) => (
            <MenuItem key={project} icon={Folder} onSelect={() => void put(project).then(report)}>
              {project}
            </MenuItem>
          ))}
        <MenuItem icon={FolderPlus} onSelect={() => setOpen('name')}>
          New project…
        </MenuItem>
        {ask.folder === null ? null : (
          <>
            <MenuItem icon={SlidersHorizontal} onSelect={() => setOpen('settings')}>
              Instructions of “{ask.folder}”…
            </MenuItem>
            <MenuItem icon={FolderOpen} onSelect={() => setOpen('files')}>
              Files of “{ask.folder}”…
            </MenuItem>
            <MenuItem icon={FolderMinus} onSelect={() => void put(null).then(report)}>
              Take it out of “{ask.folder}”
            </MenuItem>
          </>
        )}
      </Menu>
      {open === 'name' ? (
        <NameDialog
          title="A new project"
          description="An ask recalls what belongs to its project, and what belongs to none."
          submit={{ label: 'Put it there' }}
          maxLength={100}
          onName={put}
          onClose={() => setOpen(null)}
        />
      ) : null}
      {open === 'settings' && ask.folder !== null ? (
        <ProjectDialog name={ask.folder} onClose={() => setOpen(null)} />
      ) : null}
      {open === 'files' && ask.folder !== null ? (
        <FoldersDialog memoryId={ask.spec.memoryId} project={ask.folder} onClose={() => setOpen(null)} />
      ) : null}
    </>
  )
}
