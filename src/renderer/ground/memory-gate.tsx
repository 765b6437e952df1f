import type { IconType } from '../components/icons'
import { useEffect, useEffectEvent, type ReactNode } from 'react'
import { Button } from '../components/button'
import { EmptyState } from '../components/empty-state'
import { ErrorNotice } from '../components/error-notice'
import { Loading } from '../components/loading'
import { useServices, useStored } from '../stores/use-services'
import { GoButton } from './go-to'

/** What a screen shows of the open memory; reads the memories afresh, and says so while there is none. */
export function MemoryGate(props: {
  icon: IconType
  /** What is in a memory, said while there is none: `Experiences live in a memory.` */
  about: string
  /** What enters each memory that is opened, and once when the screen appears. Default: nothing. */
  stores?: readonly { getState(): { enter(memoryId: string): void } }[]
  children: (memoryId: string) => ReactNode
}) {
  const { memories, ui } = useServices()
  const { currentId, status, problem } = useStored('memories')
  useEffect(() => {
    void memories.getState().reload()
  }, [memories])
  const enter = useEffectEvent((memoryId: string) => {
    for (const store of props.stores ?? []) store.getState().enter(memoryId)
  })
  useEffect(() => {
    if (currentId) enter(currentId)
  }, [currentId])
  if (currentId) return props.children(currentId)
  if (problem) {
    return (
      <ErrorNotice
        className="m-6"
        problem={problem}
        alwaysRetry
        onRetry={() => void memories.getState().reload()}
      />
    )
  }
  if (status !== 'ready') return <Loading what="your memories" />
  return (
    <EmptyState
      icon={props.icon}
      title="No memory yet"
      alone
      action={
        <div className="flex flex-wrap justify-center gap-2">
          <Button onClick={() => ui.getState().setNewMemoryOpen(true)}>New memory…</Button>
          <GoButton to="run">Go to Runs</GoButton>
        </div>
      }
    >
      {props.about} Every run makes one, or make one yourself, here or with the switcher at the top left.
    </EmptyState>
  )
}
