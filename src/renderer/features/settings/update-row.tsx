import { useEffect, type ReactNode } from 'react'
import type { UpdateState } from '../../../shared/domain/update'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { formatBytes } from '../../components/format'
import { SettingRow } from '../../ground/setting-row'
import { useServices, useStored } from '../../stores/use-services'

/** Whether there is a newer Loam: looked for, fetched and installed one by one, each when a person says so. */
export function UpdateRow() {
  const { client, update } = useServices()
  const state = useStored('update', ({ data }) => data)
  useEffect(() => update.getState().follow(), [update])
  if (!state) return null
  const { unavailable, source, newer, problem, status } = state
  return (
    <SettingRow
      title="Newer versions of Loam"
      text={unavailable ?? `Looking asks ${source ?? ''} and says nothing of you. ${wordsOf(state)}`}
      wide
    >
      {unavailable === null ? <Steps state={state} client={client} /> : null}
      {newer?.notes && status !== 'newest' ? (
        <p className="max-h-48 overflow-y-auto text-sm whitespace-pre-wrap text-muted">{newer.notes}</p>
      ) : null}
      {problem ? <ErrorNotice problem={problem} /> : null}
    </SettingRow>
  )
}

function wordsOf({ status, newer, doneBytes }: UpdateState): string {
  const name = `Loam ${newer?.version ?? ''}`
  const size = newer?.sizeBytes ? `, ${formatBytes(newer.sizeBytes)}` : ''
  switch (status) {
    case 'unasked':
      return 'Nobody has looked yet.'
    case 'looking':
      return 'Looking.'
    case 'newest':
      return 'This is the newest.'
    case 'offered':
      return `There is ${name}${size}.`
    case 'fetching':
      return `${name} is being fetched: ${formatBytes(doneBytes)}${size ? ` of ${formatBytes(newer?.sizeBytes ?? 0)}` : ''}.`
    case 'ready':
      return `${name} is here, and its sum is right.`
    case 'on-quit':
      return `${name} is installed when you quit Loam.`
  }
}

/** The next step that can be taken. */
function Steps({
  state: { status },
  client,
}: {
  state: UpdateState
  client: ReturnType<typeof useServices>['client']
}): ReactNode {
  const { lookForUpdate, fetchUpdate, installUpdate } = client.app
  if (status === 'offered') return <Button onClick={() => void fetchUpdate()}>Fetch it</Button>
  if (status === 'ready')
    return <Button onClick={() => void installUpdate({ onQuit: true })}>Install it when I quit</Button>
  if (status === 'on-quit')
    return <Button onClick={() => void installUpdate({ onQuit: false })}>Do not install it</Button>
  return (
    <Button disabled={status === 'looking' || status === 'fetching'} onClick={() => void lookForUpdate()}>
      Look for a newer version
    </Button>
  )
}
