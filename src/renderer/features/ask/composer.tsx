import { SendHorizontal } from '../../components/icons'
import { useEffect, useState } from 'react'
import type { AskEnvironment } from '../../../shared/domain/ask'
import { Button } from '../../components/button'
import { classNames } from '../../components/class-names'
import { ErrorNotice } from '../../components/error-notice'
import { Summary } from '../../components/fold'
import { Form } from '../../components/form'
import { TextLink } from '../../components/row-link'
import { DEMO_TIME } from '../../ground/demo-words'
import { chosenFiles, droppedFiles, goesElsewhere } from '../../ground/dropped-files'
import { FirstModel } from '../../ground/first-model'
import { GoLink } from '../../ground/go-to'
import { MethodOffer } from '../../ground/method-offer'
import { isServed } from '../../ground/model-choice'
import { NumberField } from '../../ground/number-field'
import { RefusedNotice } from '../../ground/refused-notice'
import { SelectField } from '../../ground/select'
import { TextArea } from '../../ground/text-field'
import { useQuery } from '../../ground/use-query'
import { useServices, useStored } from '../../stores/use-services'
import { LabActivity, NeedsAttention } from './activity'
import { AddFiles, DraftFiles, useFiles, withFiles } from './add-files'
import type { Chosen } from './choices'
import { ComposerChoices } from './composer-choices'
import { Long } from './collapsible'
import { SamplingFields } from './sampling-fields'
import { PromptsButton } from './saved-prompts'
import { SendHint } from './send-hint'
import { sendOnEnter } from './send-on-enter'
import { usePromptList } from './use-prompt-list'
import { useSending } from './use-sending'

/** What is asked: words, files, and who works on it with what. */
export function Composer() {
  const { asks, ui } = useServices()
  const draft = useStored('asks', (state) => state.draft)
  const starting = useStored('asks', (state) => state.starting)
  const refused = useStored('asks', (state) => state.refused)
  const homeId = useStored('memories', (state) => state.homeId)
  const memoryId = draft.memoryId ?? homeId
  const { choice, isReady, early, send } = useSending(draft, (input) => {
    if (!starting) void asks.getState().start(input)
  })
  return (
    <div className="h-full overflow-y-auto">
      <Form data-sends className="mx-auto flex max-w-3xl flex-col gap-4 p-6" onSubmit={() => send()}>
        <header>
          <h2 className="text-xl font-semibold">What is to be done?</h2>
          <p className="mt-1 text-muted">
            The agent works in view. Say afterwards whether it was right, and the next one like it knows
            better.
          </p>
          <FirstSteps />
        </header>
        <RefusedNotice problem={refused} onDismiss={() => asks.getState().clearRefused()} />
        <TaskBox chosen={choice}>
          <Button look="primary" type="submit" icon={SendHorizontal} disabled={!isReady || starting}>
            {starting || early ? 'Asking…' : 'Ask'}
          </Button>
        </TaskBox>
        <SendHint
          memoryId={memoryId}
          project={draft.project}
          remember={draft.remember}
          temporary={draft.temporary}
          enter="sends"
          model={choice.model}
        />
        {isServed(choice.reference) ? null : (
          <FirstModel onFile={() => ui.getState().chooseModelFile('asked')} />
        )}
        {choice.automatic ? <MethodOffer /> : null}
        <ComposerChoices chosen={choice} />
        <AnswerChoices inWorld={choice.world !== null} />
        <EnvironmentChoice world={choice.world} demo={choice.model?.demo === true} />
      </Form>
      <div className="mx-auto flex max-w-3xl flex-col gap-6 p-6 pt-2 empty:hidden">
        <NeedsAttention />
        <LabActivity />
      </div>
    </div>
  )
}

/** The task in words, and the files that go with it, dropped anywhere on it. */
function TaskBox(props: { chosen: Chosen; children: React.ReactNode }) {
  const { chosen, children } = props
  const { asks } = useServices()
  const draft = useStored('asks', (state) => state.draft)
  const [over, setOver] = useState(false)
  const prompts = usePromptList({ text: draft.text, onText: (text) => asks.getState().write({ text }) })
  const { ref: box } = prompts.boxProps
  useEffect(
    () =>
      asks.subscribe(({ compositions }, before) => {
        if (compositions !== before.compositions) box.current?.focus()
      }),
    [asks, box],
  )
  const add = useFiles((read) =>
    // In a world an agent acts on what is there, not on files.
    asks.getState().write({ files: withFiles(asks.getState().draft.files, read), world: null }),
  )
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        setOver(false)
        if (goesElsewhere(event.dataTransfer)) return
        event.preventDefault()
        add(droppedFiles(event.dataTransfer))
      }}
      className={classNames(
        'relative rounded-lg border bg-surface',
        over ? 'border-accent bg-accent-soft' : 'border-line-strong/50',
      )}
    >
      <textarea
        aria-label="The task"
        {...prompts.boxProps}
        value={draft.text}
        rows={5}
        // A menu or dialog that was opened while the screen was loading stays open, and keeps what is typed. The tour leads here, and goes on.
        autoFocus={document.querySelector('[role="menu"], [role="dialog"], [data-tour]') === null}
        placeholder={
          chosen.world && chosen.model?.demo
            ? 'The demo model knows its small world alone: ask as its tasks do'
            : 'Type or paste a task; drop files here'
        }
        onChange={(event) => prompts.onType(event.target.value)}
        onPaste={(event) => {
          const pasted = [...event.clipboardData.files]
          if (pasted.length === 0) return
          event.preventDefault()
          add(Promise.resolve(chosenFiles(pasted)))
        }}
        onKeyDown={(event) => {
          if (!prompts.takeKey(event)) sendOnEnter(event)
        }}
        className="block max-h-[40vh] min-h-28 w-full resize-y rounded-t-lg bg-transparent px-3 py-2.5 placeholder:text-faint"
      />
      {prompts.list}
      {draft.files.length > 0 && !chosen.world ? (
        <DraftFiles
          files={draft.files}
          model={chosen.reference ?? chosen.model?.path ?? null}
          onChange={(files) => asks.getState().write({ files })}
        />
      ) : null}
      <div className="flex flex-wrap items-center gap-2 border-t px-2 py-2">
        <AddFiles what="the task" askId={null} onAdd={(matches) => add(Promise.resolve(matches))} />
        <PromptsButton {...prompts.buttonProps} />
        <span className="ml-auto">{children}</span>
      </div>
    </div>
  )
}

