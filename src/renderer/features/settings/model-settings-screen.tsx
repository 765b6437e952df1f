import { RadioGroup } from 'radix-ui'
import { useState } from 'react'
import { Badge } from '../../components/badge'
import { Button } from '../../components/button'
import { ErrorNotice } from '../../components/error-notice'
import { Fold } from '../../components/fold'
import { Loading } from '../../components/loading'
import { EmbedderOffers } from '../../ground/embedder-offers'
import { FolderList, SettingRow, SwitchRow } from '../../ground/setting-row'
import { TextField } from '../../ground/text-field'
import { useServices, useStored } from '../../stores/use-services'
import { EngineRows } from './engine-rows'
import { Rows, SettingsPage, type SettingsProps } from './settings-page'

/** Where models are found, how texts are compared, and how models are computed. */
export const ModelSettingsScreen = () => (
  <SettingsPage title="Model and speed">
    {({ settings, save }) => (
      <Rows>
        <ModelRows settings={settings} save={save} />
        <Fold className="p-4" title="The engine">
          <div className="-mx-4 mt-3 -mb-4 divide-y border-t">
            <EngineRows settings={settings} save={save} />
          </div>
        </Fold>
      </Rows>
    )}
  </SettingsPage>
)

function ModelRows({ settings, save }: SettingsProps) {
  const { models } = useServices()
  return (
    <>
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
    </>
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
