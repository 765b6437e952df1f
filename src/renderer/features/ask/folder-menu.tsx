import { Folder, FolderMinus, FolderPlus } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { AskInfo } from '../../../shared/domain/ask'
import { IconButton } from '../../components/icon-button'
import { NameDialog } from '../../ground/form-dialog'
import { Menu, MenuItem } from '../../ground/menu'
import { useUndo } from '../../ground/use-undo'
import { useServices } from '../../stores/use-services'

/** The folders that asks are filed under, in order. */
export const foldersOf = (asks: readonly AskInfo[]): string[] =>
  [...new Set(asks.flatMap(({ folder }) => folder ?? []))].sort((a, b) => a.localeCompare(b))

/** Files an ask under a name, one that is there or a new one. */
export function FolderMenu({ ask }: { ask: AskInfo }) {
  const { asks } = useServices()
  const { report } = useUndo()
  const folders = foldersOf(useStore(asks, (state) => state.asks))
  const [naming, setNaming] = useState(false)
  const put = (folder: string | null) => asks.getState().putIn(ask.id, folder)
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
