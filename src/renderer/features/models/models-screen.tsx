import { FileBox, FolderPlus, RotateCw } from '../../components/icons'
import { useState, type DragEvent, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Loading } from '../../components/loading'
import { Screen } from '../../components/screen'
import { RefusedNotice } from '../../ground/refused-notice'
import { FirstModel } from '../../ground/first-model'
import { FolderBrowser } from '../../ground/folder-browser'
import { useServices } from '../../stores/use-services'
import { ServersSection } from './servers-section'
import { DownloadsSection } from './downloads-section'
import { FoundModels } from './found-models'
import { GraphicsSection } from './graphics-section'
import { HubSection } from './hub-section'
import { RegistryList } from './registry-list'
import { useAddModels } from './use-add-models'

/** Said where files were dropped into a page that cannot tell where they lie. */
const NO_PATHS =
  'A browser does not tell a page where dropped files lie, and copying gigabytes helps nobody: show Loam the file here.'

/** Models wherever they are: found on this machine, on servers, and on the hub. */
export function ModelsScreen() {
  const { models, fits } = useServices()
  const { data, status, problem, reload } = useStore(models)
  const adding = useAddModels()
  const [looking, setLooking] = useState(false)
  const look = async () => {
    setLooking(true)
    fits.getState().forget()
    await reload()
    setLooking(false)
  }
  return (
    <DropZone onDrop={() => !adding.native && adding.setBrowsing('dropped')}>
      <Screen
        title="Models"
        lead="Language models as GGUF files, read where they are: in your folders, and where other programs keep theirs. Nothing is copied or changed."
        action={
          <div className="flex flex-wrap justify-end gap-2">
            <Button icon={RotateCw} disabled={looking} onClick={() => void look()}>
              {looking ? 'Looking…' : 'Look again'}
            </Button>
            {adding.native ? (
              <Button icon={FolderPlus} onClick={() => void adding.choose('folder')}>
                Add a folder
              </Button>
            ) : null}
            <Button look="primary" icon={FileBox} onClick={() => void adding.choose('files')}>
              Add a model
            </Button>
          </div>
        }
      >
        {adding.browsing === false ? (
          <RefusedNotice problem={adding.problem} onDismiss={adding.clear} />
        ) : null}
        {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={() => void reload()} /> : null}
        {data === null && status !== 'failed' ? <Loading what="your models" /> : null}
        <DownloadsSection />
        <FirstModel onFile={() => void adding.choose('files')} />
        <FoundModels onAdd={() => void adding.choose('files')} />
        <GraphicsSection />
        <ServersSection />
        <HubSection />
        <RegistryList />
      </Screen>
      {adding.browsing === false ? null : (
        <FolderBrowser
          title="Add a model"
          description="Folders, GGUF and ONNX files of the machine that Loam runs on. Nothing is copied."
          files="models"
          note={adding.browsing === 'dropped' ? NO_PATHS : null}
          problem={adding.problem}
          onAdd={(path) => adding.add([path])}
          onClose={() => {
            adding.clear()
            adding.setBrowsing(false)
          }}
        />
      )}
    </DropZone>
  )
}

const holdsFiles = (event: DragEvent): boolean => event.dataTransfer.types.includes('Files')

/** Takes files that are dropped on it; what becomes of them is told by `onDrop`, since only the desktop window learns where they lie. */
function DropZone(props: { onDrop(): void; children: ReactNode }) {
  const [over, setOver] = useState(false)
  return (
    <div
      className="relative h-full"
      onDragOver={(event) => {
        if (!holdsFiles(event)) return
        event.preventDefault()
        event.dataTransfer.dropEffect = 'link'
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)) return
        setOver(false)
      }}
      onDrop={(event) => {
        if (!holdsFiles(event)) return
        event.preventDefault()
        setOver(false)
        props.onDrop()
      }}
    >
      {props.children}
      {over ? (
        <p
          role="status"
          className="pointer-events-none absolute inset-3 z-10 flex items-center justify-center rounded-lg border-2 border-dashed border-accent bg-surface/90 text-lg"
        >
          Drop GGUF files or folders: they are read where they lie.
        </p>
      ) : null}
    </div>
  )
}
