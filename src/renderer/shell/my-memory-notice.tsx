import { useState, type ReactNode } from 'react'
import type { MemoryInfo } from '../../shared/domain/memory-info'
import { Button } from '../components/button'
import { plural } from '../components/format'
import { TakeDialog } from '../ground/take-dialog'
import { useUndo } from '../ground/use-undo'
import { refusalOf } from '../stores/error-shape'
import { itemsIn } from '../stores/memories'
import { useServices, useStored } from '../stores/use-services'

/** What a person still has to say about My memory: which one it is, where Loam cannot know, and whether to take an earlier one into it. */
export function MyMemoryNotice() {
  const { client, myMemory, memories } = useServices()
  const { report } = useUndo()
  const mine = useStored('myMemory', ({ data }) => data)
  const [taking, setTaking] = useState<MemoryInfo | null>(null)
  if (!mine) return null
  const { memory, candidates, lost, offers } = mine
  const answer = async (call: Promise<unknown>) => {
    if (!report(await refusalOf(call))) return
    void myMemory.getState().reload()
    void memories.getState().reload()
  }
  const [offer] = offers
  return (
    <>
      {candidates.length > 0 ? (
        <Notice
          label="Which memory is yours"
          words={
            lost === null
              ? 'Which of these memories is yours? Asks, imports and programs then use it. The others stay in the lab.'
              : 'The folder of My memory is gone; a backup has it. Which memory is yours until then?'
          }
        >
          {candidates.map((one) => (
            <Button
              key={one.id}
              size="small"
              onClick={() => void answer(client.memories.decideMine({ memoryId: one.id }))}
            >
              {one.name}, {plural(itemsIn(one), 'item')}
            </Button>
          ))}
          <Button
            size="small"
            look="quiet"
            onClick={() => void answer(client.memories.decideMine({ memoryId: memory.id }))}
          >
            None, begin a new one
          </Button>
        </Notice>
      ) : null}
      {candidates.length === 0 && offer ? (
        <Notice
          label="An earlier memory"
          words={`Programs kept experiences in “${offer.name}”. My memory can take them.`}
        >
          <Button size="small" onClick={() => setTaking(offer)}>
            Take into My memory…
          </Button>
          <Button
            size="small"
            look="quiet"
            onClick={() => void answer(client.memories.dropOffer({ memoryId: offer.id }))}
          >
            Leave it in the lab
          </Button>
        </Notice>
      ) : null}
      {taking ? <TakeDialog from={taking} onClose={() => setTaking(null)} /> : null}
    </>
  )
}

function Notice({ label, words, children }: { label: string; words: string; children: ReactNode }) {
  return (
    <section
      aria-label={label}
      className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t bg-notice-soft px-4 py-2 text-sm"
    >
      <p className="min-w-64 flex-1">{words}</p>
      {children}
    </section>
  )
}
