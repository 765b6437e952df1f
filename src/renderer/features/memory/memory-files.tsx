import { Download, Ellipsis, FileInput, FileUp } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import type { ImportReport } from '../../../shared/domain/format'
import { readingWords } from '../../../shared/domain/reading'
import { Dialog } from '../../components/dialog'
import { plural } from '../../components/format'
import { SkippedRows } from '../../components/skipped-rows'
import { IconButton } from '../../components/icon-button'
import { FilePicker } from '../../ground/file-picker'
import { Menu, MenuItem } from '../../ground/menu'
import { readFileText } from '../../ground/read-file'
import { useUndo } from '../../ground/use-undo'
import { errorShape } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'
import { ImportDialog } from './panels/experience/import-dialog'
import { useExportItems } from './use-export-items'

/** Takes what is remembered along as a file, and reads such a file in. */
export function MemoryFiles() {
  const { items, memoryKinds, memories } = useServices()
  const choice = useStore(items, (state) => state.filters.kind)
  const kind = useStore(memoryKinds, ({ data }) => data?.find(({ id }) => id === choice))
  const exportItems = useExportItems()
  const { report } = useUndo()
  const [read, setRead] = useState<ImportReport | null>(null)
  const [logs, setLogs] = useState(false)
  const memoryId = useStore(items, (state) => state.memoryId)
  const readIn = async (file: File) => {
    try {
      setRead(await items.getState().readIn(await readFileText(file)))
      await memories.getState().reload()
    } catch (error) {
      report(errorShape(error))
    }
  }
  return (
    <>
      <FilePicker label="Memory file" accept=".jsonl,.json,.txt" onFile={(file) => void readIn(file)}>
        {(pick) => (
          <Menu
            label="Export and import"
            align="end"
            width="w-72"
            trigger={<IconButton icon={Ellipsis} label="Export and import" />}
          >
            {kind ? (
              <MenuItem icon={Download} onSelect={() => void exportItems({ kinds: [kind.id] })}>
                Export {kind.titleMany.toLowerCase()}
              </MenuItem>
            ) : null}
            <MenuItem
              icon={Download}
              detail="Everything in use, one item per line."
              onSelect={() => void exportItems({ kinds: null })}
            >
              Export all kinds
            </MenuItem>
            <MenuItem icon={FileUp} detail="The same item twice counts once." onSelect={pick}>
              Import from a file…
            </MenuItem>
            <MenuItem
              icon={FileInput}
              detail="What other agents did becomes experiences."
              onSelect={() => setLogs(true)}
            >
              Import logs…
            </MenuItem>
          </Menu>
        )}
      </FilePicker>
      {logs && memoryId !== null ? <ImportDialog memoryId={memoryId} onClose={() => setLogs(false)} /> : null}
      {read ? <ImportWords report={read} onClose={() => setRead(null)} /> : null}
    </>
  )
}

/** How many rows went in, how many did not, and why. */
function ImportWords({ report, onClose }: { report: ImportReport; onClose(): void }) {
  return (
    <Dialog
      onClose={onClose}
      title={report.imported === 0 ? 'Nothing new was read' : `${plural(report.imported, 'item')} added`}
      description={readingWords(report)}
    >
      <div className="min-h-0 flex-1 overflow-y-auto p-4">
        <SkippedRows report={report} />
      </div>
    </Dialog>
  )
}
