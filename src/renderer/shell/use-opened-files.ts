import { useEffect } from 'react'
import { errorShape } from '../stores/error-shape'
import { useServices } from '../stores/use-services'

/** Asked as often as this, besides whenever the window gets the focus, in ms. */
const EVERY_MS = 5_000

/** Whether a path is that of a model. */
export const isModel = (path: string): boolean => /\.gguf$/i.test(path)

/** Shows files that a person opened with Loam: models are added, everything else is previewed as an import. */
export function useOpenedFiles(): void {
  const { client, models, toasts, ui } = useServices()
  useEffect(() => {
    const look = async (): Promise<void> => {
      try {
        const { paths } = await client.app.takeOpened()
        const imports = paths.filter((path) => !isModel(path))
        if (imports.length > 0) ui.getState().startImport({ paths: imports })
        for (const path of paths.filter(isModel)) {
          const { words } = await client.models.add({ path })
          toasts.getState().tell('Model added', words)
          ui.getState().go('models')
        }
        if (paths.some(isModel)) await models.getState().reload()
      } catch (error) {
        const problem = errorShape(error)
        // The window says itself that the host is gone.
        if (problem.code !== 'CONNECTION_LOST') toasts.getState().report(problem)
      }
    }
    const onFocus = () => void look()
    void look()
    const timer = setInterval(onFocus, EVERY_MS)
    window.addEventListener('focus', onFocus)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', onFocus)
    }
  }, [client, models, toasts, ui])
}
