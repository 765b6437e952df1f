import { Check, ChevronDown } from '../../components/icons'
import { DropdownMenu } from 'radix-ui'
import { Field } from '../../components/field'
import { Switch } from '../../components/switch'
import { MeaningAssumed } from '../../ground/embedder'
import { Menu, MenuNote } from '../../ground/menu'
import { ModelChoice } from '../../ground/model-choice'
import { memoryOptions, SelectField } from '../../ground/select'
import { useQuery } from '../../ground/use-query'
import { toggled } from '../../stores/experiment-form'
import { useServices, useStored } from '../../stores/use-services'
import { projectsOf } from './ask-header'
import { AUTOMATIC, everydayMethods, type Chosen } from './choices'

/** Who works on it, with which memory and which tools. What is chosen is what the next ask in the same memory begins with. */
export function ComposerChoices({ chosen }: { chosen: Chosen }) {
  const { asks } = useServices()
  const draft = useStored('asks', (state) => state.draft)
  const methodList = useStored('methods', ({ data }) => data) ?? []
  const memoryList = useStored('memories', (state) => state.memories)
  const homeId = useStored('memories', (state) => state.homeId)
  const memoryId = draft.memoryId ?? homeId
  const { write } = asks.getState()
  const others = projectsOf(useStored('asks', (state) => state.asks))
  const { project } = draft
  const projects = project === null || others.includes(project) ? others : [project, ...others]
  return (
    <div className="grid grid-cols-3 gap-x-4 gap-y-3 max-[1000px]:grid-cols-2">
      <ModelChoice
        value={chosen.reference}
        hint={
          chosen.model?.demo === true
            ? 'A tiny specialist for the demo worlds, not for real work.'
            : chosen.model?.base === true
              ? `${chosen.reference === null ? `${chosen.model.name} is a base model, and there is no other. Choose it to ask it all the same. It` : 'A base model'} goes on with texts; nobody trained it to answer.`
              : null
        }
        onChange={(model) => write({ model })}
      />
      <SelectField
        label="Memory"
        hint={draft.remember ? null : 'It recalls, and keeps nothing of this.'}
        value={memoryId}
        placeholder="My memory"
        options={memoryOptions(memoryList)}
        onChange={(memoryId) => write({ memoryId })}
      />
      <SelectField
        label="How it learns"
        hint={chosen.automatic && chosen.method ? `Now: ${chosen.method.title}` : null}
        value={chosen.automatic ? AUTOMATIC : (chosen.method?.id ?? null)}
        options={[
          {
            value: AUTOMATIC,
            label: 'Automatic',
            detail: 'Loam begins with what is recommended and says when your judged asks speak for another.',
          },
          ...everydayMethods(methodList).map(({ id, title, description }) => ({
            value: id,
            label: title,
            detail: description,
          })),
        ]}
        onChange={(method) => write({ method })}
      />
      <MeaningAssumed methods={chosen.method ? [chosen.method] : []} />
      {chosen.world ? null : (
        <>
          <SelectField
            label="How it works"
            value={chosen.way}
            options={WAYS}
            onChange={(way) => write({ way })}
          />
          <ToolsField chosen={chosen} />
        </>
      )}
      {projects.length > 0 ? (
        <SelectField
          label="Project"
          value={draft.project ?? ''}
          options={[{ value: '', label: 'None' }, ...projects.map((name) => ({ value: name, label: name }))]}
          onChange={(name) => write({ project: name === '' ? null : name })}
        />
      ) : null}
      <LabelledSwitch
        label="Temporary"
        hint="Nothing of it is kept, unless you say so later."
        checked={draft.temporary}
        onChange={(temporary) => write({ temporary })}
      />
      {draft.temporary ? null : (
        <LabelledSwitch
          label="Remember this one"
          checked={draft.remember}
          onChange={(remember) => write({ remember })}
        />
      )}
      {memoryId === null ? null : <OwnFilesSwitch memoryId={memoryId} />}
    </div>
  )
}

