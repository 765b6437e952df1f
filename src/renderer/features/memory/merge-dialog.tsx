import { useEffect, useState } from 'react'
import { useStore } from 'zustand'
import type { ItemDetails, ItemRow } from '../../../shared/domain/item'
import { Loading } from '../../components/loading'
import { FormDialog } from '../../ground/form-dialog'
import { TextArea } from '../../ground/text-field'
import { useServices } from '../../stores/use-services'
import { useItemChanges } from './use-item-changes'

/** Several items of one kind become one. What the first says is proposed, with what the others add below. */
export function MergeDialog({ rows, onClose }: { rows: readonly ItemRow[]; onClose: () => void }) {
  const { client, items, memoryKinds } = useServices()
  const { merge } = useItemChanges()
  const memoryId = useStore(items, (state) => state.memoryId)
  const [first] = rows
  const fields = useStore(memoryKinds, ({ data }) => data?.find(({ id }) => id === first?.kind)?.fields) ?? []
  const texts = fields.filter(({ kind }) => kind === 'text' || kind === 'line')
  const [values, setValues] = useState<Readonly<Record<string, string>> | null>(null)
  useEffect(() => {
    if (memoryId === null) return
    const read = ({ kind, id }: ItemRow): Promise<ItemDetails> => client.items.show({ memoryId, kind, id })
    void Promise.all(rows.map(read)).then((items) =>
      setValues(
        Object.fromEntries(
          texts.map(({ key, kind }) => {
            const messages = items.map((item) => item.values[key]).filter((one) => typeof one === 'string')
            const different = [...new Set(messages)].filter((one) => one !== '')
            return [key, kind === 'line' ? (different[0] ?? '') : different.join('\n\n')]
          }),
        ),
      ),
    )
    // Read once: what is typed must not be read over.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [])
  return (
    <FormDialog
      title={`Make one of ${rows.length}`}
      description="The first one keeps its history and reads like this; the others are deleted. It can be taken back."
      submit={{ label: 'Merge' }}
      ready={values !== null}
      onSubmit={async () => {
        const problem = await merge(rows, values ?? {})
        if (problem === null) items.getState().setPicked(null)
        return problem
      }}
      onClose={onClose}
    >
      {values === null ? (
        <Loading what="the items" />
      ) : (
        texts.map(({ key, label, kind }) => (
          <TextArea
            key={key}
            label={label}
            rows={kind === 'line' ? 1 : 6}
            value={values[key] ?? ''}
            onChange={(text) => setValues({ ...values, [key]: text })}
          />
        ))
      )}
    </FormDialog>
  )
}
