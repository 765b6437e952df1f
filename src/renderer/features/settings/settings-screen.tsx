import { RadioGroup } from 'radix-ui'
import { useState } from 'react'
import { BOUNDS } from '../../../shared/domain/bounds'
import type { Settings } from '../../../shared/domain/memory-info'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Loading } from '../../components/loading'
import { optionsOf } from '../../components/options'
import { Fold } from '../../components/fold'
import { Screen } from '../../components/screen'
import { Segmented } from '../../components/segmented'
import { Switch } from '../../components/switch'
import { EmbedderOffers } from '../../ground/embedder-offers'
import { NumberBox } from '../../ground/number-field'
import { TextField } from '../../ground/text-field'
import { askToNotify, mayNotify } from '../../stores/notify'
import { useServices, useStored } from '../../stores/use-services'
import { BackupsSection } from './backups-section'
import { DesktopRows } from './desktop-rows'
import { EngineRows } from './engine-rows'
import { FolderList, NumberRow, SettingRow, SwitchRow } from '../../ground/setting-row'
import { LearningSection } from './learning-section'
import { ModulesSection } from './modules-section'
import { CheckupSection } from './checkup-section'
import { StorageSection } from './storage-section'
import { ToolsSection } from './tools/tools-section'
import { UpdateRow } from './update-row'

const THEMES = optionsOf({ system: 'System', light: 'Light', dark: 'Dark' })

const TEXT_SIZES = optionsOf({ smaller: 'Smaller', usual: 'Usual', larger: 'Larger', largest: 'Largest' })

const PRICES = [
  { name: 'prompt', label: 'read' },
  { name: 'completion', label: 'written' },
] as const

/** How Loam looks, what it may do, and where it finds things. Every change counts at once. */
export function SettingsScreen() {
  const { settings, problem, load } = useStored('settings')
  return (
    <Screen title="Settings" lead="Changes count at once and are kept on this machine.">
      {problem ? <ErrorNotice problem={problem} alwaysRetry onRetry={() => void load()} /> : null}
      {settings ? (
        <>
          <Rows settings={settings} />
          <LearningSection settings={settings} />
          <ToolsSection settings={settings} />
          <ModulesSection />
          <StorageSection />
          <BackupsSection settings={settings} />
          <CheckupSection />
        </>
      ) : problem ? null : (
        <Loading what="the settings" />
      )}
    </Screen>
  )
}

const NOTIFY_WORDS = { yes: 'On', no: 'Not allowed by the browser or the system' } as const

/** Whether the system says when long work ends while nobody looks at the window. */
function NotificationsRow() {
  const [may, setMay] = useState(mayNotify)
  return (
    <SettingRow
      title="Notifications"
      text="Says when work of more than twenty seconds ends while this window is out of sight. Nothing leaves the machine."
    >
      {may === 'ask' ? (
        <Button onClick={() => void askToNotify().then(setMay)}>Allow them</Button>
      ) : (
        <span className="text-sm text-muted">{NOTIFY_WORDS[may]}</span>
      )}
    </SettingRow>
  )
}

interface RowsProps {
  settings: Settings
  save(change: Partial<Settings>): Promise<boolean>
}

/** How the window looks. */
function LookRows({ settings, save }: RowsProps) {
  return (
    <>
      <SettingRow title="Theme" text="Light, dark, or whatever your system uses.">
        <Segmented
          label="Theme"
          value={settings.theme}
          options={THEMES}
          onChange={(theme) => void save({ theme })}
        />
      </SettingRow>
      <SettingRow title="Text size" text="How large words are, everywhere in this window.">
        <Segmented
          label="Text size"
          value={settings.textSize}
          options={TEXT_SIZES}
          onChange={(textSize) => void save({ textSize })}
        />
      </SettingRow>
    </>
  )
}

function Rows({ settings }: { settings: Settings }) {
  const { settings: store, models } = useServices()
  const dataPath = useStored('info', (state) => state.data?.dataPath)
  const save = (change: Partial<Settings>) => store.getState().save(change)
  return (
    <div className="divide-y rounded-lg border bg-surface">
      <LookRows settings={settings} save={save} />
      <NotificationsRow />
      <UpdateRow />
      <DesktopRows settings={settings.desktop} save={save} />
      <SwitchRow
        title="Network"
        text="Off: Loam opens no connection to the outside, and everything except downloads works. On: models can be found and downloaded when you ask for it, and tools may search and read the web."
        checked={settings.network}
        onChange={(network) => void save({ network })}
      />
      <SettingRow
        title="Model folders"
        text="Folders that are searched for GGUF files, with their subfolders."
        wide
      >
        <FolderList
          purpose="to search for models"
          folders={settings.modelFolders}
          onChange={async (modelFolders) => {
            if (await save({ modelFolders })) await models.getState().reload()
          }}
        />
      </SettingRow>
      <SwitchRow
        title="Models of other programs"
        text="On: models that Ollama, LM Studio, llama.cpp, Hugging Face, GPT4All and Jan keep on this machine are found and read where they lie."
        checked={settings.findModels}
        onChange={async (findModels) => {
          if (await save({ findModels })) await models.getState().reload()
        }}
      />
      <SettingRow
        title="Embedding model"
        text="Turns text into vectors, so that similar cases can be found. Changing it means that the memories are indexed again."
        wide
      >
        <EmbedderOffers />
        <EmbedderChoice value={settings.embedder} onChange={(embedder) => void save({ embedder })} />
      </SettingRow>
      {dataPath ? (
        <SettingRow
          title="Data folder"
          text={
            <>
              Memories, asks, runs and settings live here:{' '}
              <code className="text-xs [overflow-wrap:anywhere]">{dataPath}</code>
            </>
          }
        >
          {null}
        </SettingRow>
      ) : null}
      <CloserRows settings={settings} save={save} />
    </div>
  )
}