/** Whether what the memory reads of own files is recalled; nothing where it reads none. */
function OwnFilesSwitch({ memoryId }: { memoryId: string }) {
  const { client, asks } = useServices()
  const on = useStored('asks', (state) => state.draft.ownFiles)
  const { data } = useQuery(memoryId, () => client.files.list({ memoryId }))
  if (!data || data.length === 0) return null
  return (
    <LabelledSwitch
      label="Use my files"
      checked={on}
      onChange={(ownFiles) => asks.getState().write({ ownFiles })}
    />
  )
}

/** A switch under its name, as high as the fields beside it. */
function LabelledSwitch({
  hint,
  ...props
}: {
  label: string
  /** Shown while one points at it. Default: none. */
  hint?: string
  checked: boolean
  onChange(isChecked: boolean): void
}) {
  return (
    <div className="flex flex-col gap-1" title={hint}>
      <span className="text-sm font-medium">{props.label}</span>
      <div className="flex h-8 items-center">
        <Switch {...props} />
      </div>
    </div>
  )
}

const WAYS = [
  { value: 'straight', label: 'Answer directly', detail: 'One model, calling tools as it needs them.' },
  { value: 'plan', label: 'Plan first', detail: 'A planner writes steps, an executor works on each.' },
] as const

const CHOICE = 'flex w-full gap-2 rounded-md px-2 py-1.5 text-left outline-none data-[highlighted]:bg-hover'

/** One of several things that can be on together; the menu stays open. */
function Tick(props: { title: string; about: string; on: boolean; onChange(): void }) {
  return (
    <DropdownMenu.CheckboxItem
      checked={props.on}
      onSelect={(event) => event.preventDefault()}
      onCheckedChange={props.onChange}
      className={CHOICE}
    >
      <span className="flex size-4 shrink-0 translate-y-0.5 items-center justify-center">
        {props.on ? <Check size={14} aria-hidden /> : null}
      </span>
      <span className="min-w-0 flex-1">
        <span className="block">{props.title}</span>
        <span className="block text-xs text-muted">{props.about}</span>
      </span>
    </DropdownMenu.CheckboxItem>
  )
}

/** The tool servers it may use, Loam's own and the person's. */
function ToolsField({ chosen }: { chosen: Chosen }) {
  const { asks } = useServices()
  const servers = (useStored('tools', (state) => state.servers) ?? []).filter(({ enabled }) => enabled)
  const chosenTools = chosen.tools ?? []
  const { write } = asks.getState()
  const names = servers.filter(({ id }) => chosenTools.includes(id)).map(({ title }) => title)
  const words =
    chosen.tools === null
      ? 'As each message needs'
      : names.length === 0
        ? 'No tools'
        : names.length === servers.length
          ? 'All that are on'
          : names.join(', ')
  return (
    <Field label="Tools">
      {(id) => (
        <Menu
          label="Tools"
          trigger={
            <button
              type="button"
              id={id}
              aria-label={`Tools: ${words}`}
              className="flex h-8 w-full items-center justify-between gap-2 rounded-md border bg-surface px-2.5 text-left hover:bg-hover"
            >
              <span className="truncate">{words}</span>
              <ChevronDown size={14} aria-hidden className="shrink-0 text-muted" />
            </button>
          }
        >
          <MenuNote>What may change something is asked about first.</MenuNote>
          <Tick
            title="As each message needs"
            about="Files, sums, searches and addresses bring their tools."
            on={chosen.tools === null}
            onChange={() => write({ tools: chosen.tools === null ? [] : null })}
          />
          {servers.map(({ id: server, title, about }) => (
            <Tick
              key={server}
              {...{ title, about }}
              on={chosenTools.includes(server)}
              onChange={() => write({ tools: toggled(chosenTools, server) })}
            />
          ))}
        </Menu>
      )}
    </Field>
  )
}
