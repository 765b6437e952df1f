import { useEffect, useMemo } from 'react'
import { errorShape } from '../stores/error-shape'
import { useServices } from '../stores/use-services'
import { openPaths, previewLink } from './open-things'

/** Asked as often as this, besides whenever the window gets the focus or the desktop says so, in ms. */
const EVERY_MS = 5_000

/** Shows what a person opened with Loam: files and links. Answers what looks for them at once. */
export function useOpenedFiles(): () => void {
  const services = useServices()
  const look = useMemo(
    () => (): void => {
      services.client.app.takeOpened().then(
        ({ paths, links }) => {
          const [link] = links
          // One question at a time: what the first link asks for is the only one that is shown.
          if (link) previewLink(link, services)
          openPaths(paths, services)
        },
        (error: unknown) => {
          const problem = errorShape(error)
          // The window says itself that the host is gone.
          if (problem.code !== 'CONNECTION_LOST') services.toasts.getState().report(problem)
        },
      )
    },
    [services],
  )
  useEffect(() => {
    look()
    const timer = setInterval(look, EVERY_MS)
    window.addEventListener('focus', look)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', look)
    }
  }, [look])
  return look
}
