import { Sparkles } from 'lucide-react'
import { useState } from 'react'
import { useStore } from 'zustand'
import { FormDialog } from '../../../../ground/form-dialog'
import { plural } from '../../../../components/format'
import { NumberField } from '../../../../ground/number-field'
import { refusalOf } from '../../../../stores/error-shape'
import { useServices } from '../../../../stores/use-services'
import { ModelField } from '../../../../ground/task-choice/model-field'

/** Has a local model write experiences from the logs that wait. Stopping and going on later loses nothing. */
export function AbstractDialog(props: { memoryId: string; waiting: number; onClose(): void }) {
  const { memoryId, waiting, onClose } = props
  const { client, models } = useServices()
  const usable = (useStore(models).data ?? []).filter(({ problem }) => problem === null)
  const [path, setPath] = useState<string | null>(null)
  const [limit, setLimit] = useState<number | null>(null)
  const model =
    usable.find((item) => item.path === path) ?? usable.find(({ demo }) => demo) ?? usable[0] ?? null
  return (
    <FormDialog
      title="Write experiences from logs"
      description={`${plural(waiting, 'log')} wait. The model reads each and writes a plan and advice that other agents can use.`}
      submit={{ label: 'Start', icon: Sparkles }}
      ready={model !== null}
      onSubmit={() =>
        refusalOf(
          client.items.work({
            ...{ memoryId, kind: 'experience', ability: 'abstract' },
            input: { model: model?.path ?? null, limit },
          }),
        )
      }
      onClose={onClose}
    >
      <ModelField model={model} models={usable} onChange={setPath} />
      <NumberField
        label="Logs"
        name="Number of logs"
        hint="Empty: all that wait. You can stop at any time and go on later."
        width="w-32"
        optional
        value={limit}
        bounds={[1, Math.max(1, waiting)]}
        placeholder={`all ${waiting}`}
        onChange={setLimit}
      />
    </FormDialog>
  )
}
