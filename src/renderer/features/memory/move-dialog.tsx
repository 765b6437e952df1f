import { useState } from 'react'
import { useStore } from 'zustand'
import type { ItemRef } from '../../../shared/domain/item'
import { plural } from '../../components/format'
import { SwitchLine } from '../../components/switch-line'
import { FormDialog } from '../../ground/form-dialog'
import { SelectField } from '../../ground/select-field'
import { useServices } from '../../stores/use-services'
import { useItemChanges } from './use-item-changes'

/** Puts items into another memory; one change over both, with one undo. */
export function MoveDialog({ refs, onClose }: { refs: readonly ItemRef[]; onClose(): void }) {
  const { items, memories } = useServices()
  const { move } = useItemChanges()
  const here = useStore(items, (state) => state.memoryId)
  const others = useStore(memories, (state) => state.memories).filter(({ id }) => id !== here)
  const [target, setTarget] = useState<string | null>(null)
  const [copy, setCopy] = useState(false)
  const name = others.find(({ id }) => id === target)?.name
  return (
    <FormDialog
      title={`Move ${plural(refs.length, 'item')} to another memory`}
      description="Marks and tags go along. The attempts behind them stay here."
      submit={{ label: copy ? 'Copy' : 'Move' }}
      ready={name !== undefined}
      onSubmit={async () => {
        const problem = target === null ? null : await move(refs, target, name ?? target, copy)
        if (problem === null) items.getState().setPicked(null)
        return problem
      }}
      onClose={onClose}
    >
      <SelectField
        label="Memory"
        value={target}
        placeholder={others.length === 0 ? 'There is no other memory' : 'Choose a memory'}
        options={others.map(({ id, name: title }) => ({ value: id, label: title }))}
        onChange={setTarget}
      />
      <SwitchLine
        label="Leave them here, too"
        checked={copy}
        onChange={setCopy}
        detail="Then they are copied."
      />
    </FormDialog>
  )
}