/** What most people leave as it is: other programs, the engine, prices. */
function CloserRows({ settings, save }: RowsProps) {
  return (
    <Fold className="p-4" title="Other programs, the engine and prices">
      <div className="-mx-4 mt-3 -mb-4 divide-y border-t">
        <NumberRow
          title="REST for other programs"
          name="Port of REST"
          text="Off: no program on this machine can reach the desktop app. On: those that you gave a key (loam keys create NAME) can, on this port of 127.0.0.1; /api/openapi.json says what they can do. In a browser, REST is on the port of the page in any case."
          value={settings.rest.port}
          bounds={BOUNDS.port}
          onChange={(port) => void save({ rest: { ...settings.rest, port } })}
        >
          <Switch
            label="REST for other programs"
            checked={settings.rest.on}
            onChange={(on) => void save({ rest: { ...settings.rest, on } })}
          />
        </NumberRow>
        <EngineRows settings={settings} save={save} />
        <SettingRow
          title="Prices"
          text="US dollars per million tokens, for the accounts of runs. A model on this machine costs nothing."
        >
          <div className="grid w-56 shrink-0 grid-cols-2 gap-3">
            {PRICES.map(({ name, label }) => (
              <label key={name} className="flex flex-col gap-1 text-sm text-muted">
                {label}
                <NumberBox
                  label={`Price of a million tokens ${label}`}
                  fraction
                  value={settings.prices[name]}
                  bounds={BOUNDS.price}
                  onChange={(price) => void save({ prices: { ...settings.prices, [name]: price } })}
                />
              </label>
            ))}
          </div>
        </SettingRow>
      </div>
    </Fold>
  )
}

/** Which embedding model is used, each with an honest description of what it can do. */
function EmbedderChoice({ value, onChange }: { value: string; onChange: (id: string) => void }) {
  const { data, problem, reload } = useStored('embedders')
  if (problem) return <ErrorNotice problem={problem} alwaysRetry onRetry={() => void reload()} />
  if (!data) return <Loading what="the embedding models" />
  return (
    <div className="flex flex-col gap-3">
      <RadioGroup.Root
        aria-label="Embedding model"
        value={value}
        onValueChange={onChange}
        className="flex flex-col gap-2"
      >
        {data.map((embedder) => (
          <RadioGroup.Item
            key={embedder.id}
            value={embedder.id}
            disabled={!embedder.available}
            className="group flex gap-3 rounded-md border p-3 text-left hover:bg-hover data-[state=checked]:border-accent disabled:opacity-60 disabled:hover:bg-transparent"
          >
            <span className="mt-0.75 flex size-3.5 shrink-0 items-center justify-center rounded-full border border-line-strong group-data-[state=checked]:border-accent">
              <RadioGroup.Indicator className="size-1.75 rounded-full bg-accent" />
            </span>
            <span className="min-w-0">
              <span className="flex flex-wrap items-center gap-2">
                <span className="font-medium">{embedder.title}</span>
                {embedder.available ? null : <Badge tone="notice">Files not found</Badge>}
              </span>
              <span className="block text-sm text-muted">{embedder.description}</span>
            </span>
          </RadioGroup.Item>
        ))}
      </RadioGroup.Root>
      <AnotherEmbedder onChoose={onChange} />
    </div>
  )
}

/** Any GGUF, folder or server's model, by its name. */
function AnotherEmbedder({ onChoose }: { onChoose: (id: string) => void }) {
  const [id, setId] = useState('')
  const target = id.trim()
  return (
    <div className="flex items-end gap-2">
      <TextField
        label="Another embedding model"
        width="min-w-0 flex-1"
        placeholder="Path of a GGUF file or a folder, or openai:NAME@SERVER"
        value={id}
        onChange={setId}
      />
      <Button disabled={target === ''} onClick={() => onChoose(target)}>
        Use it
      </Button>
    </div>
  )
}
