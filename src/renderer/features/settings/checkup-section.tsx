import { useState } from 'react'
import type { Checkup, Finding } from '../../../shared/domain/storage'
import type { LoamErrorShape } from '../../../shared/errors'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { formatBytes, plural } from '../../components/format'
import { CopyButton } from '../../ground/copy-button'
import { TitledSection } from '../../ground/titled-section'
import { refusalOf } from '../../stores/error-shape'
import { useServices } from '../../stores/use-services'

/** Checks every kind of file that Loam keeps, repairs what is damaged, and says in words what it did. */
export function CheckupSection() {
  const { client } = useServices()
  const [checkup, setCheckup] = useState<Checkup | null>(null)
  const [problem, setProblem] = useState<LoamErrorShape | null>(null)
  const [isBusy, setBusy] = useState(false)
  const check = async (): Promise<void> => {
    setBusy(true)
    setProblem(await refusalOf(client.storage.checkup({ repair: true }).then(setCheckup)))
    setBusy(false)
  }
  return (
    <TitledSection
      title="Checkup"
      lead="Looks at every file that Loam keeps. What is damaged comes back from its copy or is made again."
      action={
        <Button disabled={isBusy} onClick={() => void check()}>
          {isBusy ? 'Checking files' : 'Check files'}
        </Button>
      }
    >
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={() => void check()} /> : null}
      {checkup ? <Result checkup={checkup} /> : null}
    </TitledSection>
  )
}

function Result({ checkup }: { checkup: Checkup }) {
  const { findings, checked, freeBytes } = checkup
  const files = checked.records + checked.lines + checked.indexes
  return (
    <div role="status" className="flex flex-col gap-2 text-sm">
      <p>
        {findings.length === 0
          ? 'Everything is as it should be.'
          : `${plural(findings.length, 'thing')} not as it should be.`}{' '}
        Loam looked at {plural(files, 'file')} and {plural(checked.memories, 'memory', 'memories')}.{' '}
        {formatBytes(freeBytes)} are free.
      </p>
      <ul className="flex flex-col gap-1">
        {findings.map((finding) => (
          <FindingRow key={`${finding.of} ${finding.place}`} finding={finding} />
        ))}
      </ul>
      <p className="flex items-center gap-2 text-muted">
        The report names files and holds none of your texts.
        <CopyButton what="the report" text={() => JSON.stringify(checkup, null, 2)} />
      </p>
    </div>
  )
}

const FindingRow = ({ finding: { place, problem, done } }: { finding: Finding }) => (
  <li>
    <code>{place}</code>: {problem} {done}
  </li>
)
