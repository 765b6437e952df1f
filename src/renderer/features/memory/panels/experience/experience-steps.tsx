import { TriangleAlert } from 'lucide-react'
import type { Experience } from '../../../../../shared/domain/experience'
import { Badge } from '../../../../components/badge'
import { plural } from '../../../../components/format'
import { Mono } from '../../../../ground/story/mono'

/** The action-reasoning pairs, in the standard vocabulary, with what came back. */
export function ExperienceSteps({ experience }: { experience: Experience }) {
  const { steps, omittedSteps } = experience
  if (steps.length === 0) return <p className="text-muted">No steps were recorded, only what was learned.</p>
  return (
    <>
      {omittedSteps > 0 ? (
        <p className="mb-3 text-sm text-muted">
          {plural(omittedSteps, 'step')} from the middle were left out.
        </p>
      ) : null}
      <ol className="flex flex-col gap-4">
        {steps.map((step, i) => (
          <li key={i} className="flex flex-col gap-1">
            <p className="flex items-center gap-2 text-sm">
              <span className="w-5 text-right text-muted">{i + 1}</span>
              <Badge>{step.verb}</Badge>
              {step.tool !== '' && step.tool !== step.verb ? (
                <span className="font-mono text-xs text-muted">{step.tool}</span>
              ) : null}
              {step.failed ? (
                <span className="flex items-center gap-1 text-failed">
                  <TriangleAlert size={14} aria-hidden /> failed
                </span>
              ) : null}
            </p>
            <div className="flex flex-col gap-1 pl-7">
              {step.reason === '' ? null : <p className="text-sm text-muted">{step.reason}</p>}
              <Mono text={step.content} />
              {step.observation === null ? null : <Mono text={step.observation} />}
            </div>
          </li>
        ))}
      </ol>
    </>
  )
}
