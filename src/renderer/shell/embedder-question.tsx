import { TitleAndLead } from '../components/title-and-lead'
import { useState } from 'react'
import { useStore } from 'zustand'
import { Button } from '../components/button'
import { Dialog } from '../components/dialog'
import { EmbedderOffers } from '../ground/embedder-offers'
import { useServices } from '../stores/use-services'

/**
 * Asks, from the first start until it is answered, how texts are to be compared: by an encoder that is fetched, by one that is here, or by
 * words. It stands in nobody's way.
 */
export function EmbedderQuestion() {
  const { settings, embedders } = useServices()
  const [open, setOpen] = useState(false)
  const now = useStore(settings, (state) => state.settings)
  const list = useStore(embedders, (state) => state.data)
  const words = list?.find(({ kind }) => kind === 'lexical')
  if (!now || !words || now.encoderChosen || now.embedder !== words.id) return null
  const choose = async (embedder: string) => {
    if (await settings.getState().save({ embedder })) setOpen(false)
  }
  const here = list?.filter((one) => one.available && one.kind === 'sentence-encoder') ?? []
  return (
    <>
      <section
        aria-label="How texts are compared"
        className="flex flex-wrap items-center gap-x-4 gap-y-2 border-t bg-notice-soft px-4 py-2 text-sm"
      >
        <p className="min-w-64 flex-1">
          Memory compares texts by their words alone until you choose an embedding model.
        </p>
        <Button size="small" onClick={() => setOpen(true)}>
          Choose an encoder…
        </Button>
        <Button size="small" look="quiet" onClick={() => void choose(words.id)}>
          Go on with words
        </Button>
      </section>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="How should texts be compared?"
        description="Memory finds earlier attempts that are like the task. An embedding model does that by meaning."
      >
        <div className="flex min-h-0 flex-1 flex-col gap-5 overflow-y-auto p-4">
          <div className="flex flex-col gap-2">
            <h3 className="font-medium">Fetch a small one</h3>
            <EmbedderOffers />
          </div>
          <div className="flex flex-col gap-2">
            <h3 className="font-medium">Use one that is here</h3>
            {here.length === 0 ? (
              <p className="text-sm text-muted">
                None was found. An encoder’s folder or GGUF file can be added on the Models screen.
              </p>
            ) : (
              <ul className="divide-y rounded-md border">
                {here.map(({ id, title, description }) => (
                  <li key={id} className="flex flex-wrap items-center gap-3 p-3">
                    <span className="min-w-56 flex-1">
                      <span className="block font-medium">{title}</span>
                      <span className="block text-sm break-words text-muted">{description}</span>
                    </span>
                    <Button size="small" onClick={() => void choose(id)}>
                      Use it
                    </Button>
                  </li>
                ))}
              </ul>
            )}
          </div>
          <div className="flex flex-wrap items-center gap-3">
            <TitleAndLead
              as="h3"
              className="min-w-56"
              title="Go on with words"
              lead={`${words.description} It can be changed in Settings at any time.`}
            />
            <Button size="small" onClick={() => void choose(words.id)}>
              Go on with words
            </Button>
          </div>
        </div>
      </Dialog>
    </>
  )
}