/** For those who have asked nothing yet: the tour, and where to see how an agent learns. */
function FirstSteps() {
  const { ui } = useServices()
  const none = useStored(
    'asks',
    (state) => state.status === 'ready' && state.asks.length === 0 && state.text === '',
  )
  if (!none) return null
  return (
    <p className="mt-2 text-sm">
      New here? <TextLink onClick={() => ui.getState().setTourStep(0)}>Take the tour</TextLink>{' '}
      <span className="text-muted">of four places, or</span> <GoLink to="run">see the demo</GoLink>{' '}
      <span className="text-muted">where an agent learns the rules of a small world, in {DEMO_TIME}.</span>
    </p>
  )
}

/** How it is to answer: in the person's words, and how freely and how long. */
function AnswerChoices({ inWorld }: { inWorld: boolean }) {
  const { asks } = useServices()
  const { instructions, temperature, topP, maxTokens } = useStored('asks', (state) => state.draft)
  const { write } = asks.getState()
  const isAny = instructions !== '' || [temperature, topP, maxTokens].some((value) => value !== null)
  return (
    <details className="group" open={isAny}>
      <Summary>Instructions, and how freely it writes</Summary>
      <div className="flex flex-col gap-3 pt-3">
        {inWorld ? null : (
          <TextArea
            label="Instructions"
            hint="How to answer, in this ask and in those after it until you clear it. A project has its own."
            rows={3}
            value={instructions}
            onChange={(words) => write({ instructions: words })}
          />
        )}
        <SamplingFields sampling={{ temperature, topP, maxTokens }} onChange={write} />
      </div>
    </details>
  )
}

const NOWHERE = 'nowhere'

/** Whether the agent acts in the world of a stream's task, such as a database, and what there is in it. */
function EnvironmentChoice({ world, demo }: { world: AskEnvironment | null; demo: boolean }) {
  const { asks } = useServices()
  const acted = useStored('environments', ({ data }) => data)?.filter(({ player }) => player === null) ?? []
  const list = (useStored('streams', ({ data }) => data) ?? []).filter(({ environment }) =>
    acted.some(({ id }) => id === environment),
  )
  const { write } = asks.getState()
  return (
    <details className="group" open={world !== null}>
      <Summary>Act in the world of a task</Summary>
      <div className="flex flex-col gap-3 pt-3">
        <p className="text-sm text-muted">
          {demo
            ? 'The demo model only knows the house rules of its own worlds. Ask in their words; it finds their hidden rules out, or recalls them.'
            : 'Instead of working with tools and files, the agent acts on what a task of a stream begins with, such as its tables.'}
        </p>
        <div className="flex gap-3">
          <div className="min-w-0 flex-1">
            <SelectField
              label="World"
              value={world?.stream ?? NOWHERE}
              options={[
                { value: NOWHERE, label: 'No world', detail: 'It works with tools and files.' },
                ...list.map(({ id, title, description }) => ({
                  value: id,
                  label: title,
                  detail: description,
                })),
              ]}
              onChange={(stream) => write({ world: stream === NOWHERE ? null : { stream, index: 0 } })}
            />
          </div>
          {world ? (
            <NumberField
              label="As of task"
              name="The task whose world it is"
              width="w-28"
              value={world.index + 1}
              bounds={[1, list.find(({ id }) => id === world.stream)?.tasks ?? 1]}
              onChange={(number) => write({ world: { ...world, index: number - 1 } })}
            />
          ) : null}
        </div>
        {world ? <WorldView world={world} /> : null}
      </div>
    </details>
  )
}

/** What there is in a world, and how its own task is worded. */
function WorldView({ world }: { world: AskEnvironment }) {
  const { client, asks } = useServices()
  const { data, problem, reload } = useQuery(
    `${world.stream} ${world.index}`,
    () => client.asks.world({ stream: world.stream, index: world.index }),
    '',
    150,
  )
  if (problem) return <ErrorNotice problem={problem} onRetry={reload} alwaysRetry />
  if (!data) return null
  return (
    <div className="flex flex-col gap-2 text-sm">
      <p className="flex flex-wrap items-center gap-2">
        <span>
          <span className="text-muted">Its own task:</span> {data.instruction}
        </span>
        <Button size="small" onClick={() => asks.getState().write({ text: data.instruction })}>
          Use these words
        </Button>
      </p>
      <Long label="What is there" text={data.context} />
    </div>
  )
}
