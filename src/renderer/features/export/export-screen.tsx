import { Download, FileInput } from 'lucide-react'
import { useEffect } from 'react'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Loading } from '../../components/loading'
import { Screen } from '../../components/screen'
import { memoryOptions, SelectField } from '../../ground/select'
import { mineIn } from '../../stores/memories'
import { useServices, useStored } from '../../stores/use-services'
import { ProgramKeys } from './program-keys'
import { Servers } from './servers'

/** Takes what was learned to other tools and back: as files, and to programs on this machine. */
export function ExportScreen() {
  const { ui } = useServices()
  const { memories: list, currentId, problem, reload, visit } = useStored('memories')
  useEffect(() => void reload(), [reload])
  // The memory of an experiment's cell may be open elsewhere; it is not among the memories offered here.
  const memory = list.find((item) => item.id === currentId) ?? mineIn(list)
  const { startImport, setTransfer } = ui.getState()
  return (
    <Screen
      title="Share"
      lead="Take a memory with you as a file, or serve it to programs on this machine."
      action={
        memory ? (
          <span className="flex gap-2">
            <Button icon={FileInput} onClick={() => startImport()}>
              Import…
            </Button>
            <Button
              look="primary"
              icon={Download}
              onClick={() => setTransfer({ kind: 'export', memoryId: memory.id, kinds: null, items: null })}
            >
              Export…
            </Button>
          </span>
        ) : null
      }
    >
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={() => void reload()} /> : null}
      {memory || problem ? null : <Loading what="your memories" />}
      {memory ? (
        <>
          <SelectField
            label="Memory"
            name="Memory to share"
            width="max-w-80"
            value={memory.id}
            options={memoryOptions(list)}
            onChange={visit}
          />
          <Servers memory={memory} />
          <ProgramKeys />
        </>
      ) : null}
    </Screen>
  )
}
