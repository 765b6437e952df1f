import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import { PATHS_DROPPED } from '../../shared/port-handshake'
import { droppedFiles, isModel } from '../ground/dropped-files'
import { nameOfMemory } from '../stores/memories'
import type { Services } from '../stores/services'
import { useServices } from '../stores/use-services'
import { openPaths } from './open-things'

/** Files that are dropped where nothing else takes them are shown as an import. Only the desktop window learns where they lie. */
export function DropImport() {
  const services = useServices()
  const { memories } = services
  const memory = useStore(memories, (state) => state.memories.find(({ id }) => id === state.currentId))
  const [isOver, setIsOver] = useState(false)
  useEffect(() => listenForDrops(services, setIsOver), [services])
  if (!isOver) return null
  return (
    <p
      role="status"
      className="pointer-events-none fixed inset-3 z-30 flex items-center justify-center rounded-lg border-2 border-dashed border-accent bg-surface/90 text-lg"
    >
      Drop files to import them into {memory ? nameOfMemory(memory) : 'your memory'}, models to add them.
    </p>
  )
}

function listenForDrops(services: Services, setIsOver: (isOver: boolean) => void): () => void {
  const { info, ui, toasts } = services
  const abort = new AbortController()
  const { signal } = abort
  /** A question or a form keeps what is dropped on it to itself. */
  const isFree = (event: DragEvent): boolean =>
    !event.defaultPrevented &&
    event.dataTransfer?.types.includes('Files') === true &&
    (ui.getState().transfer?.kind === 'import' || document.querySelector('[role=dialog]') === null)
  let waitsForPaths = false
  // Where what lies under the files is drawn anew, as on a screen that is still loading, the drop follows on an enter and needs it taken.
  const onEnter = (event: DragEvent) => {
    if (isFree(event)) event.preventDefault()
  }
  const onOver = (event: DragEvent) => {
    const isOurs = isFree(event)
    if (isOurs) event.preventDefault()
    setIsOver(isOurs)
  }
  const onDrop = (event: DragEvent) => {
    setIsOver(false)
    if (!isFree(event) || !event.dataTransfer) return
    event.preventDefault()
    waitsForPaths = info.getState().data?.host === 'electron'
    if (waitsForPaths) return
    // A browser does not tell where a model lies, and nobody wants it copied.
    if ([...event.dataTransfer.files].some(({ name }) => isModel(name))) {
      toasts.getState().show({
        ...{ title: 'A model is added from where it lies', tone: 'plain' },
        detail: 'Browsers do not tell where that is: show Loam the file.',
        action: { label: 'Choose it', run: () => ui.getState().chooseModelFile('dropped') },
      })
      return
    }
    void droppedFiles(event.dataTransfer).then((files) => ui.getState().startImport({ files }))
  }
  const onMessage = (event: MessageEvent<{ kind?: unknown; paths?: unknown } | null>) => {
    const message = event.data
    if (!waitsForPaths || event.source !== window || message?.kind !== PATHS_DROPPED) return
    waitsForPaths = false
    const paths = Array.isArray(message.paths) ? (message.paths as unknown[]) : []
    openPaths(
      paths.filter((path): path is string => typeof path === 'string'),
      services,
    )
  }
  window.addEventListener('dragenter', onEnter, { signal })
  window.addEventListener('dragover', onOver, { signal })
  window.addEventListener('dragleave', (event) => event.relatedTarget === null && setIsOver(false), {
    signal,
  })
  window.addEventListener('drop', onDrop, { signal })
  window.addEventListener('message', onMessage, { signal })
  return () => abort.abort()
}
