import { FolderOpen, Pencil, SlidersHorizontal } from '../../components/icons'
import { useState } from 'react'
import { IconButton } from '../../components/icon-button'
import { FoldersDialog } from '../../ground/folders-dialog'
import { NameDialog } from '../../ground/form-dialog'
import { Select } from '../../ground/select'
import { ARCHIVE } from '../../stores/asks'
import { refusalOf } from '../../stores/error-shape'
import { mineIn } from '../../stores/memories'
import { useServices, useStored } from '../../stores/use-services'
import { projectsOf } from './ask-header'
import { ProjectDialog } from './project-dialog'

/** Which project's asks are listed, and what can be done with it; nothing where there is none. */
export function ProjectBar() {
  const { asks, client } = useServices()
  const folder = useStored('asks', (state) => state.folder)
  const mine = useStored('memories', (state) => mineIn(state.memories))
  const all = useStored('asks', (state) => state.asks)
  const matches = projectsOf(all)
  // The one that is looked into stays to be left, although nothing in it holds the words that are searched for.
  const projects =
    folder === null || folder === ARCHIVE || matches.includes(folder) ? matches : [folder, ...matches]
  const isAnyArchived = folder === ARCHIVE || all.some(({ archived }) => archived)
  const [setting, setSetting] = useState<'name' | 'words' | 'files' | null>(null)
  const rename = (from: string, name: string) =>
    refusalOf(
      client.asks.renameProject({ from, name }).then(() => {
        const { draft, write, look, load } = asks.getState()
        if (draft.project === from) write({ project: name })
        look(name)
        return load()
      }),
    )
  return (
    <>
      {projects.length > 0 || isAnyArchived ? (
        <div className="flex flex-wrap items-center gap-1">
          <Select
            label="Project"
            className="min-w-0 flex-1 basis-32"
            value={folder ?? ''}
            options={[
              { value: '', label: 'All asks' },
              ...projects.map((name) => ({ value: name, label: name })),
              ...(isAnyArchived ? [{ value: ARCHIVE, label: 'Archive' }] : []),
            ]}
            onChange={(name) => asks.getState().look(name === '' ? null : name)}
          />
          {folder === null || folder === ARCHIVE ? null : (
            <span className="flex items-center gap-1">
              <IconButton icon={Pencil} label={`Rename “${folder}”`} onClick={() => setSetting('name')} />
              <IconButton
                icon={SlidersHorizontal}
                label={`Instructions of “${folder}”`}
                onClick={() => setSetting('words')}
              />
              <IconButton
                icon={FolderOpen}
                label={`Files of “${folder}”`}
                onClick={() => setSetting('files')}
              />
            </span>
          )}
        </div>
      ) : null}
      {setting === 'name' && folder !== null ? (
        <NameDialog
          title={`Rename “${folder}”`}
          description="Its asks, what they taught, its files and its settings go along. A name that is taken makes one of both."
          submit={{ label: 'Rename', busy: 'Renaming…' }}
          name={folder}
          maxLength={100}
          onName={(name) => rename(folder, name)}
          onClose={() => setSetting(null)}
        />
      ) : null}
      {setting === 'words' && folder !== null ? (
        <ProjectDialog name={folder} onClose={() => setSetting(null)} />
      ) : null}
      {setting === 'files' && folder !== null && mine !== undefined ? (
        <FoldersDialog memoryId={mine.id} project={folder} onClose={() => setSetting(null)} />
      ) : null}
    </>
  )
}
