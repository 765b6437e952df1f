import { Sparkles } from '../../components/icons'
import { useState } from 'react'
import { DialogButton } from '../../components/dialog'
import { FormDialog } from '../../ground/form-dialog'
import { NumberFields, whole } from '../../ground/number-fields'
import { SelectField } from '../../ground/select'
import { useQuery } from '../../ground/use-query'
import { useServices } from '../../stores/use-services'
import { useAddStream } from './use-add-stream'
import { BOUNDS } from '../../../shared/domain/bounds'

const WORLD = whole('world', 'World number', null, BOUNDS.world)
const ONE_WORLD = [WORLD, whole('tasks', 'Tasks', null, BOUNDS.worldTasks)]
const LIFETIME = [WORLD, whole('order', 'Order of the tasks', null, BOUNDS.orders)]
/** A world as it is, of as many tasks as one likes. */
const AS_IT_IS = ''

/** Makes a fresh stream of a generated world from a number. */
export function GenerateStream() {
  return (
    <DialogButton icon={Sparkles} dialog={(close) => <GenerateDialog onClose={close} />}>
      Generate a world
    </DialogButton>
  )
}

function GenerateDialog({ onClose }: { onClose(): void }) {
  const { client } = useServices()
  const [world, setWorld] = useState({ world: 1, tasks: 120, order: 1 })
  const [kind, setKind] = useState(AS_IT_IS)
  const { data: kinds } = useQuery('lifelong', () => client.streams.lifelong())
  const { ask } = useAddStream()
  const generate = () =>
    ask(
      () =>
        kind === AS_IT_IS
          ? client.streams.generate({ world: world.world, tasks: world.tasks })
          : client.streams.keepLifelong({ kind, world: world.world, order: world.order }),
      'is ready',
    )
  return (
    <FormDialog
      title="Generate a world"
      description="A place with its own hidden rules. The same number always gives the same world; the demo model never saw it."
      submit={{ label: 'Generate', busy: 'Generating…' }}
      onSubmit={generate}
      onClose={onClose}
    >
      <SelectField
        label="What happens in it"
        hint={kinds?.find(({ id }) => id === kind)?.about ?? 'It stays as it is.'}
        name="What happens in it"
        value={kind}
        placeholder=""
        options={[
          { value: AS_IT_IS, label: 'Nothing', detail: 'One world, as many tasks as you like.' },
          ...(kinds ?? []).map(({ id, title, about }) => ({
            value: id,
            label: `Lifelong: ${title}`,
            detail: about,
          })),
        ]}
        onChange={setKind}
      />
      <div className="grid grid-cols-2 gap-3">
        <NumberFields
          fields={kind === AS_IT_IS ? ONE_WORLD : LIFETIME}
          values={world}
          onChange={(change) => setWorld({ ...world, ...change })}
        />
      </div>
    </FormDialog>
  )
}
