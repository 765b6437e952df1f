import { ListOrdered, Play } from 'lucide-react'
import { useState } from 'react'
import type { LeftOut } from '../../../shared/domain/ask-curve'
import type { StreamInfo } from '../../../shared/domain/task'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { plural } from '../../components/format'
import { errorShape } from '../../stores/error-shape'
import type { LoamErrorShape } from '../../../shared/errors'
import { useServices } from '../../stores/use-services'

interface Made {
  readonly streams: readonly StreamInfo[]
  readonly leftOut: readonly LeftOut[]
}

/** Past asks become a stream with one click, and any method or model is replayed on them. */
export function AsksToStream({ memoryId, name }: { memoryId: string; name: string }) {
  const { client, streams, runForm, ui } = useServices()
  const [product, setMade] = useState<Made | null>(null)
  const [problem, setProblem] = useState<LoamErrorShape | null>(null)
  const make = async () => {
    setProblem(null)
    try {
      setMade(await client.asks.toStream({ title: `Asks of ${name}`, memoryId }))
      await streams.getState().reload()
    } catch (error) {
      setProblem(errorShape(error))
    }
  }
  const replay = (stream: StreamInfo) => {
    runForm.getState().change({ stream: stream.id, memoryId: null, tasks: null })
    ui.getState().go('run')
  }
  return (
    <section aria-label="Replay them" className="flex flex-col gap-3 rounded-lg border p-3">
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-60 flex-1 text-sm">
          Would another model or another way to learn have solved them? As a stream, they can be replayed.
        </p>
        <Button icon={ListOrdered} onClick={() => void make()}>
          Make a stream of them
        </Button>
      </div>
      {problem ? <ErrorNotice problem={problem} /> : null}
      {product ? (
        <div role="status" className="flex flex-col gap-2">
          {product.streams.map((stream) => (
            <div key={stream.id} className="flex flex-wrap items-center gap-3">
              <p className="min-w-40 flex-1 text-sm">
                “{stream.title}”: {plural(stream.tasks, 'task')}
              </p>
              <Button size="small" icon={Play} onClick={() => replay(stream)}>
                Replay with another method or model
              </Button>
            </div>
          ))}
          {product.leftOut.length > 0 ? (
            <details className="text-sm text-muted">
              <summary className="w-fit cursor-pointer rounded-sm">
                {plural(product.leftOut.length, 'ask')} left out
              </summary>
              <ul className="mt-1 list-disc pl-5">
                {product.leftOut.map(({ askId, title, why }, i) => (
                  <li key={`${askId} ${i}`}>
                    {title}: {why}
                  </li>
                ))}
              </ul>
            </details>
          ) : null}
        </div>
      ) : null}
    </section>
  )
}
