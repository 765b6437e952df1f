import { RadioGroup } from 'radix-ui'
import { useState } from 'react'
import { useStore } from 'zustand'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Loading } from '../../components/loading'
import { TextField } from '../../ground/text-field'
import { useServices } from '../../stores/use-services'

/** Which embedding model is used, each with an honest description of what it can do. */
export function EmbedderChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { embedders } = useServices()
  const { data, problem, reload } = useStore(embedders)
  if (problem) return <ErrorNotice problem={problem} alwaysRetry onRetry={() => void reload()} />
  if (!data) return <Loading what="the embedding models" />
  return (
    <div className="flex flex-col gap-3">
      <RadioGroup.Root
        aria-label="Embedding model"
        value={value}
        onValueChange={onChange}
        className="flex flex-col gap-2"
      >
        {data.map((embedder) => (
          <RadioGroup.Item
            key={embedder.id}
            value={embedder.id}
            disabled={!embedder.available}
            className="group flex gap-3 rounded-md border p-3 text-left hover:bg-hover data-[state=checked]:border-accent disabled:opacity-60 disabled:hover:bg-transparent"
          >
            <span className="mt-0.75 flex size-3.5 shrink-0 items-center justify-center rounded-full border border-line-strong group-data-[state=checked]:border-accent">
              <RadioGroup.Indicator className="size-1.75 rounded-full bg-accent" />
            </span>
            <span className="min-w-0">
              <span className="flex flex-wrap items-center gap-2">
                <span className="font-medium">{embedder.title}</span>
                {embedder.available ? null : <Badge tone="notice">Files not found</Badge>}
              </span>
              <span className="block text-sm text-muted">{embedder.description}</span>
            </span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
      <AnotherEmbedder onChoose={onChange} />
    </div>
  )
}

/** Any GGUF, folder or server's model, by its name. */
function AnotherEmbedder({ onChoose }: { onChoose: (id: string) => void }) {
  const [id, setId] = useState('')
  const target = id.trim()
  return (
    <div className="flex items-end gap-2">
      <TextField
        label="Another embedding model"
        width="min-w-0 flex-1"
        placeholder="Path of a GGUF file or a folder, or openai:NAME@SERVER"
        value={id}
        onChange={setId}
      />
      <Button disabled={target === ''} onClick={() => onChoose(target)}>
        Use it
      </Button>
    </div>
  )
}
