import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useStore } from 'zustand'
import type { LoamErrorShape } from '../../../shared/errors'
import { PATHS_DROPPED } from '../../../shared/port-handshake'
import { fileName } from '../../components/format'
import { isForImport } from '../../ground/dropped-files'
import { errorShape } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'

/** Adding models where they lie: by the system's dialog, by looking into folders, or by dropping files. */
export interface AddModels {
  readonly problem: LoamErrorShape | null
  /** Whether the system has a dialog of its own for it. */
  readonly native: boolean
  /** Whether folders are being looked into; `dropped` when it was files that brought it up, whose place a browser does not tell. */
  readonly browsing: false | 'asked' | 'dropped'
  clear(): void
  setBrowsing(browsing: false | 'asked' | 'dropped'): void
  /** Asks for files or a folder in whatever way there is. */
  choose(what: 'files' | 'folder'): Promise<void>
  /** Resolves to whether all of them were added. */
  add(paths: readonly string[]): Promise<boolean>
}

/** The one adding of a screen; listens for files that are dropped while it is there. */
export function useAddModels(): AddModels {
  const { client, models, settings, embedders, info, toasts, ui } = useServices()
  const native = useStore(info, (state) => state.data?.host === 'electron')
  const [problem, setProblem] = useState<LoamErrorShape | null>(null)
  const [browsing, setBrowsing] = useState<AddModels['browsing']>(false)

  const add = async (paths: readonly string[]): Promise<boolean> => {
    setProblem(null)
    try {
      for (const path of paths) {
        const { words } = await client.models.add({ path })
        toasts.getState().tell(fileName(path), words)
      }
      return true
    } catch (error) {
      setProblem(errorShape(error))
      return false
    } finally {
      void settings.getState().load()
      void models.getState().reload()
      void embedders.getState().reload()
    }
  }
  const latest = useRef(add)
  useEffect(() => {
    latest.current = add
  })
  useEffect(() => {
    const onMessage = (event: MessageEvent<{ kind?: unknown; paths?: unknown } | null>) => {
      const message = event.data
      if (event.source !== window || message?.kind !== PATHS_DROPPED || !Array.isArray(message.paths)) return
      const paths = message.paths.filter((path): path is string => typeof path === 'string')
      // What is no model goes where it goes from every other screen.
      const others = paths.filter(isForImport)
      if (others.length > 0) ui.getState().startImport({ paths: others })
      void latest.current(paths.filter((path) => !isForImport(path)))
    }
    window.addEventListener('message', onMessage)
    return () => window.removeEventListener('message', onMessage)
  }, [ui])

  const choose: AddModels['choose'] = async (what) => {
    if (!native) {
      setBrowsing('asked')
      return
    }
    try {
      const paths = await client.models.choose({ what })
      if (paths === null) setBrowsing('asked')
      else await add(paths)
    } catch (error) {
      setProblem(errorShape(error))
    }
  }
  const request = useStore(ui, ({ modelFile }) => modelFile)
  const begin = useEffectEvent((why: 'asked' | 'dropped') => {
    ui.getState().chooseModelFile(null)
    if (why === 'dropped') setBrowsing(why)
    else void choose('files')
  })
  useEffect(() => {
    if (request !== null) begin(request)
  }, [request])

  return {
    ...{ problem, native, browsing, setBrowsing, add, choose },
    clear: () => setProblem(null),
  }
}
