import { RotateCcw, Scale } from '../../components/icons'
import { BOUNDS } from '../../../shared/domain/bounds'
import type { CompareSettings, Settings } from '../../../shared/domain/memory-info'
import { readerLines } from '../../../shared/domain/message-reader'
import type { MethodChoice } from '../../../shared/domain/method-choice'
import { Button } from '../../components/button'
import { Summary } from '../../components/fold'
import { Switch } from '../../components/switch'
import { MethodOffer } from '../../ground/method-offer'
import { RefusedNotice } from '../../ground/refused-notice'
import { Select } from '../../ground/select'
import { useAttempt } from '../../ground/use-attempt'
import { useQuery } from '../../ground/use-query'
import { useServices, useStored } from '../../stores/use-services'
import { NumberRow, SettingRow } from '../../ground/setting-row'
import { HeadingInside } from '../../ground/titled-section'

/** How asks learn where nobody chose: what is in use, what was compared, and when Loam may compare. */
export function LearningSection({ settings }: { settings: Settings }) {
  const { client, settings: store, methodChoice } = useServices()
  const choice = useStored('methodChoice', ({ data }) => data)
  const methods = useStored('methods', ({ data }) => data) ?? []
  const { problem, busy, clear, attempt } = useAttempt()
  const save = (change: Partial<CompareSettings>) =>
    void store
      .getState()
      .save({ compare: { ...settings.compare, ...change } })
      .then(() => methodChoice.getState().reload())
  const titleOf = (id: string): string => methods.find((one) => one.id === id)?.title ?? id
  const choose = (method: string) =>
    void attempt(async () => methodChoice.getState().set(await client.methods.choose({ method })))
  return (
    <section aria-label="How asks learn" className="divide-y rounded-lg border bg-surface">
      <SettingRow
        title="How asks learn"
        text="What Automatic stands for. A choice of your own in an ask always counts instead."
        wide
      >
        {choice === null ? null : (
          <div className="flex flex-col gap-3">
            <MethodOffer />
            <div className="flex flex-wrap items-center gap-2">
              <Select
                label="Automatic stands for"
                className="w-64"
                value={choice.method}
                options={methods
                  .filter(({ everyday }) => everyday !== 'never')
                  .map(({ id, title, description }) => ({ value: id, label: title, detail: description }))}
                onChange={choose}
              />
              {choice.changed === null ? null : (
                <Button icon={RotateCcw} disabled={busy} onClick={() => choose(choice.changed?.from ?? '')}>
                  Back to {titleOf(choice.changed.from)}
                </Button>
              )}
              <Button
                icon={Scale}
                disabled={busy || choice.usable === 0 || choice.jobId !== null}
                onClick={() =>
                  void attempt(async () => {
                    await client.methods.compare()
                    await methodChoice.getState().reload()
                  })
                }
              >
                {choice.jobId === null ? 'Compare now' : 'Comparing…'}
              </Button>
            </div>
            <RefusedNotice problem={problem} onDismiss={clear} />
            {choice.offer === null ? <p className="text-sm text-muted">{choice.sentence}</p> : null}
            {choice.rests === null ? null : <p className="text-sm text-muted">{choice.rests}</p>}
            <Compared choice={choice} titleOf={titleOf} />
          </div>
        )}
      </SettingRow>
      <HeadingInside value="h3">
        <NumberRow
          title="Compare while nothing works"
          name="Minutes a day"
          text="Loam answers judged asks again in other ways, in memories of its own. At most so many minutes a day, on mains power, while the machine is cool. It stops at once when you ask something."
          value={settings.compare.minutes}
          bounds={BOUNDS.compareMinutes}
          onChange={(minutes) => save({ minutes })}
        >
          <Switch
            label="Compare while nothing works"
            checked={settings.compare.on}
            onChange={(on) => save({ on })}
          />
        </NumberRow>
        <ReaderRow settings={settings} />
      </HeadingInside>
    </section>
  )
}

/** Which model reads next messages, how far that is borne out, and whether it may. */
function ReaderRow({ settings }: { settings: Settings }) {
  const { client, settings: store } = useServices()
  const { data, reload } = useQuery('reader', () => client.asks.reader())
  return (
    <SettingRow
      title="Read next messages while nothing works"
      text={
        <>
          What you write after an answer tells how it was. Rules read it; a model on this machine may read it
          as well, once it has passed a test of its own. At most 200 messages a day, on mains power, while the
          machine is cool.
          {data === null ? null : (
            <span className="mt-2 block">
              {readerLines(data).map((line) => (
                <span key={line} className="block">
                  {line}
                </span>
              ))}
            </span>
          )}
        </>
      }
    >
      <Switch
        label="Read next messages while nothing works"
        checked={settings.readMessages}
        onChange={(readMessages) => void store.getState().save({ readMessages }).then(reload)}
      />
    </SettingRow>
  )
}

/** Everything that was compared, and what could not be. */
function Compared({ choice, titleOf }: { choice: MethodChoice; titleOf(id: string): string }) {
  const { comparisons, replayed, usable, unusable, model, forecastMs, nextLook } = choice
  if (usable === 0 && unusable.length === 0) return null
  return (
    <details className="group">
      <Summary>What was compared</Summary>
      <div className="mt-2 flex flex-col gap-2 text-sm text-muted">
        {replayed === 0 ? null : (
          <table className="w-fit text-left">
            <caption className="sr-only">Methods on the same {replayed} asks</caption>
            <thead>
              <tr>
                <th className="pr-6 font-medium">Method</th>
                <th className="pr-6 font-medium">Right</th>
                <th className="pr-6 font-medium">Only with it</th>
                <th className="font-medium">Only with {titleOf(choice.method)}</th>
              </tr>
            </thead>
            <tbody>
              {comparisons.map(({ method, n, right, rightNow, onlyThis, onlyNow }) => (
                <tr key={method}>
                  <td className="pr-6">{titleOf(method)}</td>
                  <td className="pr-6 tabular-nums">
                    {right} of {n}, now {rightNow}
                  </td>
                  <td className="pr-6 tabular-nums">{onlyThis}</td>
                  <td className="tabular-nums">{onlyNow}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
        {model === null ? null : (
          <p>
            {usable} judged asks of {model} can be replayed.
            {forecastMs === null || nextLook === null
              ? ''
              : ` About ${Math.ceil(forecastMs / 60_000)} minutes to the look at ${nextLook}.`}
          </p>
        )}
        {unusable.map(({ why, count }) => (
          <p key={why}>
            {count} {count === 1 ? 'ask' : 'asks'} left out: {why}.
          </p>
        ))}
      </div>
    </details>
  )
}
