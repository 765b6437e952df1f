import { DropdownMenu } from 'radix-ui'
import { Check, ChevronDown } from 'lucide-react'
import { useStore } from 'zustand'
import { Field } from '../../components/field'
import { plural } from '../../components/format'
import { Switch } from '../../components/switch'
import { Menu, MenuNote } from '../../ground/menu'
import { MeaningAssumed } from '../../ground/embedder'
import { Select } from '../../ground/select'
import { useQuery } from '../../ground/use-query'
import { nameOfMemory } from '../../stores/memories'
import { useServices } from '../../stores/use-services'
import type { Chosen } from './choices'
import { ModelChoice } from '../../ground/model-choice'

/** Who works on it, with which memory and which tools. What is chosen is what the next ask in the same memory begins with. */
export function ComposerChoices({ chosen }: { chosen: Chosen }) {
  const { asks, methods, memories } = useServices()
  const draft = useStore(asks, (state) => state.draft)
  const methodList = useStore(methods, ({ data }) => data) ?? []
  const memoryList = useStore(memories, (state) => state.memories)
  const homeId = useStore(memories, (state) => state.homeId)
  const memoryId = draft.memoryId ?? homeId
  const { write } = asks.getState()
  return (
    <div className="grid grid-cols-3 gap-x-4 gap-y-3 max-[1000px]:grid-cols-2">
      <ModelChoice
        value={chosen.reference}
        hint={
          chosen.model?.demo === true
            ? 'A tiny specialist for the demo worlds, not for real work.'
            : chosen.model?.base === true
              ? 'A base model goes on with texts; nobody trained it to answer.'
              : null
        }
        onChange={(model) => write({ model })}
      />
      <Field label="Memory" hint={draft.remember ? null : 'It recalls, and keeps nothing of this.'}>
        {(id) => (
          <Select
            id={id}
            label="Memory"
            value={memoryId}
            placeholder="My memory"
            options={memoryList.map((memory) => ({
              value: memory.id,
              label: nameOfMemory(memory),
              detail: plural(memory.cases, 'case'),
            }))}
            onChange={(memoryId) => write({ memoryId })}
          />
        )}
      </Field>
      <Field label="How it learns" hint={null}>
        {(id) => (
          <Select
            id={id}
            label="How it learns"
            value={chosen.method?.id ?? null}
            options={methodList.map((method) => ({
              value: method.id,
              label: method.title,
              detail: method.description,
            }))}
            onChange={(method) => write({ method })}
          />
        )}
      </Field>
      <MeaningAssumed methods={chosen.method ? [chosen.method] : []} />
      {chosen.world ? null : (
        <>
          <Field label="How it works" hint={null}>
            {(id) => (
              <Select
                id={id}
                label="How it works"
                value={chosen.way}
                options={[
                  {
                    value: 'straight',
                    label: 'Answer directly',
                    detail: 'One model, calling tools as it needs them.',
                  },
                  {
                    value: 'plan',
                    label: 'Plan first',
                    detail: 'A planner writes steps, an executor works on each.',
                  },
                ]}
                onChange={(way) => write({ way })}
              />
            )}
          </Field>
          <ToolsField chosen={chosen} />
        </>
      )}
      <div className="flex flex-col gap-1">
        <span className="text-sm font-medium">Remember this one</span>
        <div className="flex h-8 items-center">
          <Switch
            label="Remember this one"
            checked={draft.remember}
            onChange={(remember) => write({ remember })}
          />
        </div>
      </div>
      {memoryId === null ? null : <OwnFilesSwitch memoryId={memoryId} />}
    </div>
  )
}

/** Whether what the memory reads of own files is recalled; nothing where it reads none. */
function OwnFilesSwitch({ memoryId }: { memoryId: string }) {
  const { client, asks } = useServices()
  const on = useStore(asks, (state) => state.draft.ownFiles)
  const { data } = useQuery(memoryId, () => client.files.list({ memoryId }))
  if (!data || data.length === 0) return null
  return (
    <div className="flex flex-col gap-1">
      <span className="text-sm font-medium">Use my files</span>
      <div className="flex h-8 items-center">
        <Switch
          label="Use my files"
          checked={on}
          onChange={(ownFiles) => asks.getState().write({ ownFiles })}
        />
      </div>
    </div>
  )
}

const CHOICE = 'flex w-full gap-2 rounded-md px-2 py-1.5 text-left outline-none data-[highlighted]:bg-hover'

function ChoiceMark({ on }: { on: boolean }) {
  return (
    <span className="flex size-4 shrink-0 translate-y-0.5 items-center justify-center">
      {on ? <Check size={14} aria-hidden /> : null}
    </span>
  )
}

/** The tool servers it may use, Loam's own and the person's. */
function ToolsField({ chosen }: { chosen: Chosen }) {
  const { asks, tools } = useServices()
  const servers = (useStore(tools, (state) => state.servers) ?? []).filter(({ enabled }) => enabled)
  const chosenTools = chosen.tools ?? []
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
          <DropdownMenu.CheckboxItem
            checked={chosen.tools === null}
            onSelect={(event) => event.preventDefault()}
            onCheckedChange={() => asks.getState().write({ tools: chosen.tools === null ? [] : null })}
            className={CHOICE}
          >
            <ChoiceMark on={chosen.tools === null} />
            <span className="min-w-0 flex-1">
              <span className="block">As each message needs</span>
              <span className="block text-xs text-muted">
                Files, sums, searches and addresses bring their tools.
              </span>
            </span>
          </DropdownMenu.CheckboxItem>
          {servers.map((server) => {
            const on = chosenTools.includes(server.id)
            return (
              <DropdownMenu.CheckboxItem
                key={server.id}
                checked={on}
                onSelect={(event) => event.preventDefault()}
                onCheckedChange={() =>
                  asks.getState().write({
                    tools: on
                      ? chosenTools.filter((other) => other !== server.id)
                      : [...chosenTools, server.id],
                  })
                }
                className={CHOICE}
              >
                <ChoiceMark on={on} />
                <span className="min-w-0 flex-1">
                  <span className="block">{server.title}</span>
                  <span className="block text-xs text-muted">{server.about}</span>
                </span>
              </DropdownMenu.CheckboxItem>
            )
          })}
        </Menu>
      )}
    </Field>
  )
}
