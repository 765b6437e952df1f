import type { LoamLink } from '../../shared/domain/desktop'
import { fileName } from '../components/format'
import { isModel } from '../ground/dropped-files'
import { errorShape } from '../stores/error-shape'
import { hashToPlace } from '../stores/location'
import type { Services } from '../stores/services'
import { titleOf } from './screens'

/** Shows files that a person opened or dropped: models are added once they agree, everything else is previewed as an import. */
export function openPaths(paths: readonly string[], services: Services): void {
  const models = paths.filter(isModel)
  const others = paths.filter((path) => !isModel(path))
  if (others.length > 0) services.ui.getState().startImport({ paths: others })
  // After the import is closed, so that neither covers the other.
  else if (models.length > 0) askToAdd(models, services)
  if (others.length > 0 && models.length > 0) {
    services.toasts.getState().show({
      title: models.length === 1 ? 'A model came along' : `${models.length} models came along`,
      detail: models.map(fileName).join(', '),
      tone: 'plain',
      action: { label: 'Add…', run: () => askToAdd(models, services) },
    })
  }
}

function askToAdd(paths: readonly string[], services: Services): void {
  const names = paths.map(fileName).join(', ')
  services.ui.getState().ask({
    title: paths.length === 1 ? 'Add this model?' : `Add these ${paths.length} models?`,
    words: `${names}. Models are read where they lie: nothing is copied, and nothing is started.`,
    answers: [{ label: 'Add', run: () => void addModels(paths, services) }],
    no: 'Not now',
  })
}

async function addModels(paths: readonly string[], services: Services): Promise<void> {
  const { client, models, settings, embedders, toasts, ui } = services
  try {
    for (const path of paths) {
      const { words } = await client.models.add({ path })
      toasts.getState().show({
        ...{ title: `Model added: ${fileName(path)}`, detail: words, tone: 'plain' },
        action: { label: 'Undo', run: () => void forgetModel(path, services) },
      })
    }
    ui.getState().go('models')
  } catch (error) {
    toasts.getState().report(errorShape(error))
  }
  await Promise.all([settings.getState().load(), models.getState().reload(), embedders.getState().reload()])
}

async function forgetModel(path: string, { client, models, settings }: Services): Promise<void> {
  await client.models.forget({ path })
  await Promise.all([settings.getState().load(), models.getState().reload()])
}

/** Shows what a `loam://` link asks for; it is done when the person agrees, and sends or changes nothing then either. */
export function previewLink(link: LoamLink, services: Services): void {
  const { ui, asks, openRecord, toasts } = services
  const no = 'Do nothing'
  const place = link.kind === 'place' ? hashToPlace(link.hash) : null
  if (link.kind === 'ask')
    ui.getState().ask({
      title: 'Put these words into a new ask?',
      words: `A link brought them. Nothing is sent: ${link.text}`,
      answers: [
        {
          label: 'Put them there',
          run: () => {
            openRecord('ask')
            asks.getState().write({ text: link.text })
          },
        },
      ],
      no,
    })
  else if (link.kind === 'bundle')
    ui.getState().ask({
      title: 'Look into this bundle?',
      words: `A link names ${link.path}. Loam shows what is in it; nothing comes in before you say so.`,
      answers: [{ label: 'Look into it', run: () => ui.getState().startImport({ paths: [link.path] }) }],
      no,
    })
  else if (link.kind === 'place' && place !== null)
    ui.getState().ask({
      title: `Go to ${titleOf(place.screen)}?`,
      words: `A link leads there${place.item === null ? '' : `, to ${place.item}`}.`,
      // As a person does who follows a kept address.
      answers: [{ label: 'Go there', run: () => (window.location.hash = link.hash) }],
      no,
    })
  else
    toasts.getState().show({
      title: 'A link was not understood',
      detail: 'Nothing was done.',
      tone: 'problem',
    })
}
