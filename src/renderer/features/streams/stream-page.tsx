import { Info } from '../../components/icons'
import { useState } from 'react'
import { useStore } from 'zustand'
import { verifiedWords, workedWords } from '../../../shared/figures/stream-words'
import type { StreamInfo, StreamPage as Page } from '../../../shared/domain/task'
import type { LoamErrorShape } from '../../../shared/errors'
import { Button } from '../../components/button'
import { Dialog } from '../../components/dialog'
import { ErrorNotice } from '../../components/error-notice'
import { fileName } from '../../components/format'
import { Loading } from '../../components/loading'
import { errorShape } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'

/** What is known of a stream, asked for when it is opened, since its tasks' own solutions are played for it. `titleId`: the heading that tells its button from others. */
export function StreamPage({ stream, titleId }: { stream: StreamInfo; titleId: string }) {
  const { client } = useServices()
  const [open, setOpen] = useState(false)
  const [page, setPage] = useState<Page | null>(null)
  const [problem, setProblem] = useState<LoamErrorShape | null>(null)
  const ask = () => {
    setOpen(true)
    setProblem(null)
    client.streams.page({ id: stream.id }).then(setPage, (error: unknown) => setProblem(errorShape(error)))
  }
  return (
    <>
      <Button icon={Info} aria-describedby={titleId} onClick={ask}>
        About
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={stream.title}
        description={stream.description}
      >
        <div className="flex min-h-0 flex-col gap-4 overflow-y-auto p-4">
          {problem ? <ErrorNotice problem={problem} onRetry={ask} /> : null}
          {page === null && !problem ? <Loading what="what is known of it" /> : null}
          {page ? <PageText page={page} /> : null}
        </div>
      </Dialog>
    </>
  )
}

function PageText({ page }: { page: Page }) {
  const { methods, models } = useServices()
  const records = useStore(methods, ({ data }) => data)
  const here = useStore(models, ({ data }) => data)
  const call = {
    method: (id: string) => records?.find((one) => one.id === id)?.title ?? id,
    model: (file: string) => here?.find(({ path }) => fileName(path) === file)?.name ?? file,
  }
  const facts = [
    ['Tasks of this kind', page.source],
    ['Licence', page.licence ?? 'Nothing is said in the file; see where it is from.'],
    ['Solved', page.solved],
    ['Own solutions', verifiedWords(page.verified)],
    ['Worked on by', workedWords(page.worked, call)],
  ] as const
  return (
    <>
      <dl className="flex flex-col gap-3">
        {facts.map(([name, text]) => (
          <div key={name}>
            <dt className="text-sm font-medium">{name}</dt>
            <dd className="text-sm whitespace-pre-line text-muted">{text}</dd>
          </div>
        ))}
      </dl>
      <section aria-label="A sample task">
        <h3 className="text-sm font-medium">A sample task</h3>
        <p className="text-sm break-words whitespace-pre-wrap text-muted">{page.sample}</p>
      </section>
    </>
  )
}
