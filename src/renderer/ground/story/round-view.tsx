import {
  CornerDownRight,
  Database,
  Lightbulb,
  MessageSquare,
  TriangleAlert,
  Wrench,
  type IconType,
} from '../../components/icons'
import type { Round, Scaling } from '../../../shared/domain/trajectory'
import { SmallFold } from '../../components/fold'
import { plural } from '../../components/format'
import { Outcome } from '../../components/row-icons'
import { Verbatim } from '../../components/verbatim'
import { Folded, Mono } from './mono'

const ACTION_WORDS = {
  operation: { title: 'Ran SQL', icon: Database },
  answer: { title: 'Answered', icon: MessageSquare },
  message: { title: 'Said to the user', icon: MessageSquare },
  invalid: { title: 'Wrote something that is no action', icon: TriangleAlert },
} as const

const CALLED_TOOL = { title: 'Called a tool', icon: Wrench } as const

const ACTED = { title: 'Acted', icon: Wrench } as const

const SPEAKER_WORDS = {
  user: 'The user answered',
  tool: 'The tool answered',
  environment: 'The environment answered',
} as const

function wordsOf({ action, from }: Round) {
  if (action.kind !== 'operation' || from === undefined) return ACTION_WORDS[action.kind]
  return from === 'environment' ? ACTED : CALLED_TOOL
}

/** How much was thought, where it was counted. */
const thoughtTitle = ({ usage: { thoughtTokens } }: Round): string =>
  thoughtTokens === undefined
    ? 'What it thought first'
    : `What it thought first, ${plural(thoughtTokens, 'token')}`

/** One exchange: the action, and what the environment answered. */
export function RoundView({ round }: { round: Round }) {
  const { action } = round
  const { title, icon } = wordsOf(round)
  return (
    <div className="flex flex-col gap-2">
      {round.thought === undefined ? null : <Folded title={thoughtTitle(round)} text={round.thought} />}
      <Told icon={icon} words={title} text={action.kind === 'invalid' ? round.completion : action.content} />
      {action.kind === 'invalid' ? <p className="-mt-1 text-sm text-failed">{action.reason}</p> : null}
      {round.observation === null ? null : (
        <Told
          icon={CornerDownRight}
          words={SPEAKER_WORDS[round.from ?? 'environment']}
          text={round.observation}
        />
      )}
      {round.guidance === undefined ? null : (
        <Told icon={Lightbulb} words="Memory advised" text={round.guidance} />
      )}
    </div>
  )
}

function Told({ icon: Icon, words, text }: { icon: IconType; words: string; text: string }) {
  return (
    <div>
      <p className="flex items-center gap-1.5 text-sm">
        <Icon size={14} aria-hidden className="text-muted" /> {words}
      </p>
      <Mono text={text} />
    </div>
  )
}

/** What the model has written so far, with a caret. Plain text, whatever it contains. */
export function Written({ text }: { text: string }) {
  return (
    <Verbatim label="The model is writing">
      {text}
      <span aria-hidden className="breathing ml-px inline-block h-3.5 w-1.5 translate-y-0.5 bg-accent" />
    </Verbatim>
  )
}

const HOW: Readonly<Record<Scaling['how'], string>> = {
  parallel: 'Each knew nothing of the others.',
  sequential: 'Each went over the one before, without knowing how it had ended.',
}

const BY: Readonly<Record<Scaling['by'], string>> = {
  first: 'The first one counts.',
  choice: 'The model chose the one that counts, without knowing how any had ended.',
  last: 'The last one counts.',
}

/** The attempts that were made at one task: how each ended, which one counts and why; its own rounds are told above. */
export function SeveralAttempts({ scaling }: { scaling: Scaling }) {
  return (
    <>
      <p className="text-sm">
        {HOW[scaling.how]} {BY[scaling.by]}
      </p>
      <ol className="mt-1.5 flex flex-col gap-1.5" aria-label="Attempts at this task">
        {scaling.attempts.map(({ measured, reward, rounds }, n) => (
          <li key={n} className="flex flex-col gap-1">
            <span className="flex flex-wrap items-center gap-2 text-sm">
              Attempt {n + 1} <Outcome reward={measured ?? reward} /> {plural(rounds.length, 'round')}
              {n === scaling.reported ? <span className="text-muted">counts</span> : null}
            </span>
            {n === scaling.reported ? null : (
              <SmallFold title="Its rounds" look="text-sm text-muted hover:text-ink">
                {rounds.map((round) => (
                  <RoundView key={round.index} round={round} />
                ))}
              </SmallFold>
            )}
          </li>
        ))}
      </ol>
    </>
  )
}
