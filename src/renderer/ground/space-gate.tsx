import type { LucideIcon } from 'lucide-react'
import { useEffect, type ReactNode } from 'react'
import { useStore } from 'zustand'
import { Button } from '../components/button'
import { EmptyState } from '../components/empty-state'
import { ErrorNotice } from '../components/error-notice'
import { Loading } from '../components/loading'
import { GoButton } from './go-to'
import { useServices } from '../stores/use-services'

/** What a screen shows of the open space; reads the spaces afresh, and says so while there is none. */
export function SpaceGate(props: {
  icon: LucideIcon
  /** What is in a space, said while there is none: `Experiences live in a space.` */
  about: string
  /** What enters each space that is opened, and once when the screen appears. Default: nothing. */
  stores?: readonly { getState(): { enter(spaceId: string): void } }[]
  children: (spaceId: string) => ReactNode
}) {
  const { spaces, ui } = useServices()
  const { currentId, status, problem } = useStore(spaces)
  useEffect(() => {
    void spaces.getState().reload()
  }, [spaces])
  useEffect(() => {
    if (!currentId) return
    for (const store of props.stores ?? []) store.getState().enter(currentId)
    // Entering again because the list is another one would read everything again at each redraw.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [currentId])
  if (currentId) return props.children(currentId)
  if (problem) {
    return (
      <div className="p-6">
        <ErrorNotice problem={problem} alwaysRetry onRetry={() => void spaces.getState().reload()} />
      </div>
    )
  }
  if (status !== 'ready') return <Loading what="your spaces" />
  return (
    <EmptyState
      icon={props.icon}
      title="No space yet"
      alone
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button onClick={() => ui.getState().setNewSpaceOpen(true)}>New space…</Button>
          <GoButton to="run">Go to Run</GoButton>
        </div>
      }
    >
      {props.about} Every run makes one, or make one yourself, here or with the switcher at the top left.
    </EmptyState>
  )
}
