import { TitleAndLead } from '../../components/title-and-lead'
import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { ServedSoftPromptInfo } from '../../../shared/domain/soft-prompt-training'
import { formatWhen, plural } from '../../components/format'
import { Switch } from '../../components/switch'
import { Term } from '../../components/term'
import { useServices } from '../../stores/use-services'

/** Whether the run is served the soft prompt its memory uses; nothing where there is none. */
export function SoftPromptChoice({ stream, model }: { stream: string | null; model: string | null }) {
  const { client, runForm, jobs } = useServices()
  const { memoryId, useSoftPrompt, change } = useStore(runForm)
  // What a memory uses changes with consolidations, which are jobs.
  const endCount = useStore(jobs, (state) => state.data.filter(({ status }) => status !== 'running').length)
  const [served, setServed] = useState<ServedSoftPromptInfo | null>(null)
  useEffect(() => {
    setServed(null)
    if (memoryId === null || stream === null) return undefined
    let isGone = false
    client.softPrompts.served({ memoryId, stream, model }).then(
      (match) => {
        if (!isGone) setServed(match)
      },
      // Starting the run says what is wrong with it.
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [client, memoryId, stream, model, endCount])
  if (!served) return null
  return (
    <div className="flex items-start gap-3" data-testid="soft-prompt-choice">
      <TitleAndLead
        small
        className="min-w-0 text-sm"
        title={<Term name="soft prompt">Soft prompt</Term>}
        lead={served.refusal ?? `${plural(served.tokens, 'token')}, from ${formatWhen(served.createdAt)}`}
      />
      {served.refusal === null ? (
        <Switch
          label="Use the memory’s soft prompt"
          checked={useSoftPrompt}
          onChange={(use) => change({ useSoftPrompt: use })}
        />
      ) : null}
    </div>
  )
}
